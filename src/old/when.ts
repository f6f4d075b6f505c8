import { UsageError } from './errors.ts';

/** Moments and lengths of time as people write them. All moments are UTC: later ones in whole seconds, earlier ones in milliseconds. */

/** In milliseconds, as all lengths of time are here. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** The mean Gregorian one. */
export const MEAN_YEAR = 365.2425 * DAY;

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY, w: 7 * DAY };
/** Months and years are as long as the calendar has them, in UTC. */
const CALENDAR_UNITS: Readonly<Record<string, number>> = { mo: 1, y: 12 };

const DURATION_FORMS = 'Write a whole number and a unit: 500ms, 30s, 5m, 12h, 90d, 2w, 6mo or 1y.';
const WHEN_FORMS =
  'Write an instant (2027-01-31T12:00:00Z), a date (2027-01-31), a time from now (90d, 12h, 30m, 45s, 2w, 6mo, 1y) or never.';
const AGO_FORMS =
  'Write an instant (2026-01-31T12:00:00Z), a date (2026-01-31) or a time before now (90d, 12h, 30m, 45s, 2w, 6mo, 1y).';

const EARLIEST = toDay(1, 1, 1);
const LATEST = toDay(9999, 12, 31) + DAY - 1;
const LONGEST_WAIT = 24 * DAY;

/**
 * Milliseconds, above zero: from `now` (milliseconds since 1970) on, or back from it, since months differ. `name` is the
 * option to name when it cannot be read.
 */
export function parseDuration(text: string, name: string, now = 0, direction: 1 | -1 = 1): number {
  const span = parseSpan(text.trim());
  const milliseconds = span === undefined ? Number.NaN : Math.abs(move(now, span, direction) - now);
  if (!Number.isSafeInteger(milliseconds))
    throw new UsageError(`${name}: '${text}' is not a duration`, { hint: withMeant(text, DURATION_FORMS) });
  if (milliseconds === 0)
    throw new UsageError(`${name}: a duration must be longer than zero`, { hint: DURATION_FORMS });
  return milliseconds;
}

/** `90 days` is `90d`. */
const SPELLED: Readonly<Record<string, string>> = {
  ...{ sec: 's', second: 's', min: 'm', minute: 'm', h: 'h', hr: 'h', hour: 'h', day: 'd', week: 'w' },
  ...{ mon: 'mo', month: 'mo', yr: 'y', year: 'y' },
};

function withMeant(text: string, forms: string): string {
  const [, count = '', word = ''] = /^(\d{1,6})[ -]?([a-z]{1,7}?)s?$/i.exec(text.trim()) ?? [];
  const unit = SPELLED[word.toLowerCase()];
  return unit === undefined ? forms : `Did you mean ${count}${unit}? ${forms}`;
}

/** A duration that is waited for, within what a timer can hold: a timer with more ends at once. */
export function parseWait(text: string, name: string): number {
  const milliseconds = parseDuration(text, name);
  if (milliseconds > LONGEST_WAIT) throw new UsageError(`${name}: '${text}' is too long`, { hint: 'At most 24d.' });
  return milliseconds;
}

/** A moment after `now` (milliseconds since 1970), or never. */
export function parseWhen(text: string, now: number): { readonly at: Date } | 'never' {
  const trimmed = text.trim();
  if (trimmed === 'never') return 'never';
  const at = Math.floor(toMoment(trimmed, now, 1, WHEN_FORMS) / SECOND) * SECOND;
  if (at <= now) {
    throw new UsageError(`${trimmed} is in the past`, {
      hint: isDate(trimmed) ? 'A date is 00:00 UTC of that day: give a later day, or an instant.' : WHEN_FORMS,
    });
  }
  return { at: new Date(at) };
}

/** A moment not after `now` (milliseconds since 1970). */
export function parseAgo(text: string, now: number): Date {
  const trimmed = text.trim();
  const at = toMoment(trimmed, now, -1, AGO_FORMS);
  if (at > now) {
    throw new UsageError(`${trimmed} is in the future`, { hint: AGO_FORMS });
  }
  return new Date(at);
}

/** `2027-01-31T00:00:00Z` */
export function toUtcText(date: Date): string {
  return `${date.toISOString().replace(/\.\d+Z$/, '')}Z`;
}

