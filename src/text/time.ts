const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A twelfth of the mean Gregorian year. */
const MONTH = 30.436875 * DAY;
/** The units of relative time, each with the count at which the next one takes over. */
const UNITS = [
  ['second', SECOND, 60],
  ['minute', MINUTE, 60],
  ['hour', HOUR, 24],
  ['day', DAY, 30],
  ['month', MONTH, 12],
  ['year', 12 * MONTH, Number.POSITIVE_INFINITY],
] as const;

/** Makes an instant readable: `2026-11-21 09:15 (3 minutes ago)`. Any other text stays as it is. */
export type TimeFormatter = (value: string) => string;

/** `now` in milliseconds; without a time zone, the machine's. */
export function createTimeFormatter(now: number, timeZone?: string): TimeFormatter {
  const local = new Intl.DateTimeFormat('en', {
    ...(timeZone === undefined ? {} : { timeZone }),
    calendar: 'gregory',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });
  return (value) => {
    const instant = INSTANT.test(value) ? Date.parse(value) : Number.NaN;
    if (Number.isNaN(instant)) return value;
    const { year, month, day, hour, minute } = Object.fromEntries(
      local.formatToParts(instant).map((part) => [part.type, part.value]),
    );
    return `${year?.padStart(4, '0')}-${month}-${day} ${hour}:${minute} (${toRelative(relative, instant - now)})`;
  };
}

function toRelative(relative: Intl.RelativeTimeFormat, difference: number): string {
  for (const [unit, length, limit] of UNITS) {
    const count = Math.round(difference / length);
    if (Math.abs(count) < limit) return relative.format(count, unit);
  }
  return '';
}
