import type { ConnectionFailure } from '../errors.ts';
import { capitalize } from '../text/sentence.ts';
import { CONNECT_TIMEOUT } from './failure.ts';

/** Which answers are tried again, and when. Pure: everything a decision needs comes in as values. */

export type Result =
  | { readonly status: number; readonly headers: Readonly<Record<string, string | undefined>> }
  | { readonly failure: ConnectionFailure; readonly acted: 'no' | 'maybe' };

export interface Trial {
  readonly kind: 'read' | 'write';
  readonly result: Result;
  readonly retriesSoFar: number;
  readonly maxRetries: number;
  /** In [0, 1): where in the allowed span the delay falls. */
  readonly random: number;
  /** Milliseconds since 1970, for a Retry-After that is a date. */
  readonly now: number;
}

/** What came, why another try follows, and when. */
export interface Retry {
  readonly result:
    | { readonly status: number }
    | { readonly failure: ConnectionFailure; readonly acted: 'no' | 'maybe'; readonly message: string };
  readonly host: string;
  /** Milliseconds that it waited for an answer. */
  readonly timeout: number;
  /** Milliseconds. */
  readonly delay: number;
  /** The number of the next try. */
  readonly next: number;
  readonly most: number;
}

/** Milliseconds to wait before the next try, or undefined when this result is final. */
export type RetryDelay = number | undefined;

const FIRST_DELAY = 250;
const LONGEST_DELAY = 8_000;
// For a longer pause than this the user had better come back later.
const LONGEST_ASKED_PAUSE = 120_000;
const PAUSE_JITTER = 250;

// Asking the same question again gives the same answer.
const FINAL_FAILURES: ReadonlySet<ConnectionFailure> = new Set([
  'tls',
  'too-large',
  'not-the-service',
  'breaks-http',
  'redirect',
]);

export function decideRetry(trial: Trial): RetryDelay {
  if (trial.retriesSoFar >= trial.maxRetries) return undefined;
  const backoff = backoffDelay(trial.retriesSoFar, trial.random);
  if ('failure' in trial.result) {
    if (FINAL_FAILURES.has(trial.result.failure)) return undefined;
    return trial.kind === 'read' || trial.result.acted === 'no' ? backoff : undefined;
  }
  const { status, headers } = trial.result;
  const asked = askedPause(headers, trial.now);
  if (status === 429) return bounded((asked ?? 1_000) + PAUSE_JITTER * trial.random);
  // A 5xx says nothing about whether a write was acted on.
  if (status >= 500 && trial.kind === 'read') return bounded(Math.max(asked ?? 0, backoff));
  return undefined;
}

/** `No answer from app.terraform.io in 30 s; trying again (2 of 5)` */
export function describeRetry(retry: Retry): string {
  const { result, delay, next, most } = retry;
  const pause = delay < 1000 ? '' : ` in ${Math.round(delay / 1000)} s`;
  if ('status' in result && result.status === 429) return `The service limits requests; going on${pause}`;
  return `${describeResult(retry)}; trying again${pause} (${next} of ${most})`;
}

function describeResult({ result, host, timeout }: Retry): string {
  if ('status' in result) return `${host} answered ${result.status}`;
  const { failure, acted, message } = result;
  if (failure !== 'timeout') return message.startsWith(host) ? message : capitalize(message);
  return acted === 'no'
    ? `No connection to ${host} in ${Math.min(timeout, CONNECT_TIMEOUT) / 1000} s`
    : `No answer from ${host} in ${timeout / 1000} s`;
}

/** `app.terraform.io didn't answer within 30 s (5 times)` */
export function nameTimes(message: string, times: number): string {
  return times > 1 ? `${message} (${times} times)` : message;
}

export function backoffDelay(retriesSoFar: number, random: number): number {
  return Math.min(LONGEST_DELAY, FIRST_DELAY * 2 ** retriesSoFar) * random;
}

function bounded(pause: number): RetryDelay {
  return pause > LONGEST_ASKED_PAUSE ? undefined : pause;
}

/**
 * The pause the service asked for, in milliseconds: Retry-After in either form, X-RateLimit-Reset in seconds; the
 * longer one. Assumed: a service that limits requests says how long to wait in Retry-After or X-RateLimit-Reset; its
 * document shows no rate limits.
 */
function askedPause(headers: Readonly<Record<string, string | undefined>>, now: number): number | undefined {
  const pauses = [parseRetryAfter(headers['retry-after'], now), parseSeconds(headers['x-ratelimit-reset'])].filter(
    (pause) => pause !== undefined,
  );
  return pauses.length === 0 ? undefined : Math.max(...pauses);
}

function parseRetryAfter(text: string | undefined, now: number): number | undefined {
  const seconds = parseSeconds(text);
  // Date.parse finds a date in nearly any text: "in 5" is the first of May.
  if (seconds !== undefined || text === undefined || !/^\s*[A-Za-z]{3,9}, .* GMT\s*$/.test(text)) return seconds;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

function parseSeconds(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1_000 : undefined;
}
