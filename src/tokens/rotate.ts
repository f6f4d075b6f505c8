import { OrgctlError } from '../lib/errors.ts';
import { createFingerprint } from '../lib/fingerprint.ts';
import { MINUTE } from '../lib/time.ts';
import { createPending } from './create.ts';
import { type Delivered, deliver } from './deliver.ts';
import { isDue } from './due.ts';
import { listRetiring } from './old-tokens.ts';
import { Replacement } from './replacement.ts';
import type { CurrentToken, Rotation, RotationStrategy } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { SideBySide } from './side-by-side.ts';
import { createQuestion, describeToken, nameParts } from './token.ts';

export interface RotationResult {
  /** `delivered`: the token of an earlier run. `failed`: the token was created or delivered, and `failure` came later. */
  result: 'rotated' | 'delivered' | 'unchanged' | 'planned' | 'failed';
  /** If the result does not say so. */
  changed?: true;
  /** There was no token before. */
  isFirst?: boolean;
  id?: string | null;
  createdAt?: string;
  expiredAt?: string | null;
  fingerprint?: string;
  verified?: true | null;
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
 * | `pending` | its id, or no id and accepts its secret; of a description: accepts it | it is delivered, and nothing is created |
 * | `pending` | another id | a new token, if one is due; `pending` stays until its secret is saved |
 * | `pending` of a description | refuses it | it is retired: a new token, due or not |
 * | `sent` | another id than `before`, or no id; of a description: anything | a secret was lost: a new token, due or not |
 * | `sent` | `before` | the POST had no effect, or not yet: `sent` stays for ten minutes |
 * | `retiring` | `delivered` | the old ones are deleted |
 *
 * Throws `not-delivered`, `attention`, `outcome-unknown`, and UsageError before the first write.
 */
export async function rotate(rotation: Rotation): Promise<RotationResult> {
  const { token, expiredAt, isDryRun, store, places, verifyCommand, signals } = rotation;
  const strategy =
    token.kind === 'described' ? new SideBySide({ ...rotation, token }) : new Replacement({ ...rotation, token });
  let state = store.read();
  const current = await strategy.readCurrent(state);
  if (typeof current.id === 'string') state = { ...state, shown: true };
  const pending = await strategy.findLeftover(state, current);
  if (pending) {
    if (isDryRun) return { result: 'planned', expiredAt: pending.expiredAt };
    await verifyCommand?.check();
    rotation.done(`${describeToken(token, 'new')} was created by an earlier run`);
    const delivered = await signals.defer(() => deliver(strategy, { state, pending }));
    return complete(strategy, 'delivered', delivered);
  }
  if (!strategy.isSecretLost(state, current)) {
    state = dropOldSent(rotation, state);
    if (!(await isDue(rotation, state, current))) return keep(strategy, state, current);
    assertExists(rotation, state, current);
  }
  strategy.assertAllowed(state, current);
  for (const place of places) await place.check();
  await verifyCommand?.check();
  const isFirst = current.id === null;
  if (isDryRun) return { result: 'planned', expiredAt, isFirst };
  await rotation.confirm(createQuestion(token, current.id));
  return { ...(await createAndDeliver(strategy, state, current)), isFirst };
}

/** A token that is not due stays, and old ones that an earlier run has left are deleted. */
async function keep(strategy: RotationStrategy, state: RotationState, current: CurrentToken): Promise<RotationResult> {
  const { token, isDryRun, runtime, warn, confirm } = strategy.rotation;
  if (current.id === undefined && !state.delivered) {
    warn(`unknown when ${describeToken(token)} expires: the service does not show it to you`);
  }
  const old = listRetiring(state, runtime.now());
  if (isDryRun) return { result: 'unchanged', ...current, deleted: [] };
  if (old.length > 0) {
    const { owner, noun } = nameParts(token);
    const ids = old.map(({ id, description }) => id ?? description).join(', ');
    await confirm(`Delete the old ${noun} in ${owner} (${ids})?`);
  }
  const cleanup = await strategy.deleteOld(state);
  return { result: 'unchanged', ...current, ...cleanup, ...(cleanup.deleted.length > 0 && { changed: true }) };
}

/** From the POST on a signal waits until the secret is in its places. */
async function createAndDeliver(strategy: RotationStrategy, state: RotationState, current: CurrentToken) {
  let result: 'rotated' | 'failed' = 'rotated';
  const delivered = await strategy.rotation.signals.defer(async (): Promise<Delivered> => {
    const created = await createPending(strategy, state, current);
    return deliver(strategy, created).catch((failure: unknown) => {
      if (!(failure instanceof OrgctlError)) throw failure;
      result = 'failed';
      return { ...created, verified: null, failure };
    });
  });
  return complete(strategy, result, delivered);
}

async function complete(
  strategy: RotationStrategy,
  result: 'rotated' | 'delivered' | 'failed',
  { state, pending, verified, failure }: Delivered,
): Promise<RotationResult> {
  const { id, createdAt, expiredAt, secret } = pending;
  const row = { id, createdAt, expiredAt };
  // A secret that could not be saved leaves nothing pending.
  if (failure) {
    const cleanup = state.pending && failure.exit !== 'failure' ? await strategy.deleteOld(state) : {};
    return { result: failure.exit === 'attention' ? result : 'failed', ...row, verified, ...cleanup, failure };
  }
  const fingerprint = createFingerprint(secret);
  return { result, ...row, fingerprint, verified, ...(await strategy.deleteOld(state, secret)) };
}

/** A POST that had no effect after ten minutes will have none. */
function dropOldSent({ store, runtime }: Rotation, state: RotationState): RotationState {
  const { sent, ...rest } = state;
  if (!sent || runtime.now() - Date.parse(sent.at) <= LATEST_EFFECT) return state;
  store.write(rest, 'usage');
  return rest;
}

/** Throws `not-found` if there is no token, none was delivered, and nobody asked for one. */
function assertExists({ token, createMissing }: Rotation, { delivered }: RotationState, { id }: CurrentToken): void {
  if (typeof id === 'string' || createMissing || delivered) return;
  const { owner, noun } = nameParts(token);
  const message = token.kind === 'described' ? `${noun} does not exist` : `${owner} has no ${noun}`;
  throw new OrgctlError('not-found', id === null ? message : `${message}, as far as you can see`, {
    hint: '`orgctl tokens list` shows them. To create this one, add --create-missing.',
  });
}
