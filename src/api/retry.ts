import { ConnectionError } from '../lib/errors.ts';
import { SECOND } from '../lib/time.ts';
import type { HttpResponse } from './http.ts';

const FIRST_DELAY = 250;
const MAX_DELAY = 8 * SECOND;
/** If the service asks for a longer delay, the command fails instead. */
const MAX_ASKED_DELAY = 120 * SECOND;
/** Longer delays are epochs: milliseconds since 1970. */
const EPOCHS = 1_000_000_000 * SECOND;
/** Errors that a second attempt would repeat. */
const FINAL_CODES = new Set(['tls', 'too-large', 'not-the-service', 'redirect', 'proxy']);

export interface Attempt {
  isWrite: boolean;
  result: Pick<HttpResponse, 'status' | 'headers'> | ConnectionError;
  retries: number;
  maxRetries: number;
  /** In [0, 1): full jitter. */
  random: number;
  /** Milliseconds since 1970, for a Retry-After that is a date. */
  now: number;
}

/**
 * Milliseconds until the request is sent again; undefined if the result is final. A write is sent again only if it
 * certainly never left or was answered 429.
 */
export function decideRetry({ isWrite, result, retries, maxRetries, random, now }: Attempt): number | undefined {
  if (retries >= maxRetries) return undefined;
  const backoff = Math.min(MAX_DELAY, FIRST_DELAY * 2 ** retries) * random;
  if (result instanceof ConnectionError) {
    if (FINAL_CODES.has(result.code)) return undefined;
    return !isWrite || result.sent === 'no' ? backoff : undefined;
  }
  const { status, headers } = result;
  if (status !== 429 && (status < 500 || isWrite)) return undefined;
  const asked = parseDelay(headers['retry-after'], now) ?? parseDelay(headers['x-ratelimit-reset'], now) ?? 0;
  const delay = status === 429 ? (asked || SECOND) + FIRST_DELAY * random : Math.max(asked, backoff);
  return delay > MAX_ASKED_DELAY ? undefined : delay;
}

/** Milliseconds, of seconds, an epoch in seconds or a date. */
function parseDelay(text: string | undefined, now: number): number | undefined {
  if (text?.endsWith(' GMT') && !Number.isNaN(Date.parse(text))) return Math.max(0, Date.parse(text) - now);
  if (!text || !/^\s*\d+(\.\d+)?\s*$/.test(text)) return undefined;
  const time = Number(text) * SECOND;
  return time < EPOCHS ? time : Math.max(0, time - now);
}
