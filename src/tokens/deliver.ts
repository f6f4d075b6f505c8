import { formatInOneLine, isFailure, OrgctlError } from '../lib/errors.ts';
import type { Created } from './create.ts';
import type { PendingToken, Rotation, RotationStrategy, Verification } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { createFingerprint } from './secret.ts';
import { describeToken, isDescribed } from './token.ts';

export interface Delivered extends Pick<Verification, 'verified'> {
  state: RotationState;
  secret: string;
}

/** Delivers the secret, verifies it, and removes it from the state. */
export async function deliver(rotation: Rotation, strategy: RotationStrategy, created: Created): Promise<Delivered> {
  const { state, pending, unsaved } = created;
  if (!unsaved) await assertNotReplaced(rotation, strategy, created);
  const failures = await deliverToPlaces(rotation, pending.secret);
  const verification = await verify(rotation, strategy, created);
  if (unsaved) throw createUnsavedError(rotation, unsaved, failures);
  assertDelivered(rotation, failures, verification);
  return finish(rotation, state, pending, verification);
}

async function assertNotReplaced({ token }: Rotation, strategy: RotationStrategy, { state, pending }: Created) {
  const id = await strategy.findReplacement(state, pending);
  if (id === undefined) return;
  const reason = id === null ? 'the new one is gone' : `the current one is ${id}`;
  throw createUndeliveredError(`${describeToken(token)} was replaced in the meantime`, reason);
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

async function verify(
  { verifyCommand, progress }: Rotation,
  strategy: RotationStrategy,
  { state, pending }: Created,
): Promise<Verification> {
  progress('Checking the new token');
  const problem = await verifyCommand?.(pending.secret);
  if (problem !== undefined) return { verified: null, problem: `the verify command failed: ${problem}` };
  const verification = await strategy.verify(state, pending);
  return verifyCommand ? { ...verification, verified: true } : verification;
}

function assertDelivered({ token }: Rotation, failures: string[], { verified, problem }: Verification): void {
  const name = describeToken(token);
  const [failure, ...others] = failures;
  if (failure !== undefined) throw createUndeliveredError(failure, ...others);
  if (problem !== undefined) throw createUndeliveredError(`${name} was delivered, but does not work: ${problem}`);
  if (verified || !isDescribed(token)) return;
  throw new OrgctlError('attention', `unknown whether the new ${name} works`, {
    code: 'not-verified',
    reasons: ['The old one stays valid.'],
    hint: "Run the same command again, with --verify-command if the service can't say.",
  });
}

function finish({ store, done, warn }: Rotation, state: RotationState, pending: PendingToken, result: Verification) {
  const { secret, description: _description, ...token } = pending;
  const { pending: _pending, ...rest } = state;
  const delivered = { ...token, id: result.id ?? token.id, fingerprint: createFingerprint(secret) };
  const finished = { ...rest, delivered };
  store.write(finished);
  if (result.verified) done('Verified: it is the current token');
  else warn('unknown whether the new token works: nothing confirms it');
  return { state: finished, secret, verified: result.verified };
}

function createUnsavedError({ token }: Rotation, unsaved: OrgctlError, failures: string[]): OrgctlError {
  const outcome = failures.length === 0 ? 'It was delivered.' : 'It is lost.';
  return new OrgctlError('failure', `${describeToken(token)} was replaced, but its secret could not be saved`, {
    reasons: [formatInOneLine(unsaved), ...failures, outcome],
    hint: 'Free some space, and run the same command again: it creates another.',
  });
}

function createUndeliveredError(message: string, ...reasons: string[]): OrgctlError {
  const hint = 'It is saved. Fix the problem and run the same command again.';
  return new OrgctlError('not-delivered', message, { reasons, hint });
}
