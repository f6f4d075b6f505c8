import { OrgctlError } from '../lib/errors.ts';
import { MINUTE } from '../lib/time.ts';
import { createPending } from './create.ts';
import { deliver } from './deliver.ts';
import { isDue } from './due.ts';
import type { Look, Method, Rotation } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { saveState } from './save.ts';
import { createSuccession } from './side-by-side.ts';
import { createReplacement } from './sole.ts';
import { describeToken, isDescribed } from './token.ts';

export interface RotationResult {
  /** `delivered`: the token of an earlier run. */
  result: 'rotated' | 'delivered' | 'unchanged' | 'planned';
  id?: string | null | undefined;
  createdAt?: string | undefined;
  expiredAt?: string | null | undefined;
  fingerprint?: string;
  verified?: true | null;
  /** Ids of old tokens. */
  deleted?: string[];
  /** What needs attention all the same. */
  failure?: OrgctlError;
}

/** A POST that got no answer may take effect so much later. */
const LATE = 10 * MINUTE;

/**
 * Replaces a token and delivers its secret, under the lock of its state. What an earlier run left is finished first; the
 * state says at every moment what is under way:
 *
 * | state | the service shows | next |
 * | --- | --- | --- |
 * | `pending` | its id, or no id and accepts its secret | it is delivered, and nothing is created |
 * | `pending` | another id | a new token, if one is due; `pending` stays until its secret is saved |
 * | `sent` | another id than `before`, or no id | a secret was lost: a new token, due or not |
 * | `sent` | `before` | it did not happen, or not yet: it is kept for ten minutes |
 * | `retiring` | `delivered` | the old ones are deleted |
 *
 * Throws `not-delivered`, `attention`, `outcome-unknown`, and UsageError before the first write.
 */
export async function rotate(rotation: Rotation): Promise<RotationResult> {
  const { store, signals, places } = rotation;
  const method = openMethod(rotation);
  let state = store.read();
  const look = await method.look(state);
  if (typeof look.id === 'string' && !state.shown) {
    state = { ...state, shown: true };
    saveState(rotation, state, 'usage');
  }
  const leftover = await method.findLeftover(state, look);
  if (!leftover) {
    const isLost = method.isLost(state, look);
    if (!isLost) state = dropLate(rotation, state);
    if (!isLost && !(await isDue(rotation, state, look))) {
      return { result: 'unchanged', ...look, ...(await retire(method, state)) };
    }
    if (!isLost) assertWanted(rotation, state, look);
    method.assertAllowed(state, look);
    for (const place of places) await place.check();
  }
  if (rotation.isDryRun) return { result: 'planned', expiredAt: (leftover ?? rotation).expiredAt };
  if (!leftover) await rotation.confirm(look.id);
  // From the POST on a signal waits until the secret is where it belongs.
  const { finished, pending } = await signals.defer(async () => {
    const created = leftover ? { state, pending: leftover } : await createPending(rotation, method, state, look);
    return deliver(rotation, method, created);
  });
  const { delivered } = finished;
  return {
    result: leftover ? 'delivered' : 'rotated',
    ...delivered,
    verified: pending.verified,
    ...(await retire(method, finished, pending.secret)),
  };
}

function openMethod(rotation: Rotation): Method {
  const { token } = rotation;
  return isDescribed(token) ? createSuccession({ ...rotation, token }) : createReplacement({ ...rotation, token });
}

/** What was done before is not undone by an old token that has to stay. */
async function retire(
  method: Method,
  ...[state, secret]: Parameters<Method['retire']>
): Promise<Pick<RotationResult, 'deleted' | 'failure'>> {
  try {
    return { deleted: await method.retire(state, secret) };
  } catch (failure) {
    if (failure instanceof OrgctlError && failure.exit === 'attention') return { failure };
    throw failure;
  }
}

/** A POST that did not happen within ten minutes will not. */
function dropLate(rotation: Rotation, state: RotationState): RotationState {
  const { sent, ...rest } = state;
  if (!sent || rotation.runtime.now() - Date.parse(sent.at) <= LATE) return state;
  saveState(rotation, rest, 'usage');
  return rest;
}

/** Throws `not-found` if there is no token and nobody asked for one. A description without a token may be misspelled. */
function assertWanted({ token, createMissing }: Rotation, { delivered }: RotationState, { id }: Look): void {
  if (id !== null || createMissing || (isDescribed(token) && delivered)) return;
  throw new OrgctlError('not-found', `${describeToken(token)} does not exist`, {
    hint: 'Add --create-missing to create it.',
  });
}
