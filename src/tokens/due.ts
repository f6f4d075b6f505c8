import { readTokenLimits, type TokenKind } from '../api/tokens.ts';
import { OrgctlError } from '../lib/errors.ts';
import { findExpiry } from './expiry.ts';
import type { CurrentToken, Rotation } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { isAccepted } from './secret.ts';
import { describeToken, isDescribed } from './token.ts';

/** Throws `attention` if no token is due, and nothing shows that the places have the current one. */
export async function isDue(rotation: Rotation, { delivered }: RotationState, current: CurrentToken): Promise<boolean> {
  const { token, client, expiresBefore, createdBefore, places } = rotation;
  if (expiresBefore === undefined && createdBefore === undefined) return true;
  if (current.id === null) return true;
  const times: Partial<CurrentToken> = current.id === undefined ? (delivered ?? {}) : current;
  const kind: TokenKind = isDescribed(token) ? 'team' : token.kind;
  const limit = expiresBefore === undefined ? undefined : (await readTokenLimits(client, token.org))?.get(kind);
  if (isBefore(findExpiry(times, limit), expiresBefore) || isBefore(times.createdAt, createdBefore)) return true;
  const secrets = places.flatMap((place) => (place.read ? [place.read()] : []));
  if (secrets.includes(undefined)) return true;
  const accepted = await Promise.all(secrets.map((secret = '') => isAccepted(rotation, secret)));
  if (accepted.includes(false)) return true;
  const isDelivered = typeof current.id === 'string' && current.id === delivered?.id;
  if (isDelivered || accepted.includes(true)) return false;
  throw new OrgctlError('attention', `unknown whether ${describeToken(token)} was delivered`, {
    reasons: ['It is not due, and nothing shows that it is in its places.'],
    hint: 'Rotate it once without conditions.',
  });
}

function isBefore(time: string | null | undefined, instant: number | undefined): boolean {
  return typeof time === 'string' && instant !== undefined && Date.parse(time) <= instant;
}
