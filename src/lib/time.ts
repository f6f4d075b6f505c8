import { UsageError } from './errors.ts';
import { plural } from './text.ts';

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;
const UNITS: Record<string, number> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };

/** Milliseconds since 1970; undefined for text that is not an instant with a time zone. */
export function parseInstant(text: string): number | undefined {
  const instant = INSTANT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

/** Months and milliseconds of `1y 6mo`, `1m 30s` or `500ms`; undefined for other text. */
function parseDuration(text: string): { months: number; milliseconds: number } | undefined {
  const parts = [...text.trim().matchAll(/(\d+(?:\.\d+)?)\s*(ms|mo|s|m|h|d|w|y)\s*/g)];
  const sum = (units: Record<string, number>): number =>
    parts.reduce((total, [, count, unit = '']) => total + Number(count) * (units[unit] ?? 0), 0);
  const months = sum({ mo: 1, y: 12 });
  const isWhole = parts.map(([part]) => part).join('') === text.trim();
  return parts.length > 0 && isWhole && Number.isInteger(months) ? { months, milliseconds: sum(UNITS) } : undefined;
}

function createDurationError(name: string, expected: string, text: string, units: string): UsageError {
  return new UsageError(`${name} must be ${expected}, not '${text}'`, { hint: `Units are ${units}.` });
}

/** Milliseconds of a duration without months. Throws UsageError; `name` is the option or setting that has the text. */
export function parseTimeout(text: string, name: string): number {
  const { months, milliseconds } = parseDuration(text) ?? { months: 0, milliseconds: 0 };
  // Node's timers have 31 bits.
  if (months === 0 && milliseconds >= 1 && milliseconds < 2 ** 31) return milliseconds;
  throw createDurationError(name, 'a duration such as 30s', text, 'ms, s, m, h, d and w');
}

/** Parses an instant with a time zone, a date (00:00 UTC), or a duration before (-1) or after (1) `now`. Throws UsageError. */
export function parseWhen(text: string, now: number, direction: 1 | -1, name: string): number {
  const day = text.slice(0, 10);
  const midnight = parseInstant(`${day}T00:00Z`);
  const instant = text === day ? midnight : parseInstant(text);
  // Date.parse reads the 30th of February as the 2nd of March.
  const isPossible = midnight !== undefined && new Date(midnight).toISOString().startsWith(day);
  if (instant !== undefined && isPossible) return instant;
  const expected = 'an instant with its time zone, a date, or a duration such as 30d or 12h';
  return addDuration(now, text, direction, name, expected);
}

/** Adds (1) or subtracts (-1) a duration such as `90d`, `1y 6mo` or `12h 30m`. Throws UsageError. */
export function addDuration(
  instant: number,
  text: string,
  direction: 1 | -1,
  name: string,
  expected = 'a duration such as 30d or 12h',
): number {
  const { months, milliseconds } = parseDuration(text) ?? { months: Number.NaN, milliseconds: 0 };
  const date = new Date(instant);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + direction * months);
  // The month may be shorter, and Date then goes on into the next.
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  const result = date.getTime() + direction * milliseconds;
  if (!Number.isNaN(new Date(result).getTime())) return result;
  throw createDurationError(name, expected, text, 'ms, s, m, h, d, w, mo and y');
}

/** `in 90 days`, `5 days ago`, `today`. Text that is not an instant is returned unchanged. */
export function formatRelative(text: string, now: number | undefined): string {
  const instant = parseInstant(text);
  if (instant === undefined || now === undefined) return text;
  if (instant > now) return `in ${formatSpan(instant - now)}`;
  const isToday = Math.floor(instant / DAY) === Math.floor(now / DAY);
  return isToday ? 'today' : `${formatSpan(Math.max(now - instant, DAY))} ago`;
}

/** `in 90 days (2027-02-20 00:20 UTC)`. Text that is not an instant is returned unchanged. */
export function formatTime(text: string, now: number | undefined): string {
  const instant = parseInstant(text);
  return instant === undefined || now === undefined ? text : `${formatRelative(text, now)} (${formatUtc(instant)})`;
}

/** `2027-02-20 00:20 UTC` */
export function formatUtc(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function formatSpan(milliseconds: number): string {
  // A span that rounds up to the larger unit is shown in the larger unit.
  const units: [name: string, size: number, from: number][] = [
    ['year', 365.2425 * DAY, 2 * 365.2425 * DAY],
    ['day', DAY, DAY - HOUR / 2],
    ['hour', HOUR, HOUR - MINUTE / 2],
    ['minute', MINUTE, MINUTE - SECOND / 2],
  ];
  const [name, size] = units.find(([, , from]) => milliseconds >= from) ?? ['second', SECOND];
  return plural(Math.round(milliseconds / size), name);
}

/** Throws UsageError; `name` is the option or setting that has the text. */
export function parseWholeNumber(text: string, name: string, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}): number {
  const number = Number(text);
  if (/^\s*\d+\s*$/.test(text) && number >= min && number <= max) return number;
  const above = min > 0 ? ` above ${min - 1}` : '';
  const upTo = max < Number.MAX_SAFE_INTEGER ? ` up to ${max}` : '';
  throw new UsageError(`${name} must be a whole number${above}${upTo}, not '${text}'`);
}
