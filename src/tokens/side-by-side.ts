import { type DescribedToken, listTeamTokens, parseTimes } from '../api/tokens.ts';
import type { Resource } from '../api/types.ts';
import { isFailure, OrgctlError, UsageError } from '../lib/errors.ts';
import { assertMayDelete, deleteRetiring, listRetiring } from './old-tokens.ts';
import type { CurrentToken, PendingToken, Rotation, RotationStrategy, Verification } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { isAccepted } from './secret.ts';
import { describeToken, hasBaseDescription } from './token.ts';

/** For a token with a description: the old one stays valid until the new one works, and is then deleted by its id. */
export class SideBySide implements RotationStrategy {
  #rotation: Rotation<DescribedToken>;
  /** The tokens of the team, as they were listed last. */
  #listed: Resource[] = [];

  constructor(rotation: Rotation<DescribedToken>) {
    this.#rotation = rotation;
  }

  async #list(): Promise<Resource[]> {
    const { client, token } = this.#rotation;
    this.#listed = await listTeamTokens(client, token.org, token.team.id);
    return this.#listed;
  }

  /** Undefined if the tokens can't be listed. */
  async #listAgain(): Promise<Resource[] | undefined> {
    try {
      return await this.#list();
    } catch (error) {
      if (!isFailure(error)) throw error;
      return undefined;
    }
  }

  async readCurrent(state: RotationState): Promise<CurrentToken> {
    const { token } = this.#rotation;
    try {
      await this.#list();
    } catch (error) {
      if (!isFailure(error) || !(state.pending || state.sent)) throw error;
      throw new OrgctlError('outcome-unknown', `unknown what an earlier run left of ${describeToken(token)}`, {
        reasons: [error.message, ...error.reasons],
        hint: 'Run it again with a token that may list the tokens of teams.',
        cause: error,
      });
    }
    const current = findCurrent(token, state, this.#listed);
    return current ? { id: current.id, ...parseTimes(current.attributes ?? {}) } : { id: null };
  }

  async findLeftover({ pending }: RotationState): Promise<PendingToken | undefined> {
    const found = pending && findPending(this.#listed, pending);
    if (!found || (await isAccepted(this.#rotation, pending.secret, found.id)) === false) return undefined;
    return { ...pending, id: found.id };
  }

  isSecretLost({ pending, sent }: RotationState): boolean {
    return Boolean(pending ?? sent);
  }

  assertAllowed(state: RotationState, { id }: CurrentToken): void {
    const retiring = listRetiring(state, this.#rotation.runtime.now());
    for (const old of id ? [id, ...retiring] : retiring) assertMayDelete(this.#rotation, old);
  }

  prepareCreation({ sent, pending, retiring = [], ...state }: RotationState, { id }: CurrentToken) {
    const { token, runtime } = this.#rotation;
    const at = new Date(runtime.now()).toISOString();
    const lost = sent && this.#listed.find(({ attributes }) => attributes?.description === sent.description);
    const refused = pending && findPending(this.#listed, pending);
    const useless = [lost, refused].flatMap((old) => (old ? [{ id: old.id, from: at }] : []));
    const description = (lost ? undefined : sent?.description) ?? createDescription(token.description, runtime);
    return {
      token: { ...token, description },
      state: {
        ...state,
        sent: { at, before: sent ? sent.before : id, description },
        retiring: [...retiring, ...useless],
      },
    };
  }

  async hasCreated({ sent }: RotationState): Promise<boolean> {
    const listed = (await this.#listAgain()) ?? [];
    return listed.some(({ attributes }) => attributes?.description === sent?.description);
  }

  addPending({ sent, retiring = [], ...state }: RotationState, pending: PendingToken, { id }: CurrentToken) {
    const { keepOldUntil, runtime } = this.#rotation;
    const from = new Date(keepOldUntil ?? runtime.now()).toISOString();
    const isNew = typeof id === 'string' && !retiring.some((old) => old.id === id);
    return {
      ...state,
      pending: { ...pending, description: sent?.description },
      retiring: isNew ? [...retiring, { id, from }] : retiring,
    };
  }

  async findReplacement(_state: RotationState, pending: PendingToken): Promise<null | undefined> {
    const listed = await this.#listAgain();
    return listed && !findPending(listed, pending) ? null : undefined;
  }

  async verify(_state: RotationState, pending: PendingToken): Promise<Verification> {
    const id = pending.id ?? findPending(this.#listed, pending)?.id;
    const accepted = await isAccepted(this.#rotation, pending.secret, id);
    if (accepted === false) return { verified: null, problem: 'the service rejects it' };
    return { verified: accepted ?? null, id };
  }

  async deleteOld(state: RotationState, secret?: string): Promise<string[]> {
    const { token, isDryRun, warn } = this.#rotation;
    if (isDryRun) return [];
    const deleted = await deleteRetiring(this.#rotation, state, secret);
    const [other] = state.delivered ? listUnnamed(token.description, state, this.#listed) : [];
    if (!other) return deleted;
    warn(`${other.id} (${other.attributes?.description}) is another token of this description`);
    throw new OrgctlError('attention', `something else rotates ${describeToken(token)} too`, {
      code: 'stranger',
      hint: `Delete ${other.id} if nobody uses it.`,
    });
  }
}

/** Throws UsageError if several tokens may be the current one. */
function findCurrent({ description }: DescribedToken, state: RotationState, listed: Resource[]): Resource | undefined {
  const { delivered } = state;
  if (delivered) return listed.find(({ id }) => id === delivered.id);
  const candidates = listUnnamed(description, state, listed);
  if (candidates.length <= 1) return candidates[0];
  throw new UsageError(`${candidates.length} tokens may be the current one`, {
    reasons: candidates.map(({ id, attributes }) => `${id}: ${attributes?.description}`),
    hint: 'Delete those that nobody uses, by their ids.',
  });
}

/** Tokens of this description, with or without a date and nonce, that the state doesn't name. */
function listUnnamed(base: string, state: RotationState, listed: Resource[]): Resource[] {
  const { delivered, pending, sent, retiring = [] } = state;
  const ids = [delivered?.id, pending?.id, ...retiring.map(({ id }) => id)];
  const descriptions: unknown[] = [sent?.description, pending?.description];
  return listed.filter(({ id, attributes: { description } = {} }) => {
    const isNamed = ids.includes(id) || descriptions.includes(description);
    return !isNamed && hasBaseDescription(description, base);
  });
}

function findPending(listed: Resource[], pending: PendingToken): Resource | undefined {
  const { id, description } = pending;
  return listed.find((token) => (id === undefined ? token.attributes?.description === description : token.id === id));
}

function createDescription(base: string, { now, randomBytes }: Rotation['runtime']): string {
  const nonce = Buffer.from(randomBytes(8)).toString('hex');
  const date = new Date(now()).toISOString().slice(0, 10);
  return [base, `${date}-${nonce}`].filter(Boolean).join(' ');
}
