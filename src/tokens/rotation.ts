import type { Caller } from '../api/account.ts';
import type { Client } from '../api/client.ts';
import type { Token } from '../api/tokens.ts';
import type { OrgctlError } from '../lib/errors.ts';
import type { Command } from '../lib/exec.ts';
import type { Runtime } from '../lib/runtime.ts';
import type { Signals } from '../lib/signals.ts';
import type { Place } from '../places/place.ts';
import type { RotationState, RotationStore } from './rotation-state.ts';

export interface Rotation<Kind extends Token = Token> {
  /** A description lacks the date and nonce of an earlier rotation. */
  token: Kind;
  /** Null for never. */
  expiredAt: string | null;
  /** Instants: a token that expires, or was created, before them is due. Without both it always is. */
  expiresBefore?: number;
  createdBefore?: number;
  /** When the old token may be deleted; by default at once. */
  keepOldUntil?: number;
  createMissing: boolean;
  allowSelf: boolean;
  isDryRun: boolean;
  places: Place[];
  /** Gets the secret. A failure without an exit code has told nothing. */
  verifyCommand?: Command;
  store: RotationStore;
  client: Client;
  /** Empty if the service doesn't say who the caller is. */
  caller: Caller;
  openClient(secret: string): Promise<Client>;
  runtime: Pick<Runtime, 'now' | 'sleep' | 'randomBytes'>;
  signals: Signals;
  /** Throws `cancelled`. */
  confirm(question: string): Promise<void>;
  done(text: string): void;
  warn(text: string): void;
  progress(text: string): void;
}

export type PendingToken = NonNullable<RotationState['pending']>;

/** The token to replace, as the service shows it. */
export interface CurrentToken {
  /** Null for none, undefined if the service doesn't show it. */
  id: string | null | undefined;
  createdAt?: string;
  /** Null for never. */
  expiredAt?: string | null;
}

export interface Verification {
  /** Null if nothing tells whether the token works. */
  verified: true | null;
  /** Contradicts the token. */
  problem?: string;
  /** Found also for a token whose answer had no id. */
  id?: string;
}

export interface Cleanup {
  deleted: string[];
  failure?: OrgctlError;
}

/** The steps that differ between tokens that are replaced and tokens that are rotated side by side. */
export interface RotationStrategy {
  rotation: Rotation;
  readCurrent(state: RotationState): Promise<CurrentToken>;
  /** The token of an earlier run that still has to be delivered. */
  findLeftover(state: RotationState, current: CurrentToken): Promise<PendingToken | undefined>;
  /** Whether an earlier run may have created a token whose secret was lost. */
  isSecretLost(state: RotationState, current: CurrentToken): boolean;
  /** Throws UsageError if the rotation would end, or may end, the caller's token. */
  assertAllowed(state: RotationState, current: CurrentToken): void;
  /** The token that the next POST asks for, and the state to save before it. */
  prepareCreation(state: RotationState, current: CurrentToken): { token: Token; state: RotationState };
  /** The state from which a second POST may follow one that failed, since that has certainly created a token. */
  findLost(
    state: RotationState,
    before: RotationState,
    current: CurrentToken,
    error: OrgctlError,
  ): Promise<RotationState | undefined>;
  /** The state to save right after the POST. */
  addPending(state: RotationState, pending: PendingToken, current: CurrentToken): RotationState;
  /** Throws if the token must not be delivered. Returns it with its id, if that can be read. */
  checkPending(state: RotationState, pending: PendingToken): Promise<PendingToken>;
  verify(state: RotationState, pending: PendingToken): Promise<Verification>;
  /** `secret` is that of the new token, in the run that has delivered and proved it. A signal ends it early. */
  deleteOld(state: RotationState, secret?: string): Promise<Cleanup>;
}
