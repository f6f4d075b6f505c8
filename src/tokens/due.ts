import { readTokenLimits, type TokenKind } from '../api/tokens.ts';
import { OrgctlError } from '../lib/errors.ts';
import { findExpiry } from './expiry.ts';
import type { Look, Rotation } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { describeToken, isDescribed } from './token.ts';
import { tryToken } from './trial.ts';

/** Whether a new token is needed. Throws `attention` if none is due, and nothing shows that the places have the current one. */
export async function isDue(rotation: Rotation, { delivered }: RotationState, look: Look): Promise<boolean> {
  const { token, client, expiresBefore, createdBefore, places } = rotation;
  if (expiresBefore === undefined && createdBefore === undefined) return true;
  if (look.id === null) return true;
  const times: Partial<Look> = look.id === undefined ? (delivered ?? {}) : look;
  const kind: TokenKind = isDescribed(token) ? 'team' : token.kind;
  const limit = expiresBefore === undefined ? undefined : (await readTokenLimits(client, token.org)).get(kind);
  if (isBefore(findExpiry(times, limit), expiresBefore) || isBefore(times.createdAt, createdBefore)) return true;
  const held = places.flatMap(({ read }) => (read ? [read()] : []));
  if (held.includes(undefined)) return true;
  const trials = await Promise.all(held.map((secret) => tryToken(rotation, secret ?? '', undefined)));
  if (trials.includes(false)) return true;
  const isDelivered = typeof look.id === 'string' && look.id === delivered?.id;
  if (isDelivered || trials.includes(true)) return false;
  throw new OrgctlError('attention', `unknown whether ${describeToken(token)} was delivered`, {
    reasons: ['It is not due, and nothing shows that it is in its places.'],
    hint: 'Rotate it once without conditions.',
  });
}

function isBefore(time: string | null | undefined, instant: number | undefined): boolean {
  return typeof time === 'string' && instant !== undefined && Date.parse(time) <= instant;
}
