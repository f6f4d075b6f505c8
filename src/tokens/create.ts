import { createToken } from '../api/tokens.ts';
import { ConnectionError, isFailure, OrgctlError } from '../lib/errors.ts';
import { formatTime, SECOND } from '../lib/time.ts';
import type { CurrentToken, PendingToken, Rotation, RotationStrategy } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { describeToken } from './token.ts';

/** How long a POST without an answer may take to take effect. */
const SETTLE_TIME = 5 * SECOND;

/** A new token whose secret may be nowhere else. */
export interface Created {
  state: RotationState;
  pending: PendingToken;
  /** Why the secret could not be saved. */
  unsaved?: OrgctlError;
}

/** One POST, and one more if the first certainly created a token whose secret did not arrive. */
export async function createPending(
  rotation: Rotation,
  strategy: RotationStrategy,
  state: RotationState,
  current: CurrentToken,
): Promise<Created> {
  const { store, runtime, progress } = rotation;
  const first = strategy.prepareCreation(state, current);
  store.write(first.state, 'usage');
  try {
    return await post(rotation, strategy, first, state, current);
  } catch (error) {
    if (!(error instanceof OrgctlError)) throw error;
    const isUnclear = error.exit === 'outcome-unknown';
    if (isUnclear) {
      progress('No clear answer: looking for a new token');
      await runtime.sleep(SETTLE_TIME);
    }
    const lost = await strategy.findLost(first.state, current, error);
    if (!lost) throw isUnclear ? createUnclearError(rotation, error) : error;
    const second = strategy.prepareCreation(lost, current);
    store.write(second.state);
    return await post(rotation, strategy, second, isUnclear ? lost : state, current).catch((reason: unknown) => {
      const isDoubtful = isFailure(reason) && (isUnclear || reason.exit === 'outcome-unknown');
      throw isDoubtful ? createUnclearError(rotation, reason) : reason;
    });
  }
}

/** A POST that was refused, or certainly never left, puts the state back to `before`. */
async function post(
  rotation: Rotation,
  strategy: RotationStrategy,
  { token, state }: ReturnType<RotationStrategy['prepareCreation']>,
  before: RotationState,
  current: CurrentToken,
): Promise<Created> {
  const { client, store, expiredAt, runtime, done } = rotation;
  let pending: PendingToken | undefined;
  try {
    pending = await createToken(client, token, expiredAt);
  } catch (error) {
    const isUndone = isFailure(error) && error.exit !== 'outcome-unknown';
    if (isUndone) store.write(before);
    throw error;
  }
  if (!pending) throw new Error('a dry run creates no token');
  const created = savePending(rotation, strategy.addPending(state, pending, current), pending);
  done(`Created ${describeToken(rotation.token, 'new')}${formatExpiry(pending, runtime.now())}`);
  return created;
}

/** A secret that can't be saved is still delivered. */
function savePending({ store }: Rotation, state: RotationState, created: PendingToken): Created {
  const { pending = created } = state;
  try {
    store.write(state);
    return { state, pending };
  } catch (error) {
    if (!(error instanceof OrgctlError)) throw error;
    return { state, pending, unsaved: error };
  }
}

function formatExpiry({ expiredAt }: PendingToken, now: number): string {
  if (expiredAt === undefined) return '';
  return expiredAt === null ? '; it never expires' : `; it expires ${formatTime(expiredAt, now)}`;
}

function createUnclearError({ token }: Rotation, error: OrgctlError): OrgctlError {
  const { cause } = error;
  return new OrgctlError('outcome-unknown', `unknown whether ${describeToken(token)} was replaced`, {
    reasons: cause instanceof ConnectionError ? [cause.message] : error.reasons,
    hint: 'Run the same command again: it finds out, and delivers a token.',
    cause: error,
  });
}
