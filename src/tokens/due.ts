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
  if (current.id === null || (await isDueByTime(rotation, state, current))) return true;
  const { delivered } = state;
  const isCurrent = delivered?.id !== undefined && delivered.id === current.id;
  const held = await readHeld(rotation, delivered);
  if (held.some((one) => one.isEmpty || (isCurrent ? !one.isOurs : one.isAccepted === false))) return true;
  const reason = findDoubt(rotation, held, delivered, { ...current, isCurrent });
  if (reason === undefined) return false;
  throw new OrgctlError('attention', `unknown whether ${describeToken(rotation.token)} was delivered`, {
    reasons: [reason],
    hint: 'Rotate it once without conditions.',
  });
}

type Delivered = RotationState['delivered'];

/** What the places that can be read have, and whether the service accepts it. */
function readHeld(rotation: Rotation, delivered: Delivered) {
  const secrets = rotation.places.flatMap(({ read }) => (read ? [read() ?? ''] : []));
  const check = async (secret: string) => ({
    isEmpty: secret === '',
    isOurs: createFingerprint(secret) === delivered?.fingerprint,
    isAccepted: secret === '' ? undefined : await isAccepted(rotation, secret),
  });
  return Promise.all(secrets.map(check));
}

/** Why the places may not have the token that the service shows. `isCurrent`: it is the one that was delivered. */
function findDoubt(
  { token, places }: Rotation,
  held: Awaited<ReturnType<typeof readHeld>>,
  delivered: Delivered,
  { id, isCurrent }: CurrentToken & { isCurrent: boolean },
): string | undefined {
  if (held.some((one) => one.isAccepted === false)) {
    return 'The service refuses the token that it shows as the current one.';
  }
  const needsOurs = token.kind === 'described' && delivered !== undefined;
  const areServed = held.length > 0 && held.every((one) => one.isAccepted && (!needsOurs || one.isOurs));
  if (!isCurrent && !areServed) return 'It is not due, and nothing shows that it is in its places.';
  // Only the state knows what went to places that can't be read.
  const isKnown = isCurrent || (id === undefined && held.some((one) => one.isAccepted && one.isOurs));
  const went = isKnown ? (delivered?.places ?? []).map((place) => place.id) : [];
  const missing = delivered && places.find((place) => !place.read && !went.includes(place.id));
  return missing && `Nothing shows that it went to ${missing.name}.`;
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
