import { ServiceError } from '../errors.ts';
import type { Resource } from '../wire/json-api.ts';
import { readAccountName } from './diagnosis/evidence.ts';
import { NO_INCLUDE } from './include.ts';
import type { ListReading } from './pages.ts';
import type { Service } from './service.ts';

export interface TokenFacts {
  /** False: refused with 401. Null: not refused, and nothing else is known. */
  readonly works: boolean | null;
  /** Null where the service does not say. */
  readonly kind: TokenKind | null;
  /** Who the token acts as, by user name. */
  readonly account: string | null;
  /** The refusal, where it does not work. */
  readonly refusal?: ServiceError;
}

type TokenKind = 'user' | 'team' | 'organization' | 'audit-trail' | 'service-account';

export const UNKNOWN_TOKEN: TokenFacts = { works: null, kind: null, account: null };

/**
 * Asks who the token acts as; where the service does not say, what a documented read says of it. Throws ServiceError and
 * ConnectionError for answers that say nothing of the token: a service in trouble, or another one.
 */
export async function examineToken(service: Service): Promise<TokenFacts> {
  const account = await attempt(() => service.showCaller());
  if (account.done) return describeAccount(account.value);
  if (isRejection(account.refusal)) return toRefused(account.refusal);
  const own = await attempt(() => isReadable(service.memberships.listOwn(NO_INCLUDE, {})));
  if (own.done) return { ...UNKNOWN_TOKEN, works: true };
  if (isRejection(own.refusal)) return toRefused(own.refusal);
  const trail = await attempt(() => service.auditTrail.hasEvents());
  // Assumed: others that may read it have an account, or memberships.
  if (trail.done)
    return trail.value ? { works: true, kind: 'audit-trail', account: null } : { ...UNKNOWN_TOKEN, works: true };
  if (isRejection(trail.refusal)) return toRefused(trail.refusal);
  // Nothing was said of the token: perhaps something else answered than the service.
  if (isForeign(own.refusal)) throw own.refusal;
  const { at } = await service.findAddress();
  if (at === 'elsewhere' || at === 'nowhere') throw own.refusal;
  return UNKNOWN_TOKEN;
}

function isForeign({ errors }: ServiceError): boolean {
  return errors.length === 0;
}

/** A portal in between answers 401 too. */
function isRejection(refusal: ServiceError): boolean {
  return refusal.status === 401 && !isForeign(refusal);
}

/** What the token can read in an organization, by trying. No service says what it can write. */
export async function examineReach(service: Service, organization: string): Promise<readonly string[]> {
  const { memberships, teams, providers, auditTokens, auditTrail } = service;
  const limit = { limit: 1 };
  const readings: readonly (readonly [name: string, isRead: () => Promise<boolean>])[] = [
    ['members', () => isReadable(memberships.list(organization, {}, NO_INCLUDE, limit))],
    ['teams', () => isReadable(teams.list(organization, limit))],
    ['providers', () => isReadable(providers.list(organization, {}, limit))],
    ['audit-token', async () => (await auditTokens.find(organization)) !== undefined],
    // A token without the permission gets an empty one.
    ['audit-trail', () => auditTrail.hasEvents()],
  ];
  const outcomes = await Promise.all(readings.map(async ([name, isRead]) => ({ name, ...(await attempt(isRead)) })));
  return outcomes.flatMap((outcome) => (outcome.done && outcome.value ? [outcome.name] : []));
}

type Attempt<Value> =
  | { readonly done: true; readonly value: Value }
  | { readonly done: false; readonly refusal: ServiceError };

async function attempt<Value>(act: () => Promise<Value>): Promise<Attempt<Value>> {
  try {
    return { done: true, value: await act() };
  } catch (error) {
    if (error instanceof ServiceError && isRefusal(error)) return { done: false, refusal: error };
    throw error;
  }
}

/** An answer about the token or the thing asked for, and not about the service's own state. */
function isRefusal({ status }: ServiceError): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

async function isReadable(reading: ListReading): Promise<boolean> {
  await reading.collect();
  return true;
}

function toRefused(refusal: ServiceError): TokenFacts {
  return { works: false, kind: null, account: null, refusal };
}

function describeAccount({ attributes = {} }: Resource): TokenFacts {
  const { username, 'is-service-account': isService } = attributes;
  const account = typeof username === 'string' ? username : null;
  return { works: true, kind: toKind(account ?? '', isService), account };
}

function toKind(account: string, isService: unknown): TokenKind | null {
  if (isService === false) return 'user';
  if (isService !== true) return null;
  return readAccountName(account) ?? 'service-account';
}
