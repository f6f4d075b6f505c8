import { ConnectionError, describeError, OrgctlError } from '../errors.ts';
import { type CurrentToken, isSameToken } from './current-token.ts';
import type { NewToken, RotationInput, RotationWorld } from './types.ts';

/** The request that replaces the token, and a second one only where the first provably gave no one a token to use. */

export interface Creation {
  readonly token: NewToken;
  /** How many requests were sent without a clear refusal. With two, the first may still take effect, late. */
  readonly posts: 1 | 2;
}

export interface CreateSteps {
  /** Before each request leaves. On disk when it resolves. */
  onPost(posts: 1 | 2): Promise<void>;
  onUnclear(): Promise<void>;
}

const SECOND_LOOK = 1_000;

/** A token may have been created whose secret is lost. */
class UnclearCreation extends OrgctlError {
  constructor(
    organization: string,
    reason: unknown,
    found: string,
    hint = 'Run the same command again: it finds out, and delivers a token.',
  ) {
    super('outcome-unknown', `unknown whether ${organization}'s audit trail token was replaced`, {
      reasons: [`The request was sent, and no clear answer came: ${describeCause(reason)}.`, found],
      hint,
      cause: reason,
    });
  }
}

/** Throws what the service or the network said where the current token provably stays, else UnclearCreation. */
export async function createToken(
  expiredAt: string | null,
  before: CurrentToken,
  input: Pick<RotationInput, 'organization' | 'settle'>,
  world: Pick<RotationWorld, 'token' | 'sleep' | 'note'>,
  steps: CreateSteps,
): Promise<Creation> {
  await steps.onPost(1);
  const first = await world.token.create(expiredAt);
  if (first.kind === 'created') return { token: first, posts: 1 };

  await steps.onUnclear();
  const { cause } = first.reason;
  if (cause instanceof ConnectionError && cause.failure === 'breaks-http') {
    const found = 'No second request was sent: its answer would be lost in the same way.';
    throw new UnclearCreation(input.organization, first.reason, found, cause.hint);
  }
  world.note(`No clear answer. Checking in ${input.settle / 1_000} s whether the token was replaced.`);
  await world.sleep(input.settle);
  const looks = [
    await look(world),
    await world.sleep(Math.min(input.settle, SECOND_LOOK)).then(() => look(world)),
  ] as const;
  const ours = await world.token.findOurIds();
  if (!mayPostAgain(before, looks, ours)) {
    throw new UnclearCreation(input.organization, first.reason, describeLooks(looks));
  }
  world.note(
    isSameToken(before, looks[0])
      ? 'The token was not replaced. Sending the request again.'
      : 'The token was replaced, but the secret never arrived. Creating another.',
  );
  await steps.onPost(2);
  // However this one ends, the first may still take effect.
  const second = await world.token.create(expiredAt).catch((error: unknown) => {
    throw new UnclearCreation(input.organization, error, 'The request before it had no clear answer either.');
  });
  if (second.kind === 'created') return { token: second, posts: 2 };
  throw new UnclearCreation(
    input.organization,
    second.reason,
    'This was the second request, and the last of this run.',
  );
}

type Looks = readonly [CurrentToken, CurrentToken];

/**
 * The token is still the one before, or it is one that we created and whose secret was lost on the way: it is another than
 * just before our request, as far as that one was shown, and has us as its creator. Both looks must agree.
 */
function mayPostAgain(before: CurrentToken, [one, other]: Looks, ours: readonly string[]): boolean {
  if (!isSameToken(one, other)) return false;
  if (isSameToken(before, one)) return true;
  const creator = one.kind === 'found' ? one.facts.createdBy : undefined;
  return creator !== undefined && ours.includes(creator);
}

function describeLooks([one, other]: Looks): string {
  if (one.kind === 'unknown' || other.kind === 'unknown') return "The service doesn't show which token is current.";
  if (!isSameToken(one, other)) return 'The token changed again while it was being checked.';
  return one.kind === 'found'
    ? `The current token is now ${one.facts.id}. Unknown: whether this command created it.`
    : 'No token exists now.';
}

/** What is known of the answer that did not come. */
function describeCause(reason: unknown): string {
  const isUnclear = reason instanceof OrgctlError && reason.exit === 'outcome-unknown' && reason.reasons.length > 0;
  return isUnclear ? reason.reasons.join('; ') : describeError(reason);
}

async function look({ token }: Pick<RotationWorld, 'token'>): Promise<CurrentToken> {
  return await token.read().catch(() => ({ kind: 'unknown' }) as const);
}
