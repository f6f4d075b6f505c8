import { type DescribedToken, deleteTokenById, findTokenById, listTeamTokens, parseTimes } from '../api/tokens.ts';
import type { Resource } from '../api/types.ts';
import { isSignal, OrgctlError, ServiceError, UsageError } from '../lib/errors.ts';
import { joinNames } from '../lib/text.ts';
import { isCaller } from './caller.ts';
import type { Method, PendingToken, Rotation } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { saveState } from './save.ts';
import { describeToken, hasBaseDescription } from './token.ts';
import { tryToken } from './trial.ts';

/** For a token with a description: the new one stands beside the old one, which is deleted at the end, by its id. */
export function createSuccession(rotation: Rotation<DescribedToken>): Method {
  const { token, client, runtime } = rotation;
  const { org, team, description: base } = token;
  /** As they were listed last. */
  let listed: Resource[] = [];

  async function list(): Promise<Resource[]> {
    listed = await listTeamTokens(client, org, team.id);
    return listed;
  }

  function createDescription(): string {
    const nonce = Buffer.from(runtime.randomBytes(8)).toString('hex');
    const date = new Date(runtime.now()).toISOString().slice(0, 10);
    return [base, `${date}-${nonce}`].filter(Boolean).join(' ');
  }

  return {
    async look(state) {
      try {
        await list();
      } catch (error) {
        if (!(error instanceof OrgctlError) || isSignal(error) || !(state.pending || state.sent)) throw error;
        throw createUnlistedError(token, error);
      }
      const current = findCurrent(token, state, listed);
      return current ? { id: current.id, ...parseTimes(current.attributes ?? {}) } : { id: null };
    },
    assertAllowed(state, { id }) {
      for (const one of [id, ...listRetiring(state, runtime.now())]) assertMayDelete(rotation, one);
    },
    async findLeftover({ pending }) {
      const found = pending && findPending(listed, pending);
      // One that has ended since, by its own end or a policy's, is of no use.
      const isUsable = found && (await tryToken(rotation, pending.secret, found.id)) !== false;
      return isUsable ? { ...pending, id: found.id } : undefined;
    },
    isLost: ({ pending, sent }) => Boolean(pending ?? sent),
    async isCertainlyLost({ sent }) {
      return (await list()).some(({ attributes }) => attributes?.description === sent?.description);
    },
    prepare({ sent, pending, retiring = [], ...state }, { id }) {
      // What an earlier run created, and nobody has the secret of, or can use.
      const orphan = sent && listed.find(({ attributes }) => attributes?.description === sent.description);
      const useless = pending && findPending(listed, pending);
      const description = (orphan ? undefined : sent?.description) ?? createDescription();
      const at = new Date(runtime.now()).toISOString();
      const dropped = [orphan, useless].flatMap((one) => (one ? [{ id: one.id, from: at }] : []));
      return {
        token: { ...token, description },
        state: {
          ...state,
          sent: { at, before: sent ? sent.before : id, description },
          retiring: [...retiring, ...dropped],
        },
      };
    },
    keep({ sent, retiring = [], ...state }, pending, { id }) {
      const from = new Date(rotation.keepOldUntil ?? runtime.now()).toISOString();
      const isNew = typeof id === 'string' && !retiring.some((one) => one.id === id);
      const old = isNew ? [{ id, from }] : [];
      return { ...state, pending: { ...pending, description: sent?.description }, retiring: [...retiring, ...old] };
    },
    async findOther(_state, pending) {
      try {
        return findPending(await list(), pending) ? undefined : null;
      } catch (error) {
        if (isSignal(error)) throw error;
        return undefined;
      }
    },
    async verify(_state, pending) {
      const id = pending.id ?? findPending(listed, pending)?.id;
      const isAccepted = await tryToken(rotation, pending.secret, id);
      if (isAccepted === false) return { verified: null, problem: 'the service rejects it', id };
      return { verified: isAccepted ?? null, id };
    },
    retire: (state, secret) => retire(rotation, state, listed, secret),
  };
}

/**
 * The token that is to be replaced: the delivered one, or else the only one of that description that the state does not
 * name. Throws UsageError for several.
 */
function findCurrent({ description }: DescribedToken, state: RotationState, listed: Resource[]): Resource | undefined {
  const { delivered } = state;
  if (delivered) return listed.find(({ id }) => id === delivered.id);
  const [first, ...others] = findStrangers(description, state, listed);
  if (others.length === 0) return first;
  const names = [first, ...others].map((one) => `${one?.id}: ${one?.attributes?.description}`);
  throw new UsageError(`${others.length + 1} tokens may be the current one`, {
    reasons: names,
    hint: 'Delete those that nobody uses, by their ids.',
  });
}

