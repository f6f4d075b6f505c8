import { createToken } from '../api/tokens.ts';
import { ConnectionError, isSignal, OrgctlError } from '../lib/errors.ts';
import { formatTime, SECOND } from '../lib/time.ts';
import type { Look, Method, PendingToken, Rotation } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { saveState } from './save.ts';
import { describeToken } from './token.ts';

/** How long a POST without an answer may need to take effect. */
const SETTLE = 5 * SECOND;

/** A new token whose secret may be nowhere else. */
export interface Created {
  state: RotationState;
  pending: PendingToken;
  /** Why the secret could not be saved. */
  unsaved?: OrgctlError;
}

/** One POST, and another one, once, if the first certainly created a token whose secret did not arrive. */
export async function createPending(
  rotation: Rotation,
  method: Method,
  state: RotationState,
  before: Look,
): Promise<Created> {
  const { client, expiredAt, progress, runtime } = rotation;
  let current = state;
  for (let isFirst = true; ; isFirst = false) {
    const prepared = method.prepare(current, before);
    saveState(rotation, prepared.state, isFirst ? 'usage' : 'failure');
    try {
      const created = await createToken(client, prepared.token, expiredAt);
      if (!created) throw new Error('a dry run creates no token');
      const saved = save(rotation, method.keep(prepared.state, created, before), prepared.state, created);
      rotation.done(`Created ${describeToken(rotation.token, 'new')}${describeExpiry(created, runtime.now())}`);
      return saved;
    } catch (error) {
      if (!(error instanceof OrgctlError) || isSignal(error)) throw error;
      if (error.exit !== 'outcome-unknown') {
        // It was refused, or certainly never left.
        saveState(rotation, current);
        if (isFirst) throw error;
      } else {
        progress('No clear answer: looking for a new token');
        await runtime.sleep(SETTLE);
        if (isFirst && (await isCertainlyLost(method, prepared.state, before))) {
          current = prepared.state;
          continue;
        }
      }
      throw createUnclearError(rotation, error);
    }
  }
}

/** Saves the secret before anything else. */
function save(
  rotation: Rotation,
  next: RotationState,
  last: RotationState,
  { secret, ...created }: PendingToken,
): Created {
  const pending = { ...created, secret };
  try {
    saveState(rotation, next);
    return { state: next, pending: next.pending ?? pending };
  } catch (error) {
    if (!(error instanceof OrgctlError)) throw error;
    return { state: last, pending, unsaved: error };
  }
}

function describeExpiry({ expiredAt }: PendingToken, now: number): string {
  if (expiredAt === undefined) return '';
  return expiredAt === null ? '; it never expires' : `; it expires ${formatTime(expiredAt, now)}`;
}

async function isCertainlyLost(method: Method, state: RotationState, before: Look): Promise<boolean> {
  return method.isCertainlyLost(state, before).catch((error: unknown) => {
    if (error instanceof OrgctlError && !isSignal(error)) return false;
    throw error;
  });
}

function createUnclearError({ token }: Rotation, error: OrgctlError): OrgctlError {
  const { cause } = error;
  return new OrgctlError('outcome-unknown', `unknown whether ${describeToken(token)} was replaced`, {
    reasons: cause instanceof ConnectionError ? [cause.message] : error.reasons,
    hint: 'Run the same command again: it finds out, and delivers a token.',
    cause: error,
  });
}
