export function formatDate(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}

const ISO_DATE = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)?(Z|([+-])(\d{2}):?(\d{2}))?$/i;

/** Milliseconds; undefined for text that is not a date, or not a possible one. The default zone is UTC. */
export function parseDate(text: string): number | undefined {
  const [, day, minutes, seconds = ':00', , sign, hours = 0, offset = 0] = ISO_DATE.exec(text) ?? [];
  const local = Date.parse(`${day}T${minutes}${seconds.slice(0, 7)}Z`);
  // Date.parse rolls the 30th of February over into March.
  if (Number.isNaN(local) || formatDate(local).slice(0, 10) !== day) return undefined;
  if (Number(hours) > 23 || Number(offset) > 59) return undefined;
  return local - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(offset)) * 60_000;
}
