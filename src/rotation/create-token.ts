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
    hint = 'Run the same rotation again: it finds out, and makes a token that reaches its places.',
  ) {
    super('outcome-unknown', `the audit trail token of ${organization} may or may not have been replaced`, {
      reasons: [describeError(reason), found],
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
    const found = 'no second request was sent: what answers would break that answer too, and its token would be lost';
    throw new UnclearCreation(input.organization, first.reason, found, cause.hint);
  }
  world.note(`no clear answer: looking in ${input.settle / 1_000} s whether the token was replaced`);
  await world.sleep(input.settle);
  const looks = [
    await look(world),
    await world.sleep(Math.min(input.settle, SECOND_LOOK)).then(() => look(world)),
  ] as const;
  const ours = await world.token.findOurIds();
  if (!mayPostAgain(before, looks, ours)) {
    throw new UnclearCreation(input.organization, first.reason, describeLooks(before, looks));
  }
  world.note(
    isSameToken(before, looks[0])
      ? 'it was not: the request is sent once more'
      : 'it was, and its secret is lost: a token is made once more',
  );
  await steps.onPost(2);
  // However this one ends, the first may still take effect.
  const second = await world.token.create(expiredAt).catch((error: unknown) => {
    throw new UnclearCreation(input.organization, error, 'the request before it had no clear answer either');
  });
  if (second.kind === 'created') return { token: second, posts: 2 };
  throw new UnclearCreation(input.organization, second.reason, 'it was the second request, and the last of this run');
}

type Looks = readonly [CurrentToken, CurrentToken];

/**
 * The token is still the one before, or it is one that we created and whose secret was lost on the way: it is another than
 * just before our request, and has us as its creator. Both looks must agree.
 */
function mayPostAgain(before: CurrentToken, [one, other]: Looks, ours: readonly string[]): boolean {
  if (before.kind === 'unknown' || !isSameToken(one, other)) return false;
  if (isSameToken(before, one)) return true;
  const creator = one.kind === 'found' ? one.facts.createdBy : undefined;
  return creator !== undefined && ours.includes(creator);
}

function describeLooks(before: CurrentToken, [one, other]: Looks): string {
  if (before.kind === 'unknown' || one.kind === 'unknown' || other.kind === 'unknown') {
    return 'the service does not show which token is current';
  }
  if (!isSameToken(one, other)) return 'the token changed again while it was looked at';
  return one.kind === 'found'
    ? `the current token is now ${one.facts.id}, and it is unknown whether it is ours`
    : 'there is no token now';
}

async function look({ token }: Pick<RotationWorld, 'token'>): Promise<CurrentToken> {
  return await token.read().catch(() => ({ kind: 'unknown' }) as const);
}
