import { catchNotFound, isRefused } from '../api/not-found.ts';
import { type DescribedToken, listTeamTokens, parseTimes } from '../api/tokens.ts';
import type { Resource } from '../api/types.ts';
import { isFailure, OrgctlError, ServiceError, UsageError } from '../lib/errors.ts';
import { createCallerError, matchCaller } from './caller.ts';
import { deleteRetiring, findListed, listRetiring, mayDelete, SELF_HINT } from './old-tokens.ts';
import type { Cleanup, CurrentToken, PendingToken, Rotation, RotationStrategy, Verification } from './rotation.ts';
import type { Retiring, RotationState } from './rotation-state.ts';
import { askForId } from './secret.ts';
import { describeToken, hasBaseDescription } from './token.ts';

/** For a token with a description: the old one stays valid until the new one works, and is then deleted by its id. */
export class SideBySide implements RotationStrategy {
  rotation: Rotation<DescribedToken>;
  /** The tokens of the team, as they were listed last. */
  #listed: Resource[] = [];
  #isProven = false;

  constructor(rotation: Rotation<DescribedToken>) {
    this.rotation = rotation;
  }

  async #list(): Promise<Resource[]> {
    const { client, token } = this.rotation;
    this.#listed = await listTeamTokens(client, token.org, token.team.id);
    return this.#listed;
  }

  /** Undefined if the tokens can't be listed, also after a signal: a POST was sent. */
  #listAgain(): Promise<Resource[] | undefined> {
    return catchNotFound(this.#list(), (error) => error instanceof OrgctlError);
  }

  async readCurrent(state: RotationState): Promise<CurrentToken> {
    try {
      await this.#list();
    } catch (error) {
      // A saved secret says by itself whether it works.
      if (!isRefused(error) && !(isFailure(error) && state.pending)) throw error;
      return { id: undefined };
    }
    const current = findCurrent(this.rotation.token, state, this.#listed);
    return current ? { id: current.id, ...parseTimes(current.attributes ?? {}) } : { id: null };
  }

  async findLeftover({ pending }: RotationState): Promise<PendingToken | undefined> {
    if (!pending) return undefined;
    const answer = await askForId(this.rotation, pending.secret);
    if (answer.is === 'refused') return undefined;
    if (answer.is !== 'unclear') return pending;
    const name = describeToken(this.rotation.token);
    throw new OrgctlError('outcome-unknown', `unknown whether ${name}, which an earlier run created, works`, {
      reasons: [answer.error.message, ...answer.error.reasons],
      hint: 'Run the same command again.',
      cause: answer.error,
    });
  }

  isSecretLost({ pending, sent }: RotationState): boolean {
    return Boolean(pending ?? sent);
  }

  assertAllowed(state: RotationState, { id }: CurrentToken): void {
    const { token, caller, runtime } = this.rotation;
    const old = listRetiring({ ...state, pending: undefined }, runtime.now());
    const ids = [...old.map((one) => one.id), state.delivered?.id ?? id];
    const own = ids.filter((one) => typeof one === 'string').find((one) => !mayDelete(this.rotation, one));
    if (own === undefined) return;
    const answer = matchCaller(caller, token, own) === 'yes' ? 'yes' : 'maybe';
    throw createCallerError(token, answer, { hint: SELF_HINT });
  }

  prepareCreation({ sent, pending, retiring = [], ...state }: RotationState) {
    const { token, runtime } = this.rotation;
    const at = new Date(runtime.now()).toISOString();
    const nonce = Buffer.from(runtime.randomBytes(8)).toString('hex');
    const lost = sent && findListed(this.#listed, { description: sent.description });
    const refused: Retiring | undefined = pending && { ...nameToken(pending, this.#listed), isRefused: true };
    const useless = [...(lost ? [{ id: lost.id }] : []), ...(refused ? [refused] : [])];
    const repeated = lost ? undefined : sent?.description;
    const start = token.description === '' ? '' : `${token.description} `;
    const description = repeated ?? `${start}${at.slice(0, 10)}-${nonce}`;
    return {
      token: { ...token, description },
      state: { ...state, sent: { at, description }, retiring: [...retiring, ...useless] },
    };
  }

  /** A description that is taken is that of a token of ours, which no list shows yet. */
  async findLost(state: RotationState, before: RotationState, _current: CurrentToken, error: OrgctlError) {
    const { sent, retiring = [], ...rest } = state;
    if (error instanceof ServiceError && error.status === 422) {
      const isRepeated = sent?.description === before.sent?.description;
      return isRepeated ? { ...rest, retiring: [...retiring, { description: sent?.description }] } : undefined;
    }
    const listed = (error.exit === 'outcome-unknown' && (await this.#listAgain())) || [];
    return sent && findListed(listed, { description: sent.description }) ? state : undefined;
  }

  addPending({ sent, retiring = [], ...state }: RotationState, pending: PendingToken, { id }: CurrentToken) {
    const { keepOldUntil } = this.rotation;
    const old = state.delivered ? nameToken(state.delivered, this.#listed) : { id: id ?? undefined };
    const isKnown =
      (old.id ?? old.description) === undefined ||
      retiring.some((one) => one.id === old.id && one.description === old.description);
    const from = keepOldUntil === undefined ? {} : { from: new Date(keepOldUntil).toISOString() };
    return {
      ...state,
      pending: { ...pending, description: sent?.description },
      retiring: isKnown ? retiring : [...retiring, { ...old, ...from }],
    };
  }

  /** A list may show a new token late, so only the secret itself is asked: its account has the id, if the POST's answer lacked it. */
  async checkPending(_state: RotationState, pending: PendingToken): Promise<PendingToken> {
    const answer = await askForId(this.rotation, pending.secret);
    const id = answer.is === 'accepted' ? answer.value : undefined;
    this.#isProven = id !== undefined;
    if (answer.is !== 'refused') return { ...pending, id: id ?? pending.id };
    throw new OrgctlError('attention', `the service refuses the new ${describeToken(this.rotation.token)}`, {
      code: 'not-verified',
      reasons: ['It was not delivered, and the old one stays valid.'],
      hint: 'Run the same command again: it creates another if this one is still refused.',
    });
  }

  async verify(_state: RotationState, { id }: PendingToken): Promise<Verification> {
    return { verified: this.#isProven || null, id };
  }

  async deleteOld(state: RotationState, secret?: string): Promise<Cleanup> {
    const { token, warn } = this.rotation;
    if (secret !== undefined) await this.#listAgain();
    const cleanup = await deleteRetiring(this.rotation, state, secret, () => this.#listAgain());
    const [other] = state.delivered ? listUnnamed(token.description, state, this.#listed) : [];
    if (!other) return cleanup;
    warn(`${other.id} (${other.attributes?.description}) is another token of this description`);
    const failure = new OrgctlError('attention', `something else rotates ${describeToken(token)} too`, {
      code: 'stranger',
      hint: `Delete ${other.id} if nobody uses it.`,
    });
    return { failure, ...cleanup };
  }
}

/** Throws UsageError if several tokens may be the current one. */
function findCurrent({ description }: DescribedToken, state: RotationState, listed: Resource[]): Resource | undefined {
  const { delivered, pending } = state;
  // What a pending token replaces is retiring already.
  if (delivered || pending) return delivered && findListed(listed, delivered);
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
  const named = [delivered ?? {}, pending ?? {}, { description: sent?.description }, ...retiring];
  const isNamed = (one: Resource): boolean => named.some((name) => findListed([one], name) !== undefined);
  return listed.filter((one) => !isNamed(one) && hasBaseDescription(one.attributes?.description, base));
}

/** A token goes by its description only until a list shows its id. */
function nameToken({ id, description }: Retiring, listed: Resource[]): Retiring {
  const found = id ?? findListed(listed, { description })?.id;
  return found === undefined ? { description } : { id: found };
}
