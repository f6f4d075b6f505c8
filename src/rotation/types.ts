import type { OrgctlError } from '../errors.ts';
import type { Host } from '../host.ts';
import type { CurrentToken } from './current-token.ts';
import type { Journal, TokenFacts } from './journal.ts';
import type { Sink } from './sinks/sink.ts';

export interface RotationInput {
  readonly organization: string;
  readonly origin: string;
  readonly sinks: readonly Sink[];
  /** UTC text, null for never; `same` gives the new token the lifetime of the current one. */
  readonly expires: string | null | 'same';
  /** Milliseconds. With one of them a token is created only when it is needed. */
  readonly ifExpiresWithin: number | undefined;
  readonly ifOlderThan: number | undefined;
  /** Milliseconds that an unclear request gets to take effect. */
  readonly settle: number;
  readonly lockWait: number;
  readonly requireVerified: boolean;
  /** The sink stdout prints the whole result, so it gets the secret after all else is known. */
  readonly printsResult: boolean;
}

export interface TokenService {
  /** Throws where the service cannot be reached or refuses the caller. */
  read(): Promise<CurrentToken>;
  /** The ids under which the service may name us as the creator of a token, as far as is known. Never throws. */
  findOurIds(): Promise<readonly string[]>;
  /**
   * Throws UsageError where this expiry (UTC text, null for never) is longer than allowed; `undecided` where the service
   * decides what the token gets.
   */
  checkExpiry(expiredAt: string | null): Promise<'decided' | 'undecided'>;
  /** One POST, on a connection of its own. Throws where the current token provably stays. */
  create(expiredAt: string | null): Promise<CreateAnswer>;
  isShown(): boolean | undefined;
  /**
   * Whether this secret works as an audit trail token. `isNew`: the service may not know it everywhere yet, and is asked
   * more than once. Never throws.
   */
  tryOut(secret: string, isNew: boolean): Promise<'accepted' | 'refused' | 'unknown'>;
  /** Throws UsageError where the same request would replace another token. */
  refuseOtherMeaning(): Promise<void>;
}

export interface NewToken {
  readonly kind: 'created';
  readonly secret: string;
  readonly facts: TokenFacts;
  /** Notes that it was created, where writes are noted: once the secret is safe. */
  readonly noteAnswer?: () => void;
}

export type CreateAnswer =
  | NewToken
  /** No usable answer: a token may have been created. */
  | { readonly kind: 'unclear'; readonly reason: OrgctlError };

export interface RotationWorld extends Pick<Host, 'now' | 'sleep' | 'pid'> {
  readonly token: TokenService;
  readonly journal: Journal;
  readonly directory: string;
  readonly unique: string;
  readonly signal: AbortSignal;
  defer<T>(act: () => Promise<T>): Promise<T>;
  isStopping(): boolean;
  /** What the run is at, for a person who waits; undefined at its end. */
  step(doing: string | undefined): void;
  note(text: string): void;
  warn(text: string): void;
  /** Gives the secret to the user's own check; undefined when it passed, else how it failed. */
  readonly verifyCommand: ((secret: string) => Promise<string | undefined>) | undefined;
  /** `delivery` is left out where nothing was needed. */
  show(result: RotationResult, delivery?: DeliveryReport): Promise<void>;
  /** Called with the result before the sink stdout prints it, with `printsResult`. */
  onResult(result: RotationResult): void;
}

/** What people are shown beside the result. */
export interface DeliveryReport {
  /** Why a place did not get the token, by the name of the place. */
  readonly failures: ReadonlyMap<string, string>;
  /** Whether this run created the token. */
  readonly isNew: boolean;
}

export interface RotationResult {
  readonly organization: string;
  readonly id: string;
  readonly 'created-at'?: string;
  readonly 'expired-at'?: string | null;
  readonly fingerprint: string | null;
  readonly changed: boolean;
  readonly sinks: readonly { readonly sink: string; readonly delivered: boolean }[];
  readonly verified: boolean | null;
  readonly checks: readonly Check[];
}

export interface Check {
  readonly check: 'metadata' | 'audit-trail' | 'command';
  readonly passed: boolean | null;
  readonly detail: string;
}
