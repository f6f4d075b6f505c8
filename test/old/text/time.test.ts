import { describe, expect, it } from 'vitest';
import { toFullTime, toRelativeTime } from '../../../src/old/text/time.ts';

const NOW = Date.parse('2026-11-21T08:18:00Z');

describe('toFullTime', () => {
  it.each([
    ['2026-11-21T08:15:00Z', 'today (2026-11-21 08:15 UTC)'],
    ['2026-11-21T03:15:00.000-05:00', 'today (2026-11-21 08:15 UTC)'],
    ['2026-11-21T08:18:00Z', 'today (2026-11-21 08:18 UTC)'],
    ['2026-11-21T08:18:30Z', 'in 30 seconds (2026-11-21 08:18 UTC)'],
    ['2026-11-21T08:19:00Z', 'in 1 minute (2026-11-21 08:19 UTC)'],
    ['2026-11-21T13:17:59Z', 'in 5 hours (2026-11-21 13:17 UTC)'],
    ['2026-11-22T08:17:59Z', 'in 1 day (2026-11-22 08:17 UTC)'],
    ['2026-11-20T23:30:00Z', '1 day ago (2026-11-20 23:30 UTC)'],
    ['2026-11-19T08:18:00Z', '2 days ago (2026-11-19 08:18 UTC)'],
    ['2027-02-19T08:00:00Z', 'in 90 days (2027-02-19 08:00 UTC)'],
    ['2028-10-21T08:18:00Z', 'in 700 days (2028-10-21 08:18 UTC)'],
    ['2028-11-22T08:18:00Z', 'in 2 years (2028-11-22 08:18 UTC)'],
    ['0050-01-01T00:00:00Z', '1977 years ago (0050-01-01 00:00 UTC)'],
  ])('%s', (instant, text) => {
    expect(toFullTime(instant, NOW)).toBe(text);
    expect(toRelativeTime(instant, NOW)).toBe(text.replace(/ \(.*/, ''));
  });

  it.each(['', 'never', '2026', '2026-11-21', '2026-11-21T08:15:00', '2026-13-45T08:15:00Z', '1', 'Nov 21 2026'])(
    'leaves %j as it is',
    (text) => {
      expect(toFullTime(text, NOW)).toBe(text);
    },
  );
});
