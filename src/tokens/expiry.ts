import { parseTimes } from '../api/tokens.ts';
import { OrgctlError, UsageError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { plural } from '../lib/text.ts';
import { DAY, formatTime, parseWhen, SECOND } from '../lib/time.ts';

const LAST_INSTANT = Date.parse('9999-12-31T23:59:59.999Z');

/** A token that expires within this time is `expiring` if the command names no other. */
export const EXPIRING_WITHIN = 30 * DAY;

/**
 * The earlier of a token's own end and its policy's, which allows `limit` milliseconds. Null for never, undefined if it is
 * unknown.
 */
export function findExpiry(
  { createdAt, expiredAt }: { createdAt?: string; expiredAt?: string | null },
  limit: number | undefined,
): string | null | undefined {
  if (limit === undefined) return expiredAt;
  const byPolicy = createdAt === undefined ? undefined : Date.parse(createdAt) + limit;
  if (expiredAt && !(Date.parse(expiredAt) > (byPolicy ?? Number.POSITIVE_INFINITY))) return expiredAt;
  if (byPolicy === undefined) return undefined;
  // A limit beyond all dates sets no end.
  return byPolicy > LAST_INSTANT ? expiredAt : new Date(byPolicy).toISOString();
}

/** Takes attributes as the service sends them. A token that a policy has ended has no date that says so (facts). */
export function readExpiry(attributes: JsonObject, limit: number | undefined): string | null | undefined {
  const times = parseTimes(attributes);
  if (attributes['is-ttl-rejected'] === true) return times.createdAt;
  // What is missing may set an earlier end.
  const isHalf = times.createdAt === undefined || times.expiredAt === undefined;
  return limit !== undefined && isHalf ? undefined : findExpiry(times, limit);
}

/** The end of a new token, in whole seconds as go-tfe sends it (facts); null for `never`. Throws UsageError. */
export function parseExpires(text: string, now: number): string | null {
  if (text === 'never') return null;
  const instant = parseWhen(text, now, 1, '--expires');
  if (instant <= now) throw new UsageError(`--expires must be in the future, not '${text}'`);
  return new Date(Math.floor(instant / SECOND) * SECOND).toISOString().replace('.000Z', 'Z');
}

/** `; it expires in 90 days (2027-02-20 00:57 UTC)`, or nothing if it is unknown. */
export function formatEnd(expiredAt: string | null | undefined, now: number): string {
  if (expiredAt === undefined) return '';
  return `; it ${expiredAt === null ? 'never expires' : `expires ${formatTime(expiredAt, now)}`}`;
}

/** `status` of a token that expires at `expires`: null for never, undefined if it is unknown. */
export function findExpiryStatus(expires: unknown, now: number, soon: number): string {
  if (typeof expires !== 'string') return expires === null ? 'ok' : 'unknown';
  const end = Date.parse(expires);
  if (end <= now) return 'expired';
  return end <= soon ? 'expiring' : 'ok';
}

export function isExpiringBy({ expires }: JsonObject, instant: number): boolean {
  return typeof expires === 'string' && Date.parse(expires) <= instant;
}

/** Throws `incomplete` if an expiry is unknown, and `attention` if a token expires by `instant`. `within` is as the user wrote it. */
export function assertNoneExpires(rows: JsonObject[], instant: number, within: string): void {
  const expiring = rows.filter((row) => isExpiringBy(row, instant)).length;
  const unknown = rows.filter(({ expires }) => expires === undefined).length;
  const count = (some: number): string =>
    rows.length === 1 ? 'the token' : `${some} of ${plural(rows.length, 'token')}`;
  const message = `${count(expiring)} ${expiring === 1 ? 'expires' : 'expire'} within ${within}`;
  if (unknown > 0) {
    throw new OrgctlError('incomplete', `unknown when ${count(unknown)} ${unknown === 1 ? 'expires' : 'expire'}`, {
      reasons: expiring > 0 ? [message] : [],
    });
  }
  if (expiring > 0) throw new OrgctlError('attention', message, { code: 'expiring' });
}
