import { parseTimes } from '../api/tokens.ts';
import { UsageError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { parseWhen, SECOND } from '../lib/time.ts';

interface TokenTimes {
  createdAt?: string | undefined;
  /** Null for never. */
  expiredAt?: string | null | undefined;
}

/**
 * When a token ends: the earlier of its own end and its policy's, which allows `limit` milliseconds. Null for never, undefined
 * if it is unknown.
 */
export function findExpiry({ createdAt, expiredAt }: TokenTimes, limit: number | undefined): string | null | undefined {
  if (limit === undefined) return expiredAt;
  const byPolicy = createdAt === undefined ? undefined : Date.parse(createdAt) + limit;
  if (expiredAt && !(Date.parse(expiredAt) > (byPolicy ?? Number.POSITIVE_INFINITY))) return expiredAt;
  return byPolicy === undefined ? undefined : new Date(byPolicy).toISOString();
}

/** The same for metadata as the service sends them. A token that a policy has ended has no date that says so (facts). */
export function readExpiry(attributes: JsonObject, limit: number | undefined): string | null | undefined {
  const times = parseTimes(attributes);
  return attributes['is-ttl-rejected'] === true ? times.createdAt : findExpiry(times, limit);
}

/** The end of a new token, in whole seconds as go-tfe sends it (facts); null for `never`. Throws UsageError. */
export function parseExpires(text: string, now: number): string | null {
  if (text === 'never') return null;
  const instant = parseWhen(text, now, 1, '--expires');
  if (instant <= now) throw new UsageError(`--expires must be in the future, not '${text}'`);
  return new Date(Math.floor(instant / SECOND) * SECOND).toISOString().replace('.000Z', 'Z');
}
