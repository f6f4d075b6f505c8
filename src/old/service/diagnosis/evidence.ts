import type { ConnectionError, ServiceError } from '../../errors.ts';
import { getMember, isObject, toText } from '../../json-object.ts';
import { findAddress, toAddressText } from '../../resources/provider-address.ts';
import { OWNERS_TEAM } from '../../resources/team.ts';
import type { Resource } from '../../wire/json-api.ts';
import type { Answer } from '../http.ts';
import { parseJson } from '../problem.ts';
import { isOwnForm } from './address.ts';

/** What the readings after a refusal prove. An answer that is not in the service's own form proves nothing. Pure. */
export interface Evidence {
  readonly own?: readonly OwnMembership[] | 'refused' | 'unauthorized' | 'unknown';
  /** The name of the account the token acts as, when it is a service account. */
  readonly account?: { readonly service: string } | 'user' | 'refused' | 'unknown';
  readonly organization?: Reach;
  readonly providers?: Reach;
  /** The addresses of those that were read. */
  readonly known?: readonly string[];
  /** What a DELETE was about. */
  readonly object?: Reach;
  readonly 'audit-trail'?: 'events' | 'nothing' | 'unknown';
  /** A route of the API answered, so that the base URL is right. */
  readonly isApi?: boolean;
  readonly isEnterprise?: boolean;
  /** Why the first reading that got no answer got none. */
  readonly trouble?: ServiceError | ConnectionError;
}

type Reach = 'reached' | 'refused' | 'unknown';

export interface OwnMembership {
  readonly organization: string;
  /** `active`, `invited` or another that the service may have; undefined where it says none. */
  readonly status: string | undefined;
  /** Undefined where the names of the teams are unknown. */
  readonly isOwner: boolean | undefined;
}

/** Whether these are a person's memberships: other tokens have none. */
export function isPerson(own: Evidence['own']): own is readonly OwnMembership[] {
  return Array.isArray(own) && own.length > 0;
}

/** Only an accepted invitation makes a member. */
export function listOrganizations(own: readonly OwnMembership[]): readonly string[] {
  return own.filter(({ status }) => status === 'active').map(({ organization }) => organization);
}

/**
 * Assumed: the audit trail token is the only one that reads the audit trail, and is refused its own memberships and its
 * account.
 */
export function isAuditToken({ own, account, 'audit-trail': auditTrail }: Evidence): boolean {
  return own === 'refused' && auditTrail === 'events' && account === 'refused';
}

/**
 * Whom a service account acts for. Assumed: the hosted service gives the token of an organization an account whose name
 * begins with api-org-, and that of a team one with api-team.
 */
export function readAccountName(account: string): 'organization' | 'team' | undefined {
  if (account.startsWith('api-org-')) return 'organization';
  return account.startsWith('api-team') ? 'team' : undefined;
}

export function readOwn(answer: Answer | undefined): NonNullable<Evidence['own']> {
  if (answer?.status === 401 && isOwnForm(answer)) return 'unauthorized';
  const document = readDocument(answer);
  if (document === undefined) return readRefusal(answer);
  const { data, included } = document;
  if (!Array.isArray(data) || !isWhole(document)) return 'unknown';
  const teams = readTeamNames(included);
  const memberships = data.map((entry) => readMembership(entry, teams));
  return memberships.every((entry) => entry !== undefined) ? memberships : 'unknown';
}

/** Whether it is the whole list: nothing is known of further pages. */
function isWhole({ links, meta }: Readonly<Record<string, unknown>>): boolean {
  return typeof getMember(links, 'next') !== 'string' && typeof getMember(meta, 'pagination', 'next-page') !== 'number';
}

function readMembership(entry: unknown, teams: ReadonlyMap<string, string>): OwnMembership | undefined {
  if (!isObject(entry)) return undefined;
  const organization = readIdentifiers(entry, 'organization')[0];
  if (organization === undefined) return undefined;
  const names = readIdentifiers(entry, 'teams').map((id) => teams.get(id));
  const isKnown = teams.size > 0 && names.length > 0 && !names.includes(undefined);
  const isOwner = names.includes(OWNERS_TEAM) ? true : isKnown ? false : undefined;
  return { organization, status: toText(getMember(entry, 'attributes', 'status')), isOwner };
}

function readIdentifiers(entry: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const data = getMember(entry, 'relationships', name, 'data');
  return (Array.isArray(data) ? data : [data]).flatMap((each) =>
    isObject(each) && typeof each['id'] === 'string' ? [each['id']] : [],
  );
}

function readTeamNames(included: unknown): ReadonlyMap<string, string> {
  const resources = Array.isArray(included) ? included.filter(isObject) : [];
  return new Map(
    resources.flatMap(({ type, id, attributes }) =>
      type === 'teams' && typeof id === 'string' && isObject(attributes) && typeof attributes['name'] === 'string'
        ? [[id, attributes['name']] as const]
        : [],
    ),
  );
}

export function readAccount(answer: Answer | undefined): NonNullable<Evidence['account']> {
  const attributes = getMember(readDocument(answer), 'data', 'attributes');
  if (!isObject(attributes)) return readRefusal(answer);
  const { username, 'is-service-account': isService } = attributes;
  if (isService === false) return 'user';
  return isService === true && typeof username === 'string' ? { service: username } : 'unknown';
}

export function readReach(answer: Answer | undefined): Reach {
  return readDocument(answer)?.['data'] === undefined ? readRefusal(answer) : 'reached';
}

/** `registry/namespace/name` of each provider on a page. */
export function readAddresses(answer: Answer | undefined): readonly string[] {
  const data = readDocument(answer)?.['data'];
  return (Array.isArray(data) ? data : []).flatMap((entry) => {
    const address = isObject(entry) ? findAddress(entry as object as Resource) : undefined;
    return address === undefined ? [] : [toAddressText(address)];
  });
}

/** Assumed: a token without the permission to read the audit trail gets an empty list. */
export function readAuditTrail(answer: Answer | undefined): NonNullable<Evidence['audit-trail']> {
  const body = answer?.status === 200 ? parseJson(answer.text) : undefined;
  if (!isObject(body) || !Array.isArray(body['data'])) return 'unknown';
  return body['data'].length > 0 ? 'events' : 'nothing';
}

function readDocument(answer: Answer | undefined): Readonly<Record<string, unknown>> | undefined {
  const body = answer?.status === 200 ? parseJson(answer.text) : undefined;
  return isObject(body) && 'data' in body ? body : undefined;
}

function readRefusal(answer: Answer | undefined): 'refused' | 'unknown' {
  return answer?.status === 404 && isOwnForm(answer) ? 'refused' : 'unknown';
}
