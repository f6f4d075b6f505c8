import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/old/errors.ts';
import { parseAgo, parseDuration, parseWhen, toUtcText } from '../../src/old/when.ts';

const NOW = Date.UTC(2026, 10, 21, 8, 30, 15, 250); // 2026-11-21T08:30:15.250Z

function when(text: string, now: number = NOW): string {
  const parsed = parseWhen(text, now);
  return parsed === 'never' ? 'never' : parsed.at.toISOString();
}

describe('parseDuration', () => {
  test.each([
    ['1ms', 1],
    ['500ms', 500],
    ['30s', 30_000],
    ['5m', 300_000],
    ['12h', 43_200_000],
    ['90d', 7_776_000_000],
    ['2w', 1_209_600_000],
    [' 5m ', 300_000],
    ['007s', 7_000],
  ])('%j', (text, milliseconds) => {
    expect(parseDuration(text, '--timeout')).toBe(milliseconds);
  });

  const ODD = ['', ' ', '5', 'm', '5 m', '-5m', '+5m', '1.5h', '5M', '5min', '1h30m', '1e3s', '5\u0660s'];
  test.each([...ODD, `${'9'.repeat(30)}d`])('refuses %j', (text) => {
    expect(() => parseDuration(text, '--timeout')).toThrow(UsageError);
    expect(() => parseDuration(text, '--timeout')).toThrow(`--timeout: '${text}' is not a duration`);
  });

  test.each([
    ['1mo', Date.UTC(2026, 0, 31), 1, 28],
    ['1mo', Date.UTC(2026, 2, 31), -1, 31],
    ['3mo', Date.UTC(2026, 10, 30), 1, 90],
    ['1y', Date.UTC(2028, 1, 29), 1, 365],
    ['1y', Date.UTC(2027, 0, 1), 1, 365],
    ['1y', Date.UTC(2028, 0, 1), 1, 366],
  ] as const)('%s is as long as the calendar has it, from %d in direction %d', (text, now, direction, days) => {
    expect(parseDuration(text, '--if-older-than', now, direction)).toBe(days * 86_400_000);
  });

  test.each(['0s', '00ms', '0mo'])('refuses zero: %j', (text) => {
    expect(() => parseDuration(text, '--timeout')).toThrow('--timeout: a duration must be longer than zero');
  });

  test('names the accepted forms', () => {
    expect(catchError(() => parseDuration('6 months', '--timeout')).hint).toBe(
      'Did you mean 6mo? Write a whole number and a unit: 500ms, 30s, 5m, 12h, 90d, 2w, 6mo or 1y.',
    );
  });
});

