const ISO_DATE = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** In milliseconds. */
export const DAY = 86_400_000;

/** Adds calendar years, in UTC. The 29th of February becomes the 1st of March in a year without it. */
export function addYears(milliseconds: number, years: number): number {
  const date = new Date(milliseconds);
  return date.setUTCFullYear(date.getUTCFullYear() + years);
}

export function toIsoDate(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

/**
 * The milliseconds of an ISO 8601 date and time; undefined for other text, and for a day or hour that does not exist.
 * Assumed: a time without a zone is UTC, since the service speaks of UTC only.
 */
export function parseIsoDate(text: string): number | undefined {
  const match = ISO_DATE.exec(text);
  if (match === null) return undefined;
  const part = (group: number): number => Number(match[group] ?? 0);
  const [month, day, hour, minute, second] = [part(2), part(3), part(4), part(5), part(6)];
  const milliseconds = Number((match[7] ?? '0').padEnd(3, '0').slice(0, 3));
  const local = Date.UTC(part(1), month - 1, day, hour, minute, second, milliseconds);
  const date = new Date(local);
  // A day that its month does not have rolls over into another.
  const exists =
    date.getUTCMonth() === month - 1 && date.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  const offset = toOffsetMinutes(match[8]);
  return exists && offset !== undefined ? local - offset * 60_000 : undefined;
}

function toOffsetMinutes(zone: string | undefined): number | undefined {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes);
}
