import { readTokenLimits } from '../api/tokens.ts';
import { OrgctlError } from '../lib/errors.ts';
import { createFingerprint } from '../lib/fingerprint.ts';
import { findExpiry } from './expiry.ts';
import type { CurrentToken, Rotation } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { isAccepted } from './secret.ts';
import { describeToken, getKind } from './token.ts';

/** Throws `attention` if no token is due, and nothing shows that the places have the current one. */
export async function isDue(rotation: Rotation, state: RotationState, current: CurrentToken): Promise<boolean> {
  const { token, places } = rotation;
  const { delivered } = state;
  if (current.id === null || (await isDueByTime(rotation, state, current))) return true;
  const secrets = places.flatMap(({ read }) => (read ? [read() ?? ''] : []));
  const ask = async (secret: string) => (secret === '' ? undefined : isAccepted(rotation, secret));
  const held = await Promise.all(secrets.map(async (secret) => ({ secret, isAccepted: await ask(secret) })));
  const isCurrent = delivered?.id !== undefined && delivered.id === current.id;
  const isOurs = ({ secret }: { secret: string }): boolean => createFingerprint(secret) === delivered?.fingerprint;
  const isRefused = held.some((one) => one.isAccepted === false);
  const goesOn = (one: { secret: string }): boolean => one.secret === '' || (isCurrent && !isOurs(one));
  if (held.some(goesOn) || (!isCurrent && isRefused)) return true;
  const createDoubt = (reason: string): OrgctlError =>
    new OrgctlError('attention', `unknown whether ${describeToken(token)} was delivered`, {
      reasons: [reason],
      hint: 'Rotate it once without conditions.',
    });
  if (isRefused) throw createDoubt('The service refuses the token that it shows as the current one.');
  const needsOurs = token.kind === 'described' && delivered !== undefined;
  const areServed = held.every((one) => one.isAccepted && (!needsOurs || isOurs(one)));
  if (!isCurrent && (held.length === 0 || !areServed)) {
    throw createDoubt('It is not due, and nothing shows that it is in its places.');
  }
  const isKnown = isCurrent || (current.id === undefined && held.some((one) => one.isAccepted && isOurs(one)));
  const went = isKnown ? (delivered?.places ?? []).map(({ id }) => id) : [];
  const missing = delivered && places.find(({ read, id }) => !read && !went.includes(id));
  if (missing) throw createDoubt(`Nothing shows that it went to ${missing.name}.`);
  return false;
}

async function isDueByTime(rotation: Rotation, { delivered }: RotationState, current: CurrentToken) {
  const { token, client, expiresBefore, createdBefore } = rotation;
  if (expiresBefore === undefined && createdBefore === undefined) return true;
  const times: Partial<CurrentToken> = current.id === undefined ? (delivered ?? {}) : current;
  const limits = expiresBefore === undefined ? undefined : await readTokenLimits(client, token.org);
  const expires = findExpiry(times, limits?.get(getKind(token)));
  return isBefore(expires, expiresBefore) || isBefore(times.createdAt, createdBefore);
}

function isBefore(time: string | null | undefined, instant: number | undefined): boolean {
  return typeof time === 'string' && instant !== undefined && Date.parse(time) <= instant;
}
