import { createToken } from '../api/tokens.ts';
import { ConnectionError, copyError, isFailure, OrgctlError } from '../lib/errors.ts';
import { SECOND } from '../lib/time.ts';
import { formatEnd } from './expiry.ts';
import type { CurrentToken, PendingToken, RotationStrategy } from './rotation.ts';
import { type RotationState, tryWrite } from './rotation-state.ts';
import { describeToken } from './token.ts';

/** How long a POST without an answer may take to take effect. */
const SETTLE_TIME = 5 * SECOND;

/** A new token whose secret may be nowhere else. */
export interface Created {
  state: RotationState;
  pending: PendingToken;
  unsaved?: OrgctlError;
}

/** Sends one POST, and one more if the first certainly created a token whose secret did not arrive. */
export async function createPending(strategy: RotationStrategy, state: RotationState, current: CurrentToken) {
  const { token, store, runtime, progress } = strategy.rotation;
  const createUnclearError = (cause: OrgctlError): OrgctlError =>
    new OrgctlError('outcome-unknown', `unknown whether ${describeToken(token)} was replaced`, {
      reasons: cause.cause instanceof ConnectionError ? [cause.cause.message] : cause.reasons,
      hint: 'Run the same command again: it finds out, and delivers a token.',
      cause,
    });
  const first = strategy.prepareCreation(state, current);
  store.write(first.state, 'usage');
  try {
    return await post(strategy, first, state, current);
  } catch (error) {
    if (!(error instanceof OrgctlError)) throw error;
    const isUnclear = error.exit === 'outcome-unknown';
    if (isUnclear) {
      progress('No clear answer: looking for a new token');
      await runtime.sleep(SETTLE_TIME);
    }
    const lost = await strategy.findLost(first.state, state, current, error);
    if (!lost) throw isUnclear ? createUnclearError(error) : error;
    const second = strategy.prepareCreation(lost, current);
    store.write(second.state);
    // What an unclear POST may have created stays noted.
    const before = isUnclear ? lost : state;
    return await post(strategy, second, before, current).catch((reason: unknown) => {
      const isDoubtful = isFailure(reason) && (isUnclear || reason.exit === 'outcome-unknown');
      throw isDoubtful ? createUnclearError(reason) : reason;
    });
  }
}

/** A POST that was refused, or certainly never left, puts the state back to `before`. */
async function post(
  strategy: RotationStrategy,
  { token, state }: ReturnType<RotationStrategy['prepareCreation']>,
  before: RotationState,
  current: CurrentToken,
): Promise<Created> {
  const { client, store, expiredAt, runtime, done } = strategy.rotation;
  let created: PendingToken | undefined;
  try {
    created = await createToken(client, token, expiredAt);
  } catch (error) {
    if (!isFailure(error) || error.exit === 'outcome-unknown') throw error;
    const unsaved = tryWrite(store, before);
    throw unsaved ? copyError(error, { reasons: [...error.reasons, unsaved.message] }) : error;
  }
  if (!created) throw new Error('a dry run creates no token');
  const saved = strategy.addPending(state, created, current);
  // A secret that can't be saved is still delivered.
  const unsaved = tryWrite(store, saved);
  const name = describeToken(strategy.rotation.token, 'new');
  done(`Created ${name}${formatEnd(created.expiredAt, runtime.now())}`);
  return { state: saved, pending: saved.pending ?? created, unsaved };
}