function toMoment(text: string, now: number, direction: 1 | -1, forms: string): number {
  const at = toDateOrInstant(text) ?? toDistance(text, now, direction);
  if (at === undefined) throw new UsageError(`can't read '${text}' as a date`, { hint: withMeant(text, forms) });
  if (!(at >= EARLIEST && at <= LATEST)) {
    throw new UsageError(`${text} is outside the years 1 to 9999`, { hint: forms });
  }
  return Math.floor(at);
}

/** Whether it is a date without a time of day. */
export function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

const INSTANT =
  /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(\.\d+)?)?(?:([Zz])|([+-])(\d{2}):?(\d{2}))?)?$/;

/** Milliseconds, or undefined for a text of another form. Throws UsageError for a moment that does not exist. */
function toDateOrInstant(text: string): number | undefined {
  const match = INSTANT.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  if (month < 1 || month > 12)
    throw new UsageError(`${text.slice(0, 7)} doesn't exist`, { hint: 'Months are 01 to 12.' });
  const days = daysInMonth(year, month);
  if (day < 1 || day > days) {
    const name = text.slice(0, 7);
    throw new UsageError(`${text.slice(0, 10)} doesn't exist`, {
      hint: `${name} has the days ${name}-01 to ${name}-${days}.`,
    });
  }
  const midnight = toDay(year, month, day);
  if (isDate(text)) return midnight;
  const [, , , , , , , fraction = '', utc, sign, offsetHours, offsetMinutes] = match;
  if (utc === undefined && sign === undefined) {
    throw new UsageError(`${text} has no time zone`, {
      hint: `Write ${text}Z for UTC, or end it with an offset such as +02:00.`,
    });
  }
  const offset = [Number(offsetHours ?? 0), Number(offsetMinutes ?? 0)] as const;
  if (hours > 23 || minutes > 59 || seconds > 59 || offset[0] > 23 || offset[1] > 59) {
    throw new UsageError(`${text} doesn't exist`, { hint: 'Times of day are 00:00:00 to 23:59:59.' });
  }
  // An offset says how far the clock there is ahead of UTC.
  const ahead = (sign === '-' ? -1 : 1) * (offset[0] * HOUR + offset[1] * MINUTE);
  const milliseconds = Number(fraction.slice(1, 4).padEnd(3, '0'));
  return midnight + hours * HOUR + minutes * MINUTE + seconds * SECOND + milliseconds - ahead;
}

function toDistance(text: string, now: number, direction: 1 | -1): number | undefined {
  const span = parseSpan(text);
  return span === undefined || span.count === 0 ? undefined : move(now, span, direction);
}

/** So many milliseconds, or so many months. */
interface Span {
  readonly count: number;
  readonly unit: 'millisecond' | 'month';
}

/** Undefined for a text of another form. */
function parseSpan(text: string): Span | undefined {
  const [, digits = '', unit = ''] = /^(\d+)([a-z]+)$/.exec(text) ?? [];
  const [length, months] = [UNITS[unit], CALENDAR_UNITS[unit]];
  if (length !== undefined) return { count: Number(digits) * length, unit: 'millisecond' };
  return months === undefined ? undefined : { count: Number(digits) * months, unit: 'month' };
}

/** NaN where there is no such moment. */
function move(at: number, { count, unit }: Span, direction: 1 | -1): number {
  return unit === 'month' ? addMonths(at, direction * count) : at + direction * count;
}

/** The same day of another month at the same time, or the month's last day where it has no such day. */
function addMonths(at: number, months: number): number {
  const date = new Date(at);
  const months0 = date.getUTCFullYear() * 12 + date.getUTCMonth() + months;
  const [year, month] = [Math.floor(months0 / 12), (((months0 % 12) + 12) % 12) + 1];
  if (year < 0 || year > 9999) return Number.NaN;
  const day = Math.min(date.getUTCDate(), daysInMonth(year, month));
  return toDay(year, month, day) + (at - Math.floor(at / DAY) * DAY);
}

function daysInMonth(year: number, month: number): number {
  return new Date(toDay(year, month + 1, 0)).getUTCDate();
}

/** Milliseconds of 00:00 UTC. Date.UTC would take the years 0 to 99 for 1900 to 1999. */
function toDay(year: number, month: number, day: number): number {
  return new Date(0).setUTCFullYear(year, month - 1, day);
}
