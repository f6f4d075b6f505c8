import { expect, test } from 'vitest';
import { UsageError } from '../../src/lib/errors.ts';
import { formatRelative, formatTime, parseInstant, parseTimeout, parseWhen } from '../../src/lib/time.ts';

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
  ['1mo', undefined],
  ['1d 1mo', undefined],
])('--timeout %s: %s', (text, milliseconds) => {
  if (milliseconds === undefined) expect(() => parseTimeout(text, '--timeout')).toThrow(UsageError);
  else expect(parseTimeout(text, '--timeout')).toBe(milliseconds);
});

test.each([
  ['2026-11-20T10:00:00+01:00', '2026-11-20T09:00:00.000Z'],
  ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ['1d 12h', '2026-11-20T12:20:00.000Z'],
  ['1.5d', '2026-11-20T12:20:00.000Z'],
  ['1mo 90s', '2026-10-22T00:18:30.000Z'],
  ['0.5y', '2026-05-22T00:20:00.000Z'],
  ['1.5mo', undefined],
  ['', undefined],
  ['999999999y', undefined],
  ['2026-11-20T10:00:00', undefined],
  ['2026-02-30', undefined],
  ['2026-02-30T00:00Z', undefined],
  ['tomorrow', undefined],
])('--since %s: %s', (text, instant) => {
  if (instant === undefined) expect(() => parseWhen(text, NOW, -1, '--since')).toThrow(UsageError);
  else expect(new Date(parseWhen(text, NOW, -1, '--since')).toISOString()).toBe(instant);
});
