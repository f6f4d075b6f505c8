import type { OrgctlError } from '../errors.ts';
import type { Host } from '../host.ts';
import type { CurrentToken } from './current-token.ts';
import type { Journal, TokenFacts } from './journal.ts';
import type { Sink } from './sinks/sink.ts';

/** What a person asked of a rotation, and what it needs to do it. */

export interface RotationOrder {
  readonly organization: string;
  /** The service's. */
  readonly origin: string;
  readonly sinks: readonly Sink[];
  /** UTC text, null for never; `same` gives the new token the lifetime of the current one. */
  readonly expires: string | null | 'same';
  /** Milliseconds. With one of them nothing is done before it is due. */
  readonly ifExpiresWithin: number | undefined;
  readonly ifOlderThan: number | undefined;
  /** Milliseconds that an unclear request gets to take effect. */
  readonly settle: number;
  /** Milliseconds. */
  readonly lockWait: number;
  readonly requireVerified: boolean;
  /** The sink stdout prints the whole result, so it is served after all else is known. */
  readonly printsResult: boolean;
}

export interface TokenService {
  /** Throws where the service cannot be reached or refuses who asks. */
  read(): Promise<CurrentToken>;
  /** Ids that the tokens we make bear as their creator, as far as the service tells. Never throws. */
  findOurIds(): Promise<readonly string[]>;
  /** One POST, on a connection of its own. Throws where the current token provably stays. */
  create(expiredAt: string | null): Promise<Minting>;
  /** Whether the service shows its token; undefined where nothing has proved it either way. */
  isShown(): boolean | undefined;
  /**
   * Whether the service takes this secret for a living audit trail token. `isNew`: it may not know it everywhere yet, and
   * is asked more than once. Never throws.
   */
  tryOut(secret: string, isNew: boolean): Promise<'accepted' | 'refused' | 'unknown'>;
  /** Throws UsageError where the same request would replace another token. */
  refuseOtherMeaning(): Promise<void>;
}

export interface Created {
  readonly kind: 'made';
  readonly secret: string;
  readonly facts: TokenFacts;
}

export type Minting =
  | Created
  /** No usable answer: it may have been made. */
  | { readonly kind: 'unclear'; readonly reason: OrgctlError };

export interface RotationWorld extends Pick<Host, 'now' | 'sleep' | 'pid'> {
  readonly token: TokenService;
  readonly journal: Journal;
  /** Where journal, lock and recovery file are. */
  readonly directory: string;
  /** Hexadecimal digits that no other run has. */
  readonly unique: string;
  readonly signal: AbortSignal;
  /** While the act runs, signals wait. */
  deferred<T>(act: () => Promise<T>): Promise<T>;
  /** Whether a signal waits. */
  isStopping(): boolean;
  note(text: string): void;
  warn(text: string): void;
  /** Gives the secret to the person's own check; undefined when it passed, else how it failed. */
  readonly verifyCommand: ((secret: string) => Promise<string | undefined>) | undefined;
  /** Tells the result, also where an error follows. */
  show(result: RotationResult): Promise<void>;
  /** Told of the result before the sink stdout prints it, with `printsResult`. */
  onResult(result: RotationResult): void;
}

export interface RotationResult {
  readonly organization: string;
  readonly id: string;
  /** Times that are not known are left out. */
  readonly 'created-at'?: string;
  /** Null: never. */
  readonly 'expired-at'?: string | null;
  readonly fingerprint: string | null;
  readonly changed: boolean;
  readonly sinks: readonly { readonly sink: string; readonly delivered: boolean }[];
  /** Null: nothing could tell. */
  readonly verified: boolean | null;
  readonly checks: readonly Check[];
}

export interface Check {
  readonly check: 'metadata' | 'audit-trail' | 'command';
  /** Null: it could not tell. */
  readonly passed: boolean | null;
  readonly detail: string;
}
