import { readDecoration } from '../api/not-found.ts';
import { findToken, parseTimes, type SoleToken } from '../api/tokens.ts';
import { OrgctlError } from '../lib/errors.ts';
import { createCallerError, matchCaller } from './caller.ts';
import { maySeeTokens } from './read-tokens.ts';
import type { Cleanup, CurrentToken, PendingToken, Rotation, RotationStrategy, Verification } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { isAccepted } from './secret.ts';
import { describeToken } from './token.ts';

/** For a token without a description: the POST ends the old one. */
export class Replacement implements RotationStrategy {
  rotation: Rotation<SoleToken>;
  /** The current token before the run, if neither this command nor an earlier one has created it. */
  #stranger: string | undefined;

  constructor(rotation: Rotation<SoleToken>) {
    this.rotation = rotation;
  }

  async readCurrent(state: RotationState): Promise<CurrentToken> {
    const current = await this.#read(state);
    const { delivered, pending = delivered, sent } = state;
    const isOurs =
      sent !== undefined || [delivered?.id, pending?.id].some((id) => id === undefined || id === current.id);
    if (!isOurs) this.#stranger = current.id ?? undefined;
    return current;
  }

  async #read(state: RotationState): Promise<CurrentToken> {
    const { client, token } = this.rotation;
    const found = await findToken(client, token);
    if (found) return { id: found.id, ...parseTimes(found.attributes ?? {}) };
    // A service without this route answers 404 as well.
    return { id: state.shown || (await maySeeTokens(client, token.org)) ? null : undefined };
  }

  /** A token that can't be read counts as not shown. */
  async #readId(state: RotationState): Promise<string | null | undefined> {
    return (await readDecoration(this.#read(state)))?.id;
  }

  async findLeftover({ pending, sent }: RotationState, { id }: CurrentToken): Promise<PendingToken | undefined> {
    if (!pending) return undefined;
    if (id !== undefined && pending.id !== undefined) return id === pending.id ? pending : undefined;
    const accepted = await isAccepted(this.rotation, pending.secret, pending.id ?? id);
    // After a later POST only a yes counts.
    return (accepted ?? sent === undefined) ? pending : undefined;
  }

  isSecretLost({ sent }: RotationState, { id }: CurrentToken): boolean {
    return sent !== undefined && (id === undefined || id !== sent.before);
  }

  assertAllowed(_state: RotationState, { id }: CurrentToken): void {
    const { token, caller, allowSelf } = this.rotation;
    const answer = id === null ? 'no' : matchCaller(caller, token, id);
    // The new token would end the session that has to deliver it.
    if (answer === 'yes') throw createCallerError(token, answer, { hint: 'Use another token.' });
    if (answer === 'maybe' && !allowSelf) {
      throw createCallerError(token, answer, { hint: 'If it is not, add --allow-self.' });
    }
  }

  prepareCreation(state: RotationState, { id }: CurrentToken) {
    const { token, runtime } = this.rotation;
    const sent = { at: new Date(runtime.now()).toISOString(), before: state.sent ? state.sent.before : id };
    return { token, state: { ...state, sent } };
  }

  async findLost(state: RotationState, _before: RotationState, current: CurrentToken, error: OrgctlError) {
    const id = error.exit === 'outcome-unknown' ? await this.#readId(state) : undefined;
    return id !== undefined && current.id !== undefined && id !== current.id ? state : undefined;
  }

  addPending({ sent: _sent, ...state }: RotationState, pending: PendingToken): RotationState {
    return { ...state, pending };
  }

  async checkPending(state: RotationState, pending: PendingToken): Promise<PendingToken> {
    const id = await this.#readId(state);
    if (pending.id === undefined || id === undefined || id === pending.id) return pending;
    throw new OrgctlError('not-delivered', `${describeToken(this.rotation.token)} was replaced in the meantime`, {
      reasons: [id === null ? 'The new one is gone.' : `The current one is ${id}.`],
      hint: 'Find out what else rotates it. Run the same command again: it creates another if one is due.',
    });
  }

  async verify(state: RotationState, pending: PendingToken): Promise<Verification> {
    const id = await this.#readId(state);
    if (id === null) return { verified: null, problem: 'the service has no token' };
    const isCurrent = id !== undefined && id === pending.id;
    if (id !== undefined && pending.id !== undefined && !isCurrent) {
      return { verified: null, problem: `the current token is ${id}` };
    }
    const accepted = await isAccepted(this.rotation, pending.secret, pending.id ?? id);
    if (isCurrent && accepted === false) {
      this.rotation.warn('the service lists the new token as the current one, but rejects it');
    }
    if (isCurrent || accepted) return { verified: true, id: pending.id ?? id };
    return { verified: null, problem: accepted === false ? 'the service rejects it' : undefined };
  }

  async deleteOld(_state: RotationState, secret?: string): Promise<Cleanup> {
    const { token } = this.rotation;
    if (secret === undefined || this.#stranger === undefined) return { deleted: [] };
    const failure = new OrgctlError('attention', `something else rotates ${describeToken(token)} too`, {
      code: 'stranger',
      reasons: [`The current token was ${this.#stranger}, which this command did not create.`],
    });
    return { deleted: [], failure };
  }
}
