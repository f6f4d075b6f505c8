import type { OrgctlError } from '../errors.ts';
import type { Host } from '../host.ts';
import type { CurrentToken } from './current-token.ts';
import type { Journal, TokenFacts } from './journal.ts';
import type { Sink } from './sinks/sink.ts';

export interface RotationInput {
  /** What its result says of it beside its organization. */
  readonly about?: Pick<RotationResult, 'kind' | 'team'>;
  readonly organization: string;
  readonly origin: string;
  /** Which of its tokens, as sentences have it: `audit trail token`, `token ci of team platform`. */
  readonly noun: string;
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
  /** Of a token that stands beside others: milliseconds that the old one stays. Undefined: as the run before has it, if it did not end. */
  readonly keepOld?: number | undefined;
  /** Whether the old one is deleted too where nothing could show that the new one works. */
  readonly retireUnverified?: boolean;
  /** Whether the token that asks may be the one that is deleted. */
  readonly allowSelf?: boolean;
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
  /**
   * One POST, on a connection of its own. Throws where the current token provably stays. `description`: of a token that
   * stands beside others.
   */
  create(expiredAt: string | null, description?: string): Promise<CreateAnswer>;
  isShown(): boolean | undefined;
  /**
   * Whether this secret works as the token of this id, as far as the service says which one a secret is of. `isNew`: the
   * service may not know it everywhere yet, and is asked more than once. Never throws.
   */
  tryOut(secret: string, isNew: boolean, id: string | undefined): Promise<'accepted' | 'refused' | 'unknown'>;
  /** What shows that a secret works. */
  readonly proof?: Proof;
  /** Throws UsageError where the same request would replace another token. */
  refuseOtherMeaning(): Promise<void>;
  /** Only of a token that stands beside others: the new one does not end the old one, which is deleted afterwards. */
  readonly beside?: Beside;
}

/** What a trial of a secret is called, and what is said of its outcome. */
export interface Proof {
  readonly check: 'account' | 'audit-trail';
  readonly accepted: string;
  readonly unknown: string;
}

/** The tokens that stand beside each other. All of these throw where the service can't be reached or refuses the caller. */
export interface Beside {
  /** A description that no token has or had. */
  describe(): string;
  /** The token with this whole description. */
  find(description: string): Promise<NeighbourFacts | undefined>;
  /** The token of this id. `isListed`: the list as it was read last will do. */
  look(id: string, isListed?: boolean): Promise<NeighbourFacts | undefined>;
  /** Those with the same description, but for what orgctl adds to it. */
  list(): Promise<readonly NeighbourFacts[]>;
  /** `asSecret`: asks as the token of this secret. */
  remove(id: string, asSecret: string | undefined): Promise<void>;
  /** Whether it is the token that asks, or may be since that one is of its team. */
  isSelf(id: string): boolean;
  /** Of the secret that asks; undefined where it has none of its own. */
  readonly ownFingerprint: string | undefined;
}

export interface NeighbourFacts extends TokenFacts {
  /** Whether a secret of it was ever used, so that it is somewhere. */
  readonly isUsed: boolean;
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
  /** Whether it created one where there was none. */
  readonly isFirst: boolean;
}

/** A rotation that did not end, and what the next one would do with it. */
export interface Unfinished {
  readonly startedAt: string;
  /** `deliver`: its token is delivered, and none is created. */
  readonly next: 'deliver' | 'find-out' | 'start-over';
}

export interface RotationResult {
  readonly organization: string;
  readonly kind?: string;
  readonly team?: { readonly id: string; readonly name: string };
  readonly description?: string;
  readonly id: string;
  readonly 'created-at'?: string;
  readonly 'expired-at'?: string | null;
  readonly fingerprint: string | null;
  readonly changed: boolean;
  readonly sinks: readonly { readonly sink: string; readonly delivered: boolean }[];
  readonly verified: boolean | null;
  readonly checks: readonly Check[];
  /** Old tokens beside the new one, and what became of each. */
  readonly retired?: readonly RetiredToken[];
}

export interface RetiredToken {
  readonly id: string;
  readonly description?: string;
  readonly deleted: boolean;
  /** It is the token that asked. */
  readonly self?: true;
  /** UTC text: when it is to be deleted, where it was kept on purpose. */
  readonly 'kept-until'?: string;
}

export interface Check {
  readonly check: 'account' | 'audit-trail' | 'command' | 'metadata';
  readonly passed: boolean | null;
  readonly detail: string;
}