/** Tokens of that description, or with what a rotation puts behind it, that the state does not name. */
function findStrangers(base: string, state: RotationState, listed: Resource[]): Resource[] {
  const { delivered, pending, sent, retiring = [] } = state;
  const ids = [delivered?.id, pending?.id, ...retiring.map(({ id }) => id)];
  const descriptions = [sent?.description, pending?.description];
  return listed.filter(({ id, attributes: { description } = {} }) => {
    const isNamed = ids.includes(id) || descriptions.some((one) => one !== undefined && one === description);
    return !isNamed && hasBaseDescription(description, base);
  });
}

function findPending(listed: Resource[], { id, description }: PendingToken): Resource | undefined {
  return listed.find((one) => (id === undefined ? one.attributes?.description === description : one.id === id));
}

function listRetiring({ retiring = [] }: RotationState, now: number): string[] {
  return retiring.filter(({ from }) => Date.parse(from) <= now).map(({ id }) => id);
}

/** Throws UsageError if the token that asks would be deleted. */
function assertMayDelete({ token, caller, allowSelf }: Rotation<DescribedToken>, id: string | null | undefined): void {
  const answer = typeof id === 'string' ? isCaller(caller, token, id) : 'no';
  if (answer === 'no' || allowSelf) return;
  throw new UsageError(`${describeToken(token)} ${answer === 'yes' ? 'is' : 'may be'} the token that asks`, {
    hint: 'Ask with another token, or add --allow-self.',
  });
}

function createUnlistedError(token: DescribedToken, cause: OrgctlError): OrgctlError {
  return new OrgctlError('outcome-unknown', `unknown what an earlier run left of ${describeToken(token)}`, {
    reasons: [cause.message, ...cause.reasons],
    hint: 'Run it again with a token that may list the tokens of teams.',
    cause,
  });
}

/** Throws `attention` if an old token has to stay, or if another machine rotates the same token. */
async function retire(
  rotation: Rotation<DescribedToken>,
  state: RotationState,
  listed: Resource[],
  secret: string | undefined,
): Promise<string[]> {
  const { token, caller, runtime, warn, done } = rotation;
  const deleted: string[] = [];
  if (rotation.isDryRun) return deleted;
  const isSelf = (id: string): boolean => isCaller(caller, token, id) === 'yes';
  const ids = listRetiring(state, runtime.now()).sort((one, other) => Number(isSelf(one)) - Number(isSelf(other)));
  let current = state;
  for (const id of ids) {
    assertMayDelete(rotation, id);
    await assertSuccessor(rotation, state, id);
    // The token that asks has been replaced by the new one, and can't be relied on.
    const client = secret !== undefined && isSelf(id) ? await rotation.openClient(secret) : rotation.client;
    await deleteOld(rotation, client, id);
    deleted.push(id);
    done(`Deleted the old one (${id})`);
    current = { ...current, retiring: current.retiring?.filter((one) => one.id !== id) };
    saveState(rotation, current);
  }
  const [stranger] = state.delivered ? findStrangers(token.description, state, listed) : [];
  if (!stranger) return deleted;
  warn(`${stranger.id} (${stranger.attributes?.description}) is another token of this description`);
  throw new OrgctlError('attention', `something else rotates ${describeToken(token)} too`, {
    code: 'stranger',
    hint: `Delete ${stranger.id} if nobody uses it.`,
  });
}

/** Without the delivered token the old one may be the only one that works. */
async function assertSuccessor({ token, client, runtime }: Rotation, { delivered }: RotationState, old: string) {
  const found =
    delivered?.id === undefined || delivered.id === old ? undefined : await findTokenById(client, delivered.id);
  const { expiredAt } = parseTimes(found?.attributes ?? {});
  if (found && !(typeof expiredAt === 'string' && Date.parse(expiredAt) <= runtime.now())) return;
  throw new OrgctlError('attention', `the old token ${old} stays: the delivered one is gone, or has expired`, {
    code: 'not-deleted',
    hint: `Create another: run it again without conditions. ${describeToken(token)} then loses its old one.`,
  });
}

async function deleteOld({ token }: Rotation, client: Rotation['client'], id: string): Promise<void> {
  try {
    await deleteTokenById(client, id);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return;
    if (!(error instanceof OrgctlError) || isSignal(error)) throw error;
    throw new OrgctlError('attention', `the old token ${id} of ${describeToken(token)} could not be deleted`, {
      code: 'not-deleted',
      reasons: [joinNames([error.message, ...error.reasons])],
      hint: 'Run the same command again to delete it.',
      cause: error,
    });
  }
}
