import { ServiceError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import type { Service } from '../service/service.ts';
import type { ResourceDocument } from '../wire/json-api.ts';
import type { Journal, JournalState, TokenFacts } from './journal.ts';

/** The organization's one token, as far as the service shows it or it is remembered here. */

export type CurrentToken =
  | { readonly kind: 'found'; readonly facts: TokenFacts }
  /** The service has the route, and no token. */
  | { readonly kind: 'absent' }
  /** The route is missing, or what is there may not be seen. */
  | { readonly kind: 'unknown' };

/** The same, with the service's own answer. */
export type Metadata = { readonly kind: 'found'; readonly document: ResourceDocument } | Unseen;

export interface Unseen {
  readonly kind: 'absent' | 'unknown';
  readonly refusal: ServiceError;
}

/**
 * What a service says of itself in headers is said by services without the route too, so the address decides. Assumed:
 * the hosted edition shows the metadata of the audit trail token, which the service's document does not mention.
 */
const HAVE_ROUTE: ReadonlySet<string> = new Set([
  'https://app.terraform.io',
  'https://app.eu.terraform.io',
  // The embedded one.
  'sandbox',
]);

/** `isEverywhere`: whether every service has the route. */
export function isRouteKnown(origin: string, isEverywhere: boolean): boolean {
  return isEverywhere || HAVE_ROUTE.has(origin);
}

/**
 * The route is outside the service's document, and a 404 is also what a service without it answers: it means "no token"
 * only where the route is known to exist, by its address or because it has shown a token, now or to an earlier run.
 */
export function createMetadataReader(
  auditTokens: Pick<Service['auditTokens'], 'show'>,
  { organization, origin }: { readonly organization: string; readonly origin: string },
  journal: Pick<Journal, 'read'>,
  isEverywhere = false,
) {
  let isShown: boolean | undefined;
  let isExpected = false;
  return {
    /** Throws where the service cannot be reached, refuses the token in use or asks to wait, and for a damaged journal. */
    async read(): Promise<Metadata> {
      try {
        const document = await auditTokens.show(organization);
        isShown = true;
        return { kind: 'found', document };
      } catch (error) {
        if (!isRefusal(error)) throw error;
        if (error.status !== 404) return { kind: 'unknown', refusal: error };
        isShown = isExpected ? false : (isShown ?? journal.read().metadata);
        return { kind: (isShown ?? isRouteKnown(origin, isEverywhere)) ? 'absent' : 'unknown', refusal: error };
      }
    },
    /** A token was made just now: from here on a 404 says that the route is missing, not the token. */
    expectToken(): void {
      isExpected = true;
    },
    /** Undefined where no answer has proved it either way. */
    isShown: () => isShown,
  };
}

/** The answer was that there is none, or none that this token may see. */
export function isNotFound({ refusal }: Unseen): boolean {
  return refusal.status === 404;
}

export function isRouteMissing(metadata: Metadata): boolean {
  return metadata.kind === 'unknown' && metadata.refusal.status === 404;
}

/** An answer, though not with the metadata. */
function isRefusal(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError && error.status >= 400 && error.status < 500 && ![401, 429].includes(error.status)
  );
}

export function toCurrentToken(metadata: Metadata): CurrentToken {
  return metadata.kind === 'found'
    ? { kind: 'found', facts: toTokenFacts(metadata.document) }
    : { kind: metadata.kind };
}

/**
 * What is remembered here of the current token, for where the service does not show it; undefined where nothing is, or
 * where a rotation that has not ended may have replaced the token by one that nothing is known of.
 */
export function findRecord({ open, last }: JournalState): TokenFacts | undefined {
  if (open === undefined || (open.phase === 'preflight' && open.lost !== true)) return last;
  // Delivered, and not verified: it may be dead.
  return open.undelivered?.length === 0 ? undefined : open.minted;
}

export function toTokenFacts({ data }: ResourceDocument): TokenFacts {
  const { 'created-at': createdAt, 'expired-at': expiredAt, description } = data.attributes ?? {};
  const creator = data.relationships?.['created-by']?.data;
  return {
    id: data.id,
    ...(isInstant(createdAt) ? { createdAt } : {}),
    ...(isInstant(expiredAt) || expiredAt === null ? { expiredAt } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(isObject(creator) && typeof creator['id'] === 'string' ? { createdBy: creator['id'] } : {}),
  };
}

/** The times as the service names them. One that is not known is left out: null would say that it never expires. */
export function toTimes({ createdAt, expiredAt }: Pick<TokenFacts, 'createdAt' | 'expiredAt'>): {
  readonly 'created-at'?: string;
  readonly 'expired-at'?: string | null;
} {
  return {
    ...(createdAt === undefined ? {} : { 'created-at': createdAt }),
    ...(expiredAt === undefined ? {} : { 'expired-at': expiredAt }),
  };
}

/** Any other text is dropped: it would be shown later. */
function isInstant(value: unknown): value is string {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/** The warning where the answer with a new token leaves out its expiry. */
export const UNKNOWN_EXPIRY = "the service doesn't say when the new token expires";

export function toShown(facts: TokenFacts | undefined): CurrentToken {
  return facts === undefined ? { kind: 'absent' } : { kind: 'found', facts };
}

interface Shower {
  read(): Promise<CurrentToken>;
  readonly beside?: { look(id: string): Promise<TokenFacts | undefined> };
}

/** The token of this id, as far as the service shows it: the current one, or one of those that stand beside each other. */
export async function lookAt(token: Shower, id: string): Promise<CurrentToken> {
  return token.beside === undefined ? await token.read() : toShown(toFacts(await token.beside.look(id)));
}

/** Without what is known beside them. */
export function toFacts(found: (TokenFacts & { readonly isUsed?: boolean }) | undefined): TokenFacts | undefined {
  if (found === undefined) return undefined;
  const { isUsed: _isUsed, ...facts } = found;
  return facts;
}

export function isSameToken(one: CurrentToken, other: CurrentToken): boolean {
  if (one.kind === 'found') return other.kind === 'found' && one.facts.id === other.facts.id;
  return one.kind === 'absent' && other.kind === 'absent';
}
