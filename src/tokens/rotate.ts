import { isSignal, OrgctlError } from '../lib/errors.ts';
import { MINUTE } from '../lib/time.ts';
import { createPending } from './create.ts';
import { type Delivered, deliver } from './deliver.ts';
import { isDue } from './due.ts';
import { Replacement } from './replacement.ts';
import type { CurrentToken, PendingToken, Rotation, RotationStrategy } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { SideBySide } from './side-by-side.ts';
import { describeToken, isDescribed } from './token.ts';

export interface RotationResult {
  /** `delivered`: the token of an earlier run. `failed`: the token was created, and `failure` came later. */
  result: 'rotated' | 'delivered' | 'unchanged' | 'planned' | 'failed';
  /** There was no token before. */
  isFirst?: boolean;
  id?: string | null;
  createdAt?: string;
  expiredAt?: string | null;
  fingerprint?: string;
  verified?: true | null;
  /** Ids of old tokens. */
  deleted?: string[];
  /** Needs attention although the rotation succeeded. */
  failure?: OrgctlError;
}

/** How late a POST without an answer may take effect. */
const LATEST_EFFECT = 10 * MINUTE;

/**
 * Replaces a token and delivers its secret, under the lock of its state. The steps are: plan, check, create, save, deliver,
 * verify, finish, delete old tokens. The state names the step at every moment, so the next run finishes a killed one:
 *
 * | state | the service shows | next |
 * | --- | --- | --- |
 * | `pending` | its id, or no id and accepts its secret | it is delivered, and nothing is created |
 * | `pending` | another id | a new token, if one is due; `pending` stays until its secret is saved |
 * | `sent` | another id than `before`, or no id | a secret was lost: a new token, due or not |
 * | `sent` | `before` | the POST had no effect, or not yet: `sent` stays for ten minutes |
 * | `retiring` | `delivered` | the old ones are deleted |
 *
 * Throws `not-delivered`, `attention`, `outcome-unknown`, and UsageError before the first write.
 */
export async function rotate(rotation: Rotation): Promise<RotationResult> {
  const { token, store, places, signals, isDryRun, expiredAt, confirm } = rotation;
  const strategy = isDescribed(token)
    ? new SideBySide({ ...rotation, token })
    : new Replacement({ ...rotation, token });
  let state = store.read();
  const current = await strategy.readCurrent(state);
  state = noteShown(rotation, state, current);
  const pending = await strategy.findLeftover(state, current);
  if (pending) {
    if (isDryRun) return { result: 'planned', expiredAt: pending.expiredAt };
    rotation.done(`${describeToken(token, 'new')} was created by an earlier run`);
    const delivered = await signals.defer(() => deliver(rotation, strategy, { state, pending }));
    return complete(strategy, 'delivered', delivered);
  }
  if (!strategy.isSecretLost(state, current)) {
    state = dropOldSent(rotation, state);
    if (!(await isDue(rotation, state, current))) {
      return { result: 'unchanged', ...current, ...(await deleteOld(strategy, state)) };
    }
    assertExists(rotation, state, current);
  }
  strategy.assertAllowed(state, current);
  for (const place of places) await place.check();
  if (isDryRun) return { result: 'planned', expiredAt };
  await confirm(current.id);
  return { ...(await createAndDeliver(rotation, strategy, state, current)), isFirst: current.id === null };
}

/** From the POST on a signal waits until the secret is in its places. */
async function createAndDeliver(
  rotation: Rotation,
  strategy: RotationStrategy,
  state: RotationState,
  current: CurrentToken,
): Promise<RotationResult> {
  const delivered = await rotation.signals.defer(async () => {
    const created = await createPending(rotation, strategy, state, current);
    return deliver(rotation, strategy, created).catch((error) => createFailedResult(created.pending, error));
  });
  return 'failure' in delivered ? delivered : complete(strategy, 'rotated', delivered);
}

function createFailedResult({ id, createdAt, expiredAt }: PendingToken, failure: unknown) {
  if (!(failure instanceof OrgctlError)) throw failure;
  return { result: 'failed' as const, id, createdAt, expiredAt, failure };
}

async function complete(
  strategy: RotationStrategy,
  result: 'rotated' | 'delivered',
  { state, secret, verified }: Delivered,
): Promise<RotationResult> {
  return { result, ...state.delivered, verified, ...(await deleteOld(strategy, state, secret)) };
}

/** The rotation succeeded even if an old token has to stay, or a signal ends the run. */
async function deleteOld(
  strategy: RotationStrategy,
  state: RotationState,
  secret?: string,
): Promise<Pick<RotationResult, 'deleted' | 'failure'>> {
  try {
    return { deleted: await strategy.deleteOld(state, secret) };
  } catch (failure) {
    if (isSignal(failure)) return {};
    if (failure instanceof OrgctlError && failure.exit === 'attention') return { failure };
    throw failure;
  }
}

function noteShown({ store }: Rotation, state: RotationState, { id }: CurrentToken): RotationState {
  if (typeof id !== 'string' || state.shown) return state;
  const shown = { ...state, shown: true };
  store.write(shown, 'usage');
  return shown;
}

/** A POST that had no effect after ten minutes will have none. */
function dropOldSent({ store, runtime }: Rotation, state: RotationState): RotationState {
  const { sent, ...rest } = state;
  if (!sent || runtime.now() - Date.parse(sent.at) <= LATEST_EFFECT) return state;
  store.write(rest, 'usage');
  return rest;
}

/** Throws `not-found` if there is no token and nobody asked for one. */
function assertExists({ token, createMissing }: Rotation, { delivered }: RotationState, { id }: CurrentToken): void {
  if (id !== null || createMissing || (isDescribed(token) && delivered)) return;
  const name = describeToken(token);
  const message = isDescribed(token) ? `${name} does not exist` : name.replace("'s ", ' has no ');
  throw new OrgctlError('not-found', message, {
    hint: '`orgctl tokens list` shows which there are. To create this one, add --create-missing.',
  });
}
