import { describe, expect, it } from 'vitest';
import { createTimeFormatter } from '../../src/text/time.ts';

describe('createTimeFormatter', () => {
  const now = Date.parse('2026-11-21T08:18:00Z');
  const format = createTimeFormatter(now, 'Europe/Berlin');

  it.each([
    ['2026-11-21T08:15:00Z', '2026-11-21 09:15 (3 minutes ago)'],
    ['2026-11-21T08:15:00.000Z', '2026-11-21 09:15 (3 minutes ago)'],
    ['2026-11-21T03:15:00-05:00', '2026-11-21 09:15 (3 minutes ago)'],
    ['2026-11-21T08:18:00Z', '2026-11-21 09:18 (now)'],
    ['2026-11-21T08:18:30Z', '2026-11-21 09:18 (in 30 seconds)'],
    ['2026-11-21T08:17:00.400Z', '2026-11-21 09:17 (1 minute ago)'],
    ['2026-11-21T07:18:01Z', '2026-11-21 08:18 (1 hour ago)'],
    ['2026-11-20T23:30:00Z', '2026-11-21 00:30 (9 hours ago)'],
    ['2026-11-20T08:18:00Z', '2026-11-20 09:18 (yesterday)'],
    ['2026-12-11T08:18:00Z', '2026-12-11 09:18 (in 20 days)'],
    ['2027-02-19T08:00:00Z', '2027-02-19 09:00 (in 3 months)'],
    ['2028-11-21T08:18:00Z', '2028-11-21 09:18 (in 2 years)'],
    ['2026-07-01T08:18:00Z', '2026-07-01 10:18 (5 months ago)'],
    ['0050-01-01T00:00:00Z', expect.stringMatching(/^0050-01-01 .* ago\)$/)],
  ])('%s', (instant, text) => {
    expect(format(instant)).toEqual(text);
  });

  it.each(['', 'never', '2026', '2026-11-21', '2026-11-21T08:15:00', '2026-13-45T08:15:00Z', '1', 'Nov 21 2026'])(
    'leaves %j as it is',
    (text) => {
      expect(format(text)).toBe(text);
    },
  );

  it('takes the time zone of the machine unless another is given', () => {
    expect(createTimeFormatter(now)('2026-11-21T08:15:00Z')).toMatch(/^2026-11-2\d \d\d:\d\d \(3 minutes ago\)$/);
  });
});
