import { createHash } from 'node:crypto';
import type { Caller } from '../api/account.ts';
import type { Client } from '../api/client.ts';
import type { DescribedToken, SoleToken } from '../api/tokens.ts';
import type { Runtime } from '../lib/runtime.ts';
import type { Signals } from '../lib/signals.ts';
import type { Place } from './places/index.ts';
import type { RotationState, RotationStore } from './rotation-state.ts';

/** What a rotation is asked to do, and what it works with. */
export interface Rotation<Token = SoleToken | DescribedToken> {
  /** A description without what an earlier rotation added to it. */
  token: Token;
  client: Client;
  store: RotationStore;
  places: Place[];
  /** Null for never. */
  expiredAt: string | null;
  /** Instants: a token that ends, or was created, before them is due. Without both it always is. */
  expiresBefore?: number | undefined;
  createdBefore?: number | undefined;
  /** An instant: from then on the old token may be deleted. Default at once. */
  keepOldUntil?: number | undefined;
  /** Creates a token where there is none. */
  createMissing: boolean;
  allowSelf: boolean;
  isDryRun: boolean;
  /** On this service a 404 means that there is no token. */
  showsTokens: boolean;
  /** Who asks; empty if the service doesn't say. */
  caller: Caller;
  runtime: Pick<Runtime, 'now' | 'sleep' | 'randomBytes'>;
  signals: Signals;
  /** A client that uses this secret. */
  openClient(secret: string): Promise<Client>;
  /** Returns why the secret failed, if it did. */
  verifyCommand?: ((secret: string) => Promise<string | undefined>) | undefined;
  /** Throws `cancelled`. `current`: the token that will be replaced, null for none, undefined if the service doesn't show it. */
  confirm(current: string | null | undefined): Promise<void>;
  done(text: string): void;
  warn(text: string): void;
  progress(text: string): void;
}

export type PendingToken = NonNullable<RotationState['pending']>;

/** What the service shows of a token. */
export interface Look {
  /** Null for none, undefined if the service doesn't show it. */
  id: string | null | undefined;
  createdAt?: string | undefined;
  /** Null for never. */
  expiredAt?: string | null | undefined;
}

/** What differs between tokens that are replaced and those that stand side by side. */
export interface Method {
  /** The current token. */
  look(state: RotationState): Promise<Look>;
  /** Throws UsageError if this would end, or may end, the token that asks. */
  assertAllowed(state: RotationState, look: Look): void;
  /** The token of an earlier run that still has to be delivered. */
  findLeftover(state: RotationState, look: Look): Promise<PendingToken | undefined>;
  /** Whether an earlier run may have created a token whose secret nobody has. Nothing of it can be delivered. */
  isLost(state: RotationState, look: Look): boolean;
  /** Whether the POST of this run, which had no clear answer, certainly created one. `before`: at this run's plan. */
  isCertainlyLost(state: RotationState, before: Look): Promise<boolean>;
  /** What the next POST asks for, and the state to save before it. */
  prepare(state: RotationState, before: Look): { token: SoleToken | DescribedToken; state: RotationState };
  /** The state with the new token, to save right after the POST. */
  keep(state: RotationState, pending: PendingToken, before: Look): RotationState;
  /** The id of the token that is current instead of the pending one. Undefined if it is the pending one, or not known. */
  findOther(state: RotationState, pending: PendingToken): Promise<string | null | undefined>;
  /**
   * Whether the new token works: null if nobody can tell. `problem`: what contradicts it. `id`: also of one whose answer
   * had none.
   */
  verify(state: RotationState, pending: PendingToken): Promise<Verification>;
  /** Deletes old tokens, last in a run and while nothing is pending. Throws `attention` if one has to stay. */
  retire(state: RotationState, secret?: string): Promise<string[]>;
}

export interface Verification {
  verified: true | null;
  problem?: string;
  id?: string | undefined;
}

/** Tells whether two places hold the same secret, and nothing else about it. */
export function createFingerprint(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`;
}
