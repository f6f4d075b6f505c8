import { expect, test } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { formatRelative, formatTime, parseInstant, parseTimeout } from '../../src/lib/time.ts';

const NOW = Date.parse('2026-11-22T00:20:00Z');

test.each([
  ['2027-02-20T00:20:00Z', 'in 90 days'],
  ['2026-11-22T05:20:00Z', 'in 5 hours'],
  ['2026-11-22T00:20:30.500Z', 'in 31 seconds'],
  ['2026-11-22T00:10:00Z', 'today'],
  ['2026-11-02T00:20:00+00:00', '20 days ago'],
  ['2016-11-22T00:20:00Z', '10 years ago'],
  ['soon', 'soon'],
])('%s is %s', (instant, relative) => expect(formatRelative(instant, NOW)).toBe(relative));

test('a time is relative and in UTC', () => {
  expect(formatTime('2027-02-20T01:20:00+01:00', NOW)).toBe('in 90 days (2027-02-20 00:20 UTC)');
  expect(parseInstant('2027-02-20')).toBeUndefined();
});

test.each([
  ['30s', 30_000],
  ['1m30s', 90_000],
  ['500ms', 500],
  ['0s', undefined],
  ['30', undefined],
  ['30s later', undefined],
  ['30d', undefined],
])('--timeout %s: %s', (text, milliseconds) => {
  if (milliseconds === undefined) expect(() => parseTimeout(text, '--timeout')).toThrow(UsageError);
  else expect(parseTimeout(text, '--timeout')).toBe(milliseconds);
});
