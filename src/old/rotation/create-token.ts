import { ConnectionError, describeError, OrgctlError, toOneLine } from '../errors.ts';
import { type CurrentToken, isSameToken, toShown } from './current-token.ts';
import { toName } from './names.ts';
import type { Beside, NeighbourFacts, NewToken, RotationInput, RotationWorld } from './types.ts';

/** The request that replaces the token, and a second one only where the first provably gave no one a token to use. */

export interface Creation {
  readonly token: NewToken;
  /** How many requests were sent without a clear refusal. With two, the first may still take effect, late. */
  readonly posts: 1 | 2;
}

/** How much the clocks here and there may differ, in milliseconds. */
const CLOCKS = 5 * 60_000;

/**
 * Whether this token, found by a description that only we could give, is one that we created at this time (milliseconds)
 * or later, and that no one has the secret of.
 */
export function isSecretless({ createdAt, isUsed }: NeighbourFacts, since: number): boolean {
  return !isUsed && Date.parse(createdAt ?? '') >= since - CLOCKS;
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
    which: Pick<RotationInput, 'noun' | 'organization'> & { readonly description?: string | undefined },
    reason: unknown,
    found: string,
    hint = 'Run the same command again: it finds out, and delivers a token.',
  ) {
    const { description } = which;
    const what =
      description === undefined ? `${toName(which)} was replaced` : `a new ${which.noun} was created (${description})`;
    super('outcome-unknown', `unknown whether ${what}`, {
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
  input: Pick<RotationInput, 'noun' | 'organization' | 'settle'>,
  world: Pick<RotationWorld, 'now' | 'token' | 'sleep' | 'note'>,
  steps: CreateSteps,
  /** Of a token that stands beside others: the whole description of the new one. */
  description?: string,
): Promise<Creation> {
  const which = { ...input, description };
  const since = world.now();
  await steps.onPost(1);
  const first = await world.token.create(expiredAt, description);
  if (first.kind === 'created') return { token: first, posts: 1 };

  await steps.onUnclear();
  const { cause } = first.reason;
  if (cause instanceof ConnectionError && cause.failure === 'breaks-http') {
    const found = 'No second request was sent: its answer would be lost in the same way.';
    throw new UnclearCreation(which, first.reason, found, cause.hint);
  }
  world.note(`No clear answer. Checking in ${input.settle / 1_000} s whether the token was replaced.`);
  await world.sleep(input.settle);
  const looks = [
    await look(world, description),
    await world.sleep(Math.min(input.settle, SECOND_LOOK)).then(() => look(world, description)),
  ] as const;
  const { beside } = world.token;
  if (beside === undefined) {
    const ours = await world.token.findOurIds();
    if (!mayPostAgain(before, looks, ours)) throw new UnclearCreation(which, first.reason, describeLooks(looks));
    world.note(
      isSameToken(before, looks[0])
        ? 'The token was not replaced. Sending the request again.'
        : 'The token was replaced, but the secret never arrived. Creating another.',
    );
  } else {
    const doubt = await removeSecretless(looks, since, beside, world.note);
    if (doubt !== undefined) throw new UnclearCreation(which, first.reason, doubt);
  }
  await steps.onPost(2);
  // However this one ends, the first may still take effect. With a description that is the same only one of them can.
  const second = await world.token.create(expiredAt, description).catch((error: unknown) => {
    throw new UnclearCreation(which, error, 'The request before it had no clear answer either.');
  });
  if (second.kind === 'created') return { token: second, posts: 2 };
  throw new UnclearCreation(which, second.reason, 'This was the second request, and the last of this run.');
}

/** What keeps the request from being sent again; undefined where a token whose secret never arrived is gone, or was never made. */
async function removeSecretless(
  [one, other]: Looks,
  since: number,
  beside: Beside,
  note: RotationWorld['note'],
): Promise<string | undefined> {
  if (one.kind === 'unknown' || other.kind === 'unknown') return "The service doesn't show whether it was created.";
  if (!isSameToken(one, other)) return 'It appeared while it was being checked.';
  if (one.kind === 'absent') {
    note('No token was created. Sending the request again.');
    return undefined;
  }
  const { id } = one.facts;
  if (!isSecretless(one.facts as NeighbourFacts, since)) return `${id} has its description, and was not created by it.`;
  try {
    await beside.remove(id, undefined);
  } catch (error) {
    return `${id} was created, its secret never arrived, and it can't be deleted: ${describeError(error)}.`;
  }
  note('The token was created, but the secret never arrived. It is deleted, and created again.');
  return undefined;
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
  return isUnclear ? toOneLine(reason.reasons) : describeError(reason);
}

async function look({ token }: Pick<RotationWorld, 'token'>, description = ''): Promise<CurrentToken> {
  const { beside } = token;
  const reading = beside === undefined ? token.read() : beside.find(description).then(toShown);
  return await reading.catch(() => ({ kind: 'unknown' }) as const);
}
