import { DAY, HOUR, MEAN_YEAR, MINUTE, SECOND } from '../when.ts';

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/** Milliseconds since 1970; undefined for text that is no instant with a time zone. */
export function parseInstant(value: string): number | undefined {
  const instant = INSTANT.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(instant) ? undefined : instant;
}

/**
 * `in 90 days`, `in 5 hours`, `20 days ago`, `today` for earlier today (UTC); without `now` the time in UTC. Any other text
 * stays as it is.
 */
export function toRelativeTime(value: string, now: number | undefined): string {
  const instant = parseInstant(value);
  if (instant === undefined) return value;
  if (now === undefined) return toUtc(instant);
  const difference = instant - now;
  if (difference > 0) return `in ${toSpan(difference)}`;
  if (toDay(instant) === toDay(now)) return 'today';
  return `${toSpan(Math.max(-difference, DAY))} ago`;
}

/** `in 90 days (2027-02-20 00:20 UTC)`; without `now` only what is in brackets. Any other text stays as it is. */
export function toFullTime(value: string, now: number | undefined): string {
  const instant = parseInstant(value);
  if (now === undefined) return toRelativeTime(value, now);
  return instant === undefined ? value : `${toRelativeTime(value, now)} (${toUtc(instant)})`;
}

/** `2027-02-20 00:20 UTC` */
export function toUtc(instant: number): string {
  const [date, time = ''] = new Date(instant).toISOString().split('T');
  return `${date} ${time.slice(0, 5)} UTC`;
}

/** `2027-02-20 01:00 +01:00` where the local time is so many minutes ahead of UTC. */
export function toLocal(instant: number, ahead: number): string {
  const [date, time = ''] = new Date(instant + ahead * MINUTE).toISOString().split('T');
  const [hours, minutes] = [Math.trunc(Math.abs(ahead) / 60), Math.abs(ahead) % 60];
  const toTwo = (count: number): string => `${count}`.padStart(2, '0');
  return `${date} ${time.slice(0, 5)} ${ahead < 0 ? '-' : '+'}${toTwo(hours)}:${toTwo(minutes)}`;
}

/** `90 days`: below a day in hours, minutes or seconds, from two years on in years. */
function toSpan(milliseconds: number): string {
  if (milliseconds >= 2 * MEAN_YEAR) return count(milliseconds / MEAN_YEAR, 'year');
  if (milliseconds >= DAY - HOUR / 2) return count(milliseconds / DAY, 'day');
  if (milliseconds >= HOUR - MINUTE / 2) return count(milliseconds / HOUR, 'hour');
  if (milliseconds >= MINUTE) return count(milliseconds / MINUTE, 'minute');
  return count(milliseconds / SECOND, 'second');
}

function count(amount: number, unit: string): string {
  const rounded = Math.round(amount);
  return `${rounded} ${unit}${rounded === 1 ? '' : 's'}`;
}

function toDay(instant: number): number {
  return Math.floor(instant / DAY);
}
