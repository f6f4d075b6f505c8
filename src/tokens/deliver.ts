import { formatInOneLine, isFailure, OrgctlError } from '../lib/errors.ts';
import { createFingerprint } from '../lib/fingerprint.ts';
import type { Place } from '../places/place.ts';
import type { Created } from './create.ts';
import type { PendingToken, Rotation, RotationStrategy, Verification } from './rotation.ts';
import { type RotationState, tryWrite } from './rotation-state.ts';
import { describeToken } from './token.ts';

const SAVED_HINT = 'It is saved. Fix the problem and run the same command again.';

export interface Delivered extends Pick<Verification, 'verified'> {
  state: RotationState;
  pending: PendingToken;
  /** At least one place has the secret, but the state still holds it. */
  failure?: OrgctlError;
}

/** Delivers the secret, verifies it, and removes it from the state. Throws if no place got it. */
export async function deliver(strategy: RotationStrategy, { state, ...created }: Created): Promise<Delivered> {
  const { token, places, verifyCommand, progress, warn } = strategy.rotation;
  const { unsaved } = created;
  const pending = unsaved ? created.pending : await strategy.checkPending(state, created.pending);
  const failures = await deliverToPlaces(strategy.rotation, pending.secret);
  progress('Checking the new token');
  const doubt = failures.length < places.length ? await verifyCommand?.run(pending.secret) : undefined;
  const isUnknown = doubt !== undefined && doubt.exitCode === undefined;
  if (isUnknown) warn(`the verify command told nothing: ${doubt.reason}`);
  const verification = await strategy.verify(state, pending);
  let proof = verifyCommand && !isUnknown ? 'the verify command accepts it' : undefined;
  if (verification.verified) proof = 'it is the current token';
  const [first, ...others] = failures;
  let failure: OrgctlError | undefined;
  if (unsaved) failure = createUnsavedError(describeToken(token), unsaved, failures);
  else if (first !== undefined) failure = createUndeliveredError(first, SAVED_HINT, others);
  else failure = findDoubt(strategy.rotation, { ...verification, proof }, isUnknown ? undefined : doubt?.reason);
  if (failure && failures.length === places.length) throw failure;
  if (failure) return { state, pending, verified: null, failure };
  return finish(strategy.rotation, state, { ...pending, id: verification.id ?? pending.id }, proof);
}

/** A place that fails does not stop the others. Returns what failed, and why. */
async function deliverToPlaces({ places, progress, done }: Rotation, secret: string): Promise<string[]> {
  const failures: string[] = [];
  const isFirst = ({ isMasking = false }: Place): boolean => isMasking;
  for (const place of [...places.filter(isFirst), ...places.filter((place) => !isFirst(place))]) {
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

/** Why a token that was delivered may not work. */
function findDoubt({ token }: Rotation, { proof, problem }: Verification & { proof?: string }, doubt?: string) {
  const message = `${describeToken(token)} was delivered, but does not work`;
  if (doubt !== undefined) return createUndeliveredError(`${message}: the verify command failed: ${doubt}`, SAVED_HINT);
  if (problem !== undefined) return createUndeliveredError(`${message}: ${problem}`, 'Run the same command again.');
  if (proof || token.kind !== 'described') return undefined;
  return new OrgctlError('attention', `unknown whether the new ${describeToken(token)} works`, {
    code: 'not-verified',
    reasons: ['The old one stays valid.'],
    hint: "Run the same command again, with --verify-command if the service can't say.",
  });
}

function finish(rotation: Rotation, before: RotationState, pending: PendingToken, proof?: string): Delivered {
  const verified = proof === undefined ? null : true;
  const { store, token, done, warn } = rotation;
  const { secret, ...delivered } = pending;
  const places = rotation.places.map(({ name, id }) => ({ name, id }));
  const state = {
    ...before,
    pending: undefined,
    delivered: { ...delivered, fingerprint: createFingerprint(secret), places },
  };
  const unsaved = tryWrite(store, state);
  if (unsaved) {
    const failure = new OrgctlError('attention', `${describeToken(token)} was delivered, but ${unsaved.message}`, {
      hint: 'Run the same command again: it delivers the same token once more.',
      cause: unsaved,
    });
    return { state: before, pending, verified, failure };
  }
  if (proof) done(`Verified: ${proof}`);
  else warn('unknown whether the new token works: nothing confirms it');
  // Places of the delivery before hold a token that is of no use from now on.
  const left = before.delivered?.places?.filter(({ id }) => places.every((place) => place.id !== id)) ?? [];
  if (left.length > 0) {
    const end = token.kind === 'described' ? 'ends when the old one is deleted' : 'no longer works';
    const names = left.map(({ name }) => name).join(', ');
    warn(`nothing was delivered to ${names} this time: the token there ${end}`);
  }
  return { state, pending, verified };
}

function createUnsavedError(name: string, unsaved: OrgctlError, failures: string[]): OrgctlError {
  const outcome = failures.length === 0 ? 'It was delivered.' : 'It is lost.';
  return new OrgctlError('failure', `${name} was replaced, but its secret could not be saved`, {
    reasons: [formatInOneLine(unsaved), ...failures, outcome],
    hint: 'Free some space, and run the same command again: it creates another.',
  });
}

function createUndeliveredError(message: string, hint: string, reasons: string[] = []): OrgctlError {
  return new OrgctlError('not-delivered', message, { reasons, hint });
}
