import { ConnectionError, describeError, OrgctlError } from '../errors.ts';
import { type CurrentToken, isSameToken } from './current-token.ts';
import type { Created, RotationOrder, RotationWorld } from './types.ts';

/** The request that replaces the token: one, and a second only where the first provably serves nobody. */

export interface Minted {
  readonly made: Created;
  /** How many requests were sent without a clear refusal. With two, the first may still take effect, late. */
  readonly posts: 1 | 2;
}

export interface MintStages {
  /** Before each request leaves. On disk when it resolves. */
  onPost(posts: 1 | 2): Promise<void>;
  onUnclear(): Promise<void>;
}

/** Milliseconds between two looks at the same thing. */
const SECOND_LOOK = 1_000;

/** Thrown when a token may have been made that nobody has. */
class UnclearMinting extends OrgctlError {
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

/** Throws what the service or the network said where the current token provably stays, else UnclearMinting. */
export async function createToken(
  expiredAt: string | null,
  before: CurrentToken,
  order: Pick<RotationOrder, 'organization' | 'settle'>,
  world: Pick<RotationWorld, 'token' | 'sleep' | 'note'>,
  stages: MintStages,
): Promise<Minted> {
  await stages.onPost(1);
  const first = await world.token.create(expiredAt);
  if (first.kind === 'made') return { made: first, posts: 1 };

  await stages.onUnclear();
  const { cause } = first.reason;
  if (cause instanceof ConnectionError && cause.failure === 'breaks-http') {
    const found = 'no second request was sent: what answers would break that answer too, and its token would be lost';
    throw new UnclearMinting(order.organization, first.reason, found, cause.hint);
  }
  world.note(`no clear answer: looking in ${order.settle / 1_000} s whether the token was replaced`);
  await world.sleep(order.settle);
  const looks = [
    await look(world),
    await world.sleep(Math.min(order.settle, SECOND_LOOK)).then(() => look(world)),
  ] as const;
  const ours = await world.token.findOurIds();
  if (!mayPostAgain(before, looks, ours)) {
    throw new UnclearMinting(order.organization, first.reason, describeLooks(before, looks));
  }
  world.note(
    isSameToken(before, looks[0])
      ? 'it was not: the request is sent once more'
      : 'it was, and its secret is lost: a token is made once more',
  );
  await stages.onPost(2);
  // Whatever becomes of this one, the first may still take effect.
  const second = await world.token.create(expiredAt).catch((error: unknown) => {
    throw new UnclearMinting(order.organization, error, 'the request before it had no clear answer either');
  });
  if (second.kind === 'made') return { made: second, posts: 2 };
  throw new UnclearMinting(order.organization, second.reason, 'it was the second request, and the last of this run');
}

type Looks = readonly [CurrentToken, CurrentToken];

/**
 * The token is still the one before, or it is one that we made and whose secret was lost on the way: it was replaced
 * since it was read just before our request, by the same creator. Both looks must agree.
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
