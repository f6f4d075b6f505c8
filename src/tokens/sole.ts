import { parseTimes, type SoleToken, showToken } from '../api/tokens.ts';
import { isSignal, ServiceError, UsageError } from '../lib/errors.ts';
import { isCaller } from './caller.ts';
import type { Look, Method, Rotation } from './rotation.ts';
import type { RotationState } from './rotation-state.ts';
import { describeToken } from './token.ts';
import { tryToken } from './trial.ts';

/** For a token of which there is one: the POST ends the old one. */
export function createReplacement(rotation: Rotation<SoleToken>): Method {
  const { token, client, runtime, warn } = rotation;

  async function look({ shown }: RotationState): Promise<Look> {
    try {
      const { id, attributes = {} } = await showToken(client, token);
      return { id, ...parseTimes(attributes) };
    } catch (error) {
      // A service without this route answers 404 as well.
      const isAbsent = error instanceof ServiceError && error.status === 404;
      if (isAbsent) return { id: shown || rotation.showsTokens ? null : undefined };
      throw error;
    }
  }

  /** What can't be read is not shown. */
  async function lookAgain(state: RotationState): Promise<Look> {
    return look(state).catch((error: unknown) => {
      if (isSignal(error)) throw error;
      return { id: undefined };
    });
  }

  return {
    look,
    assertAllowed: (_state, { id }) => assertNotCaller(rotation, id),
    async findLeftover({ pending, sent }, { id }) {
      if (!pending) return undefined;
      if (id !== undefined && pending.id !== undefined) return id === pending.id ? pending : undefined;
      const isAccepted = await tryToken(rotation, pending.secret, pending.id ?? id);
      // After a later POST only a yes counts.
      return (isAccepted ?? sent === undefined) ? pending : undefined;
    },
    isLost: ({ sent }, { id }) => sent !== undefined && (id === undefined || id !== sent.before),
    async isCertainlyLost(state, before) {
      const { id } = await lookAgain(state);
      return id !== undefined && before.id !== undefined && id !== before.id;
    },
    prepare(state, { id }) {
      const before = state.sent ? state.sent.before : id;
      const sent = { at: new Date(runtime.now()).toISOString(), ...(before !== undefined && { before }) };
      return { token, state: { ...state, sent } };
    },
    keep: ({ sent: _sent, ...state }, pending) => ({ ...state, pending }),
    async findOther(state, pending) {
      const { id } = await lookAgain(state);
      return pending.id === undefined || id === pending.id ? undefined : id;
    },
    async verify(state, pending) {
      const { id } = await lookAgain(state);
      const isOurs = pending.id !== undefined && id === pending.id;
      if (id === null || (id !== undefined && pending.id !== undefined && !isOurs)) {
        return { verified: null, problem: id === null ? 'the service has no token' : `the current token is ${id}` };
      }
      const isAccepted = await tryToken(rotation, pending.secret, pending.id ?? id);
      if (isOurs && isAccepted === false) warn('the service lists the new token as the current one, but rejects it');
      if (isOurs || isAccepted) return { verified: true, id: pending.id ?? id };
      return isAccepted === false ? { verified: null, problem: 'the service rejects it' } : { verified: null };
    },
    retire: async () => [],
  };
}

/** Throws UsageError: the new secret would end the session of the one that has to deliver it. */
function assertNotCaller({ token, caller, allowSelf }: Rotation<SoleToken>, id: string | null | undefined): void {
  const answer = id === null ? 'no' : isCaller(caller, token, id);
  if (answer === 'yes') {
    throw new UsageError(`${describeToken(token)} is the token that asks`, { hint: 'Ask with another token.' });
  }
  if (answer === 'maybe' && !allowSelf) {
    throw new UsageError(`${describeToken(token)} may be the token that asks: the service doesn't say`, {
      hint: 'If another token asks, add --allow-self.',
    });
  }
}
