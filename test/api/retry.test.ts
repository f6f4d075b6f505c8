import { expect, test } from 'vitest';
import { decideRetry } from '../../src/api/retry.ts';
import { ConnectionError, type ErrorCode } from '../../src/lib/errors.ts';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const request = { method: 'GET', path: '/x' };
const broken = (code: ErrorCode, sent: 'no' | 'maybe') => new ConnectionError(code, sent, request, 'broken');
const answer = (status: number, headers: Record<string, string> = {}) => ({ status, headers });

test.each([
  // What came, of a read and of a write.
  ['success', answer(200), undefined, undefined],
  ['a refusal', answer(403), undefined, undefined],
  ['a failing service', answer(503), 125, undefined],
  ['a failing service that names seconds', answer(503, { 'retry-after': '2' }), 2_000, undefined],
  ['a limit', answer(429), 1_125, 1_125],
  ['a limit that names seconds', answer(429, { 'retry-after': '3' }), 3_125, 3_125],
  ['a limit that names a date', answer(429, { 'retry-after': 'Tue, 24 Nov 2026 12:00:05 GMT' }), 5_125, 5_125],
  ['a limit that names its reset', answer(429, { 'x-ratelimit-reset': '0.5' }), 625, 625],
  ['a limit that names its reset as an epoch', answer(429, { 'x-ratelimit-reset': '1795521602' }), 2_125, 2_125],
  ['a limit that names both', answer(429, { 'retry-after': '1', 'x-ratelimit-reset': '300' }), 1_125, 1_125],
  ['a limit that asks for too long a pause', answer(429, { 'retry-after': '121' }), undefined, undefined],
  ['no connection', broken('refused', 'no'), 125, 125],
  ['a connection that broke', broken('reset', 'maybe'), 125, undefined],
  ['no answer in time', broken('timeout', 'maybe'), 125, undefined],
  ['a certificate that is not trusted', broken('tls', 'no'), undefined, undefined],
  ['a redirect elsewhere', broken('redirect', 'maybe'), undefined, undefined],
])('%s: a read is sent again after %s, a write after %s', (_name, result, read, write) => {
  const attempt = { result, retries: 0, maxRetries: 4, random: 0.5, now: NOW };
  expect(decideRetry({ ...attempt, isWrite: false })).toBe(read);
  expect(decideRetry({ ...attempt, isWrite: true })).toBe(write);
  expect(decideRetry({ ...attempt, isWrite: false, retries: 4 })).toBeUndefined();
});

test('pauses grow, and end at 8 seconds', () => {
  const delays = [0, 1, 2, 3, 4, 5, 6].map((retries) =>
    decideRetry({ isWrite: false, result: answer(500), retries, maxRetries: 9, random: 0.999, now: NOW }),
  );
  expect(delays.map((delay) => Math.round(delay ?? 0))).toEqual([250, 500, 999, 1998, 3996, 7992, 7992]);
});
