import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConnectionFailure } from '../../../src/old/errors.ts';
import { backoffDelay, decideRetry, type Result, type Trial } from '../../../src/old/service/retry.ts';

const NOW = Date.UTC(2026, 10, 21, 9);

const decide = (kind: Trial['kind'], result: Result, more: Partial<Trial> = {}) =>
  decideRetry({ kind, result, retriesSoFar: 0, maxRetries: 5, random: 0.5, now: NOW, ...more });

const status = (code: number, headers: Record<string, string> = {}): Result => ({ status: code, headers });
const failed = (failure: ConnectionFailure, acted: 'no' | 'maybe'): Result => ({ failure, acted });

describe('after a broken connection', () => {
  // Half of the first 250 ms.
  const AGAIN = 125;
  const transient = ['dns', 'refused', 'reset', 'timeout', 'proxy', 'unreachable', 'truncated'] as const;
  const final = ['breaks-http', 'tls', 'too-large', 'not-the-service', 'redirect'] as const;
  const table: readonly [ConnectionFailure, number | undefined][] = [
    ...transient.map((failure) => [failure, AGAIN] as [ConnectionFailure, number]),
    ...final.map((failure) => [failure, undefined] as [ConnectionFailure, undefined]),
  ];

  it.each(table)('%s before anything left', (failure, again) => {
    expect(decide('read', failed(failure, 'no'))).toBe(again);
    expect(decide('write', failed(failure, 'no'))).toBe(again);
  });

  it.each(table)('%s after bytes left: a write is final', (failure, again) => {
    expect(decide('read', failed(failure, 'maybe'))).toBe(again);
    expect(decide('write', failed(failure, 'maybe'))).toBe(undefined);
  });
});

describe('after an answer', () => {
  it.each([200, 201, 204, 301, 400, 401, 403, 404, 408, 409, 415, 422, 425])('%i is final', (code) => {
    expect(decide('read', status(code, { 'retry-after': '1' }))).toBe(undefined);
    expect(decide('write', status(code, { 'retry-after': '1' }))).toBe(undefined);
  });

  it.each([500, 501, 502, 503, 504, 599])('%i is tried again for a read, never for a write', (code) => {
    expect(decide('read', status(code))).toBe(125);
    expect(decide('write', status(code))).toBe(undefined);
    expect(decide('write', status(code, { 'retry-after': '1' }))).toBe(undefined);
  });

  it('429 is tried again for both: the service refused to act', () => {
    expect(decide('read', status(429))).toBe(1_125);
    expect(decide('write', status(429))).toBe(1_125);
  });

  it('a 5xx waits for the longer of the asked pause and the backoff', () => {
    expect(decide('read', status(503, { 'retry-after': '7' }))).toBe(7_000);
    expect(decide('read', status(503, { 'retry-after': '0' }))).toBe(125);
  });
});

describe('the pause a 429 asks for, half of 250 ms added', () => {
  it.each<[string, Record<string, string>, number | undefined]>([
    ['seconds', { 'retry-after': '3' }, 3_125],
    ['seconds with blanks', { 'retry-after': ' 3 ' }, 3_125],
    ['none', { 'retry-after': '0' }, 125],
    ['a fraction', { 'retry-after': '1.5' }, 1_625],
    ['a date to come', { 'retry-after': 'Sat, 21 Nov 2026 09:00:02 GMT' }, 2_125],
    ['a date to come, in the old form', { 'retry-after': 'Saturday, 21-Nov-26 09:00:02 GMT' }, 2_125],
    ['a date gone by', { 'retry-after': 'Sat, 21 Nov 2026 08:00:00 GMT' }, 125],
    ['a date between blanks', { 'retry-after': ' Sat, 21 Nov 2026 09:00:02 GMT ' }, 2_125],
    ['a date with something before it', { 'retry-after': 'x Sat, 21 Nov 2026 09:00:02 GMT' }, 1_125],
    ['a date with something behind it', { 'retry-after': 'Sat, 21 Nov 2026 09:00:02 GMT+1' }, 1_125],
    ['an impossible date', { 'retry-after': 'Sat, 91 Nov 2026 08:00:00 GMT' }, 1_125],
    ['words', { 'retry-after': 'soon' }, 1_125],
    ['words with a number, a date to some', { 'retry-after': 'in 5' }, 1_125],
    ['a negative number, a date to some', { 'retry-after': '-5' }, 1_125],
    ['two numbers, a date to some', { 'retry-after': '1, 1' }, 1_125],
    ['nothing', { 'retry-after': '' }, 1_125],
    ['a reset in fractions of a second', { 'x-ratelimit-reset': '0.25' }, 375],
    ['a reset just now', { 'x-ratelimit-reset': '0.0' }, 125],
    ['a reset in words', { 'x-ratelimit-reset': 'now' }, 1_125],
    ['both: the longer one', { 'retry-after': '1', 'x-ratelimit-reset': '2.5' }, 2_625],
    ['one of two readable', { 'retry-after': 'soon', 'x-ratelimit-reset': '2' }, 2_125],
    ['two minutes less jitter', { 'retry-after': '119' }, 119_125],
    ['two minutes to the millisecond', { 'retry-after': '119.875' }, 120_000],
    ['more than two minutes', { 'retry-after': '119.876' }, undefined],
    ['a date far away', { 'retry-after': 'Sun, 21 Nov 2027 09:00:00 GMT' }, undefined],
    ['a huge number', { 'retry-after': '99999999999999999999' }, undefined],
    ['a number beyond numbers', { 'retry-after': '9'.repeat(400) }, undefined],
  ])('%s', (_name, headers, delay) => {
    expect(decide('write', status(429, headers))).toBe(delay);
  });
});

describe('how often', () => {
  it.each([
    [0, 0, false],
    [0, 1, true],
    [4, 5, true],
    [5, 5, false],
    [6, 5, false],
  ])('%i retries so far of at most %i: again is %s', (retriesSoFar, maxRetries, again) => {
    for (const result of [status(429), status(503), failed('reset', 'maybe')]) {
      expect(decide('read', result, { retriesSoFar, maxRetries }) !== undefined).toBe(again);
    }
  });
});

describe('jitter', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

  it('a backoff lies between nothing and a span that doubles up to 8 s', () => {
    fc.assert(
      fc.property(fc.nat({ max: 2_000 }), random, (retriesSoFar, value) => {
        const delay = backoffDelay(retriesSoFar, value);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThan(Math.min(8_000, 250 * 2 ** Math.min(retriesSoFar, 30)));
      }),
    );
  });

  it.each([
    [0, 250],
    [1, 500],
    [2, 1_000],
    [4, 4_000],
    [5, 8_000],
    [6, 8_000],
  ])('after %i retries the span is %i ms', (retriesSoFar, span) => {
    expect(backoffDelay(retriesSoFar, 0.5)).toBe(span / 2);
  });

  it('a pause the service asked for is never cut short, and is at most 250 ms longer', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 119_000 }), random, (asked, value) => {
        const headers = { 'x-ratelimit-reset': String(asked / 1_000) };
        const delay = decide('write', status(429, headers), { random: value }) ?? Number.NaN;
        expect(delay).toBeGreaterThanOrEqual(asked - 0.001);
        expect(delay).toBeLessThan(asked + 250.001);
      }),
    );
  });
});
