import { readTokenLimits, type TokenKind } from '../api/tokens.ts';
import { OrgctlError } from '../lib/errors.ts';
import { findExpiry } from './expiry.ts';
import { createFingerprint } from './fingerprint.ts';
import type { CurrentToken, Rotation } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { isAccepted } from './secret.ts';
import { describeToken, isDescribed } from './token.ts';

/** Throws `attention` if no token is due, and nothing shows that the places have the current one. */
export async function isDue(rotation: Rotation, state: RotationState, current: CurrentToken): Promise<boolean> {
  const { delivered } = state;
  if (current.id === null || (await isDueByTime(rotation, state, current))) return true;
  const held = await readPlaces(rotation);
  const isCurrent = delivered?.id !== undefined && delivered.id === current.id;
  const isOurs = ({ secret = '' }: Held): boolean => createFingerprint(secret) === delivered?.fingerprint;
  const refused = held.filter(({ isAccepted }) => isAccepted === false);
  const goesOn = (one: Held): boolean => one.secret === undefined || (isCurrent && !isOurs(one));
  if (held.some(goesOn) || (!isCurrent && refused.length > 0)) return true;
  if (refused.length > 0)
    throw createDoubt(rotation, 'The service refuses the token that it shows as the current one.');
  const needsOurs = isDescribed(rotation.token) && delivered !== undefined;
  const areServed = held.every((one) => one.isAccepted && (!needsOurs || isOurs(one)));
  if (!isCurrent && (held.length === 0 || !areServed)) {
    throw createDoubt(rotation, 'It is not due, and nothing shows that it is in its places.');
  }
  const isKnown = isCurrent || (current.id === undefined && held.some((one) => one.isAccepted && isOurs(one)));
  const went = isKnown ? (delivered?.places ?? []).map(({ id }) => id) : [];
  const missing = delivered && rotation.places.find(({ read, id }) => !read && !went.includes(id));
  if (missing) throw createDoubt(rotation, `Nothing shows that it went to ${missing.name}.`);
  return false;
}

async function isDueByTime({ token, client, ...rotation }: Rotation, { delivered }: RotationState, now: CurrentToken) {
  const { expiresBefore, createdBefore } = rotation;
  if (expiresBefore === undefined && createdBefore === undefined) return true;
  const times: Partial<CurrentToken> = now.id === undefined ? (delivered ?? {}) : now;
  const kind: TokenKind = isDescribed(token) ? 'team' : token.kind;
  const limit = expiresBefore === undefined ? undefined : (await readTokenLimits(client, token.org))?.get(kind);
  return isBefore(findExpiry(times, limit), expiresBefore) || isBefore(times.createdAt, createdBefore);
}

function isBefore(time: string | null | undefined, instant: number | undefined): boolean {
  return typeof time === 'string' && instant !== undefined && Date.parse(time) <= instant;
}

/** What a place that can be read has. */
interface Held {
  secret: string | undefined;
  /** Undefined if the service can't say. */
  isAccepted: boolean | undefined;
}

function readPlaces(rotation: Rotation): Promise<Held[]> {
  const secrets = rotation.places.flatMap((place) => (place.read ? [place.read()] : []));
  const ask = async (secret: string | undefined): Promise<Held> => ({
    secret,
    isAccepted: secret === undefined ? undefined : await isAccepted(rotation, secret),
  });
  return Promise.all(secrets.map(ask));
}

function createDoubt({ token }: Rotation, reason: string): OrgctlError {
  return new OrgctlError('attention', `unknown whether ${describeToken(token)} was delivered`, {
    reasons: [reason],
    hint: 'Rotate it once without conditions.',
  });
}