describe('parseWhen', () => {
  test.each([
    ['never', 'never'],
    // Dates are 00:00 UTC.
    ['2026-11-22', '2026-11-22T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['9999-12-31', '9999-12-31T00:00:00.000Z'],
    // Instants: with seconds or without, any zone, fractions cut off.
    ['2027-01-31T12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31t12:00:00z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31 12:00:00Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00.999Z', '2027-01-31T12:00:00.000Z'],
    ['2027-01-31T12:00:00+02:00', '2027-01-31T10:00:00.000Z'],
    ['2027-01-31T12:00:00+0200', '2027-01-31T10:00:00.000Z'],
    ['2027-01-31T12:00:00-05:30', '2027-01-31T17:30:00.000Z'],
    ['2026-12-31T23:30:00-01:00', '2027-01-01T00:30:00.000Z'],
    // From now, in whole seconds.
    ['30m', '2026-11-21T09:00:15.000Z'],
    ['12h', '2026-11-21T20:30:15.000Z'],
    ['90d', '2027-02-19T08:30:15.000Z'],
    ['2w', '2026-12-05T08:30:15.000Z'],
    ['6mo', '2027-05-21T08:30:15.000Z'],
    ['1y', '2027-11-21T08:30:15.000Z'],
    ['14mo', '2028-01-21T08:30:15.000Z'],
    [' 90d ', '2027-02-19T08:30:15.000Z'],
  ])('%j', (text, expected) => {
    expect(when(text)).toBe(expected);
  });

  test.each([
    ['2027-01-31T00:00:00Z', '1mo', '2027-02-28T00:00:00.000Z'],
    ['2028-01-31T00:00:00Z', '1mo', '2028-02-29T00:00:00.000Z'],
    ['2028-02-29T12:00:00Z', '1y', '2029-02-28T12:00:00.000Z'],
    ['2028-02-29T12:00:00Z', '4y', '2032-02-29T12:00:00.000Z'],
    ['2096-02-29T12:00:00Z', '4y', '2100-02-28T12:00:00.000Z'],
    ['2026-08-31T23:59:59Z', '1mo', '2026-09-30T23:59:59.000Z'],
    ['2026-12-31T23:59:59Z', '2mo', '2027-02-28T23:59:59.000Z'],
    // Local clocks change on these days; UTC does not.
    ['2027-03-27T12:00:00Z', '1d', '2027-03-28T12:00:00.000Z'],
    ['2027-10-30T12:00:00Z', '2d', '2027-11-01T12:00:00.000Z'],
    ['2027-03-13T12:00:00Z', '1mo', '2027-04-13T12:00:00.000Z'],
  ])('at %s, %s from now', (now, text, expected) => {
    expect(when(text, Date.parse(now))).toBe(expected);
  });

  test.each([
    ['', "can't read '' as a date", /^Write an instant/],
    ['soon', "can't read 'soon' as a date", /^Write an instant/],
    ['Never', "can't read 'Never' as a date", /or never\.$/],
    ['0d', "can't read '0d' as a date", /90d/],
    ['-5d', "can't read '-5d' as a date", /90d/],
    ['1.5d', "can't read '1.5d' as a date", /90d/],
    ['30', "can't read '30' as a date", /90d/],
    ['6M', "can't read '6M' as a date", /6mo/],
    ['1y6mo', "can't read '1y6mo' as a date", /6mo/],
    ['2027-1-31', "can't read '2027-1-31' as a date", /2027-01-31/],
    ['31.01.2027', "can't read '31.01.2027' as a date", /2027-01-31/],
    ['12027-01-31', "can't read '12027-01-31' as a date", /2027-01-31/],
    ['2026-02-30', "2026-02-30 doesn't exist", /^2026-02 has the days 2026-02-01 to 2026-02-28\.$/],
    ['2028-02-30', "2028-02-30 doesn't exist", /2028-02-29\.$/],
    ['2027-02-29T00:00:00Z', "2027-02-29 doesn't exist", /2027-02-28\.$/],
    ['2027-04-31', "2027-04-31 doesn't exist", /2027-04-30\.$/],
    ['2027-01-00', "2027-01-00 doesn't exist", /2027-01-31\.$/],
    ['2027-13-01', "2027-13 doesn't exist", /01 to 12/],
    ['2027-00-01', "2027-00 doesn't exist", /01 to 12/],
    ['2027-01-31T24:00:00Z', "2027-01-31T24:00:00Z doesn't exist", /23:59:59/],
    ['2027-01-31T12:60:00Z', "2027-01-31T12:60:00Z doesn't exist", /23:59:59/],
    ['2027-01-31T12:00:60Z', "2027-01-31T12:00:60Z doesn't exist", /23:59:59/],
    ['2027-01-31T12:00:00+24:00', "2027-01-31T12:00:00+24:00 doesn't exist", /23:59:59/],
    ['2027-01-31T12:00:00', '2027-01-31T12:00:00 has no time zone', /^Write 2027-01-31T12:00:00Z for UTC/],
    ['2027-01-31T12:00', '2027-01-31T12:00 has no time zone', /^Write 2027-01-31T12:00Z for UTC/],
    ['2026-11-21', '2026-11-21 is in the past', /00:00 UTC of that day/],
    ['2026-11-21T08:30:15Z', '2026-11-21T08:30:15Z is in the past', /^Write/],
    ['2026-11-21T09:30:15+01:00', '2026-11-21T09:30:15+01:00 is in the past', /^W/],
    ['2020-01-01', '2020-01-01 is in the past', /later day/],
    ['8000y', '8000y is outside the years 1 to 9999', /^Write/],
    ['3000000d', '3000000d is outside the years 1 to 9999', /^Write/],
    [`${'9'.repeat(400)}d`, `${'9'.repeat(400)}d is outside the years 1 to 9999`, /^Write/],
    [`${'9'.repeat(400)}mo`, `${'9'.repeat(400)}mo is outside the years 1 to 9999`, /^Write/],
    ['9999-12-31T23:59:59-01:00', '9999-12-31T23:59:59-01:00 is outside the years 1 to 9999', /^Write/],
    ['0000-01-01', '0000-01-01 is outside the years 1 to 9999', /^Write/],
  ])('refuses %j', (text, message, hint) => {
    const error = catchError(() => parseWhen(text, NOW));
    expect(error).toMatchObject({ message, exit: 'usage' });
    expect(error.hint).toMatch(hint);
  });
});

describe('parseAgo', () => {
  test.each([
    ['2026-11-21', '2026-11-21T00:00:00Z'],
    ['2026-11-21T08:30:15Z', '2026-11-21T08:30:15Z'],
    ['2026-11-20T23:00:00-02:00', '2026-11-21T01:00:00Z'],
    ['0050-03-01', '0050-03-01T00:00:00Z'],
    ['30m', '2026-11-21T08:00:15Z'],
    ['90d', '2026-08-23T08:30:15Z'],
    ['2w', '2026-11-07T08:30:15Z'],
    ['9mo', '2026-02-21T08:30:15Z'],
    ['11mo', '2025-12-21T08:30:15Z'],
    ['1y', '2025-11-21T08:30:15Z'],
  ])('%j', (text, expected) => {
    expect(toUtcText(parseAgo(text, NOW))).toBe(expected);
  });

  test.each([
    ['2026-11-21T08:30:15.123Z', '2026-11-21T08:30:15.123Z'],
    ['2026-11-21T09:30:15.5+01:00', '2026-11-21T08:30:15.500Z'],
    ['2026-11-21T08:30:15.0009Z', '2026-11-21T08:30:15.000Z'],
    ['1s', '2026-11-21T08:30:14.678Z'],
  ])('%j to the millisecond', (text, expected) => {
    expect(parseAgo(text, Date.parse('2026-11-21T08:30:15.678Z')).toISOString()).toBe(expected);
  });

  test('months before now are clamped too', () => {
    expect(toUtcText(parseAgo('1mo', Date.parse('2028-03-31T10:00:00Z')))).toBe('2028-02-29T10:00:00Z');
  });

  test.each([
    ['never', "can't read 'never' as a date"],
    ['2026-11-22', '2026-11-22 is in the future'],
    ['2026-11-21T08:30:16Z', '2026-11-21T08:30:16Z is in the future'],
    ['3000y', '3000y is outside the years 1 to 9999'],
    ['2026-11-21T08:00:00', '2026-11-21T08:00:00 has no time zone'],
  ])('refuses %j', (text, message) => {
    expect(catchError(() => parseAgo(text, NOW))).toMatchObject({ message, exit: 'usage' });
  });
});

describe('laws', () => {
  const moment = fc.integer({ min: Date.UTC(1970, 0, 1), max: Date.UTC(2500, 0, 1) });
  const count = fc.integer({ min: 1, max: 2000 });
  const unit = fc.constantFrom('m', 'h', 'd', 'w', 'mo', 'y');
  const at = (text: string, now: number): Date => {
    const parsed = parseWhen(text, now);
    if (parsed === 'never') throw new Error('unexpected');
    return parsed.at;
  };

  test('a distance forward ends in whole seconds after now, and one back on the millisecond before it', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 400 }), unit, (now, n, u) => {
        const [ahead, behind] = [at(`${n}${u}`, now), parseAgo(`${n}${u}`, now)];
        expect([ahead.getUTCMilliseconds(), behind.getUTCMilliseconds()]).toEqual([
          0,
          new Date(now).getUTCMilliseconds(),
        ]);
        expect(ahead.getTime()).toBeGreaterThan(now);
        expect(behind.getTime()).toBeLessThan(now);
      }),
    );
  });

  test('more of the same unit is later', () => {
    fc.assert(
      fc.property(moment, count, unit, (now, n, u) => {
        expect(at(`${n + 1}${u}`, now).getTime()).toBeGreaterThan(at(`${n}${u}`, now).getTime());
      }),
    );
  });

  test('a later now gives no earlier moment', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 0, max: 40 * 86_400_000 }), count, unit, (now, later, n, u) => {
        expect(at(`${n}${u}`, now + later).getTime()).toBeGreaterThanOrEqual(at(`${n}${u}`, now).getTime());
      }),
    );
  });

  test('months land in the month asked for, on the same day or its last one, at the same time of day', () => {
    fc.assert(
      fc.property(moment, count, (now, n) => {
        const [start, end] = [new Date(now), at(`${n}mo`, now)];
        const months = (date: Date): number => date.getUTCFullYear() * 12 + date.getUTCMonth();
        expect(months(end) - months(start)).toBe(n);
        const lastDay = new Date(Date.UTC(end.getUTCFullYear(), end.getUTCMonth() + 1, 0)).getUTCDate();
        expect(end.getUTCDate()).toBe(Math.min(start.getUTCDate(), lastDay));
        expect(toUtcText(end).slice(11)).toBe(toUtcText(start).slice(11));
      }),
    );
  });

  test('twelve months are a year', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: 1, max: 400 }), (now, n) => {
        expect(at(`${12 * n}mo`, now)).toEqual(at(`${n}y`, now));
      }),
    );
  });

  test('what is printed reads back as the same moment', () => {
    fc.assert(
      fc.property(fc.integer({ min: Date.UTC(1971, 0, 1) / 1000, max: Date.UTC(9999, 11, 31) / 1000 }), (seconds) => {
        const date = new Date(seconds * 1000);
        expect(at(toUtcText(date), 0)).toEqual(date);
      }),
    );
  });
});

function catchError(act: () => unknown): UsageError {
  try {
    act();
  } catch (error) {
    if (error instanceof UsageError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}
