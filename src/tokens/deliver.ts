import { formatInOneLine, isSignal, OrgctlError } from '../lib/errors.ts';
import type { Created } from './create.ts';
import { createFingerprint, type Method, type PendingToken, type Rotation, type Verification } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { saveState } from './save.ts';
import { describeToken, isDescribed } from './token.ts';

const RUN_AGAIN = 'It is saved. Fix the problem and run the same command again.';

/** Brings the secret to its places, checks that it works, and drops it from the state. */
export async function deliver(
  rotation: Rotation,
  method: Method,
  { state, pending, unsaved }: Created,
): Promise<{ finished: RotationState; pending: PendingToken & Pick<Verification, 'verified'> }> {
  const { token } = rotation;
  const name = describeToken(token);
  // What could not be saved is delivered all the same.
  const other = unsaved ? undefined : await method.findOther(state, pending);
  if (other !== undefined) {
    throw createUndelivered(
      `${name} was replaced meanwhile`,
      other === null ? 'the new one is gone' : `the current one is ${other}`,
    );
  }
  const failures = await deliverToPlaces(rotation, pending.secret);
  const { verified, problem, id } = await verify(rotation, method, state, pending);
  if (unsaved) {
    throw new OrgctlError('failure', `${name} was replaced, but its secret could not be saved`, {
      reasons: [formatInOneLine(unsaved), ...failures, failures.length === 0 ? 'It was delivered.' : 'It is lost.'],
      hint: 'Free some space, and run the same command again: it creates another.',
    });
  }
  const [failure, ...others] = failures;
  if (failure !== undefined) throw createUndelivered(failure, ...others);
  if (problem !== undefined) throw createUndelivered(`${name} was delivered, and does not work: ${problem}`);
  if (isDescribed(token) && !verified) {
    throw new OrgctlError('attention', `unknown whether the new ${name} works`, {
      code: 'not-verified',
      reasons: ['The old one stays valid.'],
      hint: "Run the same command again, with --verify-command if the service can't say.",
    });
  }
  const { secret, description: _description, ...facts } = { ...pending, ...(id !== undefined && { id }) };
  const { pending: _delivered, ...rest } = state;
  const finished = { ...rest, delivered: { ...facts, fingerprint: createFingerprint(secret) } };
  saveState(rotation, finished);
  if (verified) rotation.done('Verified: it is the current token');
  else rotation.warn('unknown whether the new token works: nothing confirms it');
  return { finished, pending: { ...pending, verified } };
}

/** One that fails does not stop the others. Returns what failed, and why. */
async function deliverToPlaces({ places, progress, done }: Rotation, secret: string): Promise<string[]> {
  const failures: string[] = [];
  for (const { name, deliver: deliverTo } of places) {
    progress(`Delivering to ${name}`);
    try {
      await deliverTo(secret);
      done(`Delivered to ${name}`);
    } catch (error) {
      if (!(error instanceof OrgctlError) || isSignal(error)) throw error;
      failures.push(formatInOneLine(error));
    }
  }
  return failures;
}

async function verify(
  { verifyCommand, progress }: Rotation,
  method: Method,
  state: RotationState,
  pending: PendingToken,
): Promise<Verification> {
  progress('Checking the new token');
  const problem = await verifyCommand?.(pending.secret);
  if (problem !== undefined) return { verified: null, problem: `the verify command failed: ${problem}` };
  const { verified, ...rest } = await method.verify(state, pending);
  return { ...rest, verified: verifyCommand ? true : verified };
}

function createUndelivered(message: string, ...reasons: string[]): OrgctlError {
  return new OrgctlError('not-delivered', message, { reasons, hint: RUN_AGAIN });
}
