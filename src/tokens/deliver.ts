import { formatInOneLine, isFailure, OrgctlError } from '../lib/errors.ts';
import type { Created } from './create.ts';
import { createFingerprint } from './fingerprint.ts';
import type { PendingToken, Rotation, RotationStrategy, Verification } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { describeToken, isDescribed } from './token.ts';

const SAVED_HINT = 'It is saved. Fix the problem and run the same command again.';

export interface Delivered extends Pick<Verification, 'verified'> {
  state: RotationState;
  pending: PendingToken;
  /** At least one place has the secret, but the state still holds it. */
  failure?: OrgctlError;
}

/** Delivers the secret, verifies it, and removes it from the state. Throws if no place got it. */
export async function deliver(rotation: Rotation, strategy: RotationStrategy, created: Created): Promise<Delivered> {
  const { state, unsaved } = created;
  const pending = unsaved ? created.pending : await strategy.checkPending(state, created.pending);
  const failures = await deliverToPlaces(rotation, pending.secret);
  rotation.progress('Checking the new token');
  const doubt = await rotation.verifyCommand?.run(pending.secret);
  const verification = await strategy.verify(state, pending);
  const verified = rotation.verifyCommand ? true : verification.verified;
  const failure = findFailure(rotation, unsaved, failures) ?? findDoubt(rotation, doubt, { ...verification, verified });
  if (failure && failures.length === rotation.places.length) throw failure;
  if (failure) return { state, pending, verified: null, failure };
  return finish(rotation, state, { ...pending, id: verification.id ?? pending.id }, verified);
}

/** A place that fails does not stop the others. Returns what failed, and why. */
async function deliverToPlaces({ places, progress, done }: Rotation, secret: string): Promise<string[]> {
  const failures: string[] = [];
  for (const place of places) {
    progress(`Delivering to ${place.name}`);
    try {
      await place.deliver(secret);
      done(`Delivered to ${place.name}`);
    } catch (error) {
      if (!isFailure(error)) throw error;
      failures.push(formatInOneLine(error));
    }
  }
  return failures;
}

function findFailure(rotation: Rotation, unsaved: OrgctlError | undefined, failures: string[]) {
  if (unsaved) return createUnsavedError(rotation, unsaved, failures);
  const [failure, ...others] = failures;
  return failure === undefined ? undefined : createUndeliveredError(failure, SAVED_HINT, others);
}

/** Why a token that was delivered may not work. */
function findDoubt({ token }: Rotation, doubt: string | undefined, { verified, problem }: Verification) {
  const message = `${describeToken(token)} was delivered, but does not work`;
  if (doubt !== undefined) return createUndeliveredError(`${message}: the verify command failed: ${doubt}`, SAVED_HINT);
  if (problem !== undefined) return createUndeliveredError(`${message}: ${problem}`, 'Run the same command again.');
  if (verified || !isDescribed(token)) return undefined;
  return new OrgctlError('attention', `unknown whether the new ${describeToken(token)} works`, {
    code: 'not-verified',
    reasons: ['The old one stays valid.'],
    hint: "Run the same command again, with --verify-command if the service can't say.",
  });
}

function finish(rotation: Rotation, state: RotationState, pending: PendingToken, verified: true | null): Delivered {
  const { store, places, token, done, warn } = rotation;
  const { secret, ...delivered } = pending;
  const { pending: _pending, ...rest } = state;
  const served = places.map(({ name, id }) => ({ name, id }));
  const finished = { ...rest, delivered: { ...delivered, fingerprint: createFingerprint(secret), places: served } };
  try {
    store.write(finished);
  } catch (error) {
    if (!isFailure(error)) throw error;
    const failure = new OrgctlError('attention', `${describeToken(token)} was delivered, but ${error.message}`, {
      hint: 'Run the same command again: it delivers the same token once more.',
      cause: error,
    });
    return { state, pending, verified, failure };
  }
  if (verified) done('Verified: it is the current token');
  else warn('unknown whether the new token works: nothing confirms it');
  warnOfOthers(rotation, state, served);
  return { state: finished, pending, verified };
}

/** What places of the delivery before hold is of no use from now on. */
function warnOfOthers({ token, warn }: Rotation, { delivered }: RotationState, served: { id: string }[]): void {
  const left = delivered?.places?.filter(({ id }) => served.every((place) => place.id !== id)) ?? [];
  if (left.length === 0) return;
  const end = isDescribed(token) ? 'ends when the old one is deleted' : 'is dead';
  warn(`nothing was delivered to ${left.map(({ name }) => name).join(', ')} this time: the token there ${end}`);
}

function createUnsavedError({ token }: Rotation, unsaved: OrgctlError, failures: string[]): OrgctlError {
  const outcome = failures.length === 0 ? 'It was delivered.' : 'It is lost.';
  return new OrgctlError('failure', `${describeToken(token)} was replaced, but its secret could not be saved`, {
    reasons: [formatInOneLine(unsaved), ...failures, outcome],
    hint: 'Free some space, and run the same command again: it creates another.',
  });
}

function createUndeliveredError(message: string, hint: string, reasons: string[] = []): OrgctlError {
  return new OrgctlError('not-delivered', message, { reasons, hint });
}
