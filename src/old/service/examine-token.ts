import { ServiceError } from '../errors.ts';
import { collect } from '../reading.ts';
import type { Resource } from '../wire/json-api.ts';
import { readAccountName } from './diagnosis/evidence.ts';
import { findEvidence } from './enterprise.ts';
import { NO_INCLUDE } from './include.ts';
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
  const account = await attempt(service.showCaller());
  if (!(account instanceof ServiceError)) return describeAccount(account);
  if (isRejection(account)) return toRefused(account);
  const own = await attempt(collect(service.memberships.listOwn(NO_INCLUDE, {}), (page) => page));
  if (!(own instanceof ServiceError)) return { ...UNKNOWN_TOKEN, works: true };
  if (isRejection(own)) return toRefused(own);
  const trail = await attempt(service.auditTrail.hasEvents());
  // Assumed: every token that reads the audit trail, other than the audit trail token, has an account, or memberships.
  if (trail === true) return { works: true, kind: 'audit-trail', account: null };
  if (trail === false) return { ...UNKNOWN_TOKEN, works: true };
  if (isRejection(trail)) return toRefused(trail);
  // Nothing was said of the token: perhaps something else answered than the service.
  if (isForeign(own)) throw own;
  const { at } = await service.findAddress();
  if (at === 'elsewhere' || at === 'nowhere') throw own;
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
  const readings: Readonly<Record<string, Promise<unknown>>> = {
    members: collect(memberships.list(organization, {}, NO_INCLUDE, limit), (page) => page),
    teams: collect(teams.list(organization, limit), (page) => page),
    providers: collect(providers.list(organization, {}, limit), (page) => page),
    'audit-token': auditTokens.find(organization),
    // A token without the permission gets an empty one.
    'audit-trail': auditTrail.hasEvents(),
  };
  const names = Object.keys(readings);
  const answers = await Promise.all(Object.values(readings).map(attempt));
  // Terraform Enterprise shows its organization token there.
  const isEnterprise = findEvidence(service) !== undefined;
  return names.filter((name, index) => {
    if (name === 'audit-token' && isEnterprise) return false;
    return Boolean(answers[index]) && !(answers[index] instanceof ServiceError);
  });
}

/** An answer about the token or the thing asked for, and not about the service's own state, is given back. */
async function attempt<Value>(reading: Promise<Value>): Promise<Value | ServiceError> {
  return await reading.catch((error: unknown) => {
    if (error instanceof ServiceError && error.status >= 400 && error.status < 500 && error.status !== 429)
      return error;
    throw error;
  });
}

function toRefused(refusal: ServiceError): TokenFacts {
  return { works: false, kind: null, account: null, refusal };
}

function describeAccount({ attributes = {} }: Resource): TokenFacts {
  const { username, 'is-service-account': isService } = attributes;
  const account = typeof username === 'string' ? username : null;
  const ofService = isService === true ? (readAccountName(account ?? '') ?? 'service-account') : null;
  return { works: true, kind: isService === false ? 'user' : ofService, account };
}
