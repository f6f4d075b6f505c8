import { isObject } from '../json-object.ts';
import { OPERATIONS, type OperationName } from './operations.ts';
import { parseJson } from './problem.ts';
import type { Answer } from './transport.ts';

/**
 * What a refusal means, as far as a few readings can tell. The service answers 404 to what is absent and to what is not
 * permitted; what it lets the same token read tells more. Pure: explain.ts does the asking.
 */

/** The call that was refused. */
export interface RefusedCall {
  /** Undefined for a call orgctl has no name for. */
  readonly operation: OperationName | undefined;
  readonly organization: string | undefined;
}

/** `own`: the caller's memberships. `object`: what a DELETE was about. */
export type Probe = 'own' | 'account' | 'organization' | 'object' | 'audit-trail';

/** What the service told of the caller, of the organization, and of what the call was about. */
export interface Evidence {
  readonly own?: readonly OwnMembership[] | 'refused' | 'unauthorized' | 'unknown';
  /** The name of the account the token acts as, when it is a service account. */
  readonly account?: { readonly service: string } | 'user' | 'refused' | 'unknown';
  readonly organization?: 'reached' | 'refused' | 'unknown';
  readonly object?: 'reached' | 'refused' | 'unknown';
  readonly 'audit-trail'?: 'events' | 'nothing' | 'unknown';
  /** Whether the answers named the version of their API, as a service does that has more than the document's routes. */
  readonly namesVersion: boolean;
}

export interface OwnMembership {
  readonly organization: string;
  readonly isActive: boolean;
  /** Undefined where the names of the teams were not told. */
  readonly isOwner: boolean | undefined;
}

export type Verdict =
  | 'invalid-token'
  | 'wrong-token-kind'
  | 'organization-not-reached'
  | 'missing-permission'
  | 'absent'
  | 'unknown';

export interface Diagnosis {
  readonly verdict: Verdict | 'wrong-base-url' | 'wrong-host';
  readonly reasons: readonly string[];
  readonly hint?: string;
}

export const MOST_PROBES = 3;

/** `path` is below the base URL, as it was sent, without a query. */
export function toRefusedCall(method: string, path: string): RefusedCall {
  const segment = /^\/organizations\/([^/]+)/.exec(path)?.[1];
  const found = CALLS.find(([known, pattern]) => known === method && pattern.test(path));
  return { operation: found?.[2], organization: segment === undefined ? undefined : decode(segment) };
}

const ORGANIZATION = '^/organizations/[^/]+';
const CALLS: readonly (readonly [method: string, pattern: RegExp, operation: OperationName])[] = [
  ['GET', /^\/feature-sets$/, 'list-feature-sets'],
  ['GET', new RegExp(`${ORGANIZATION}/feature-sets$`), 'list-organization-feature-sets'],
  ['POST', new RegExp(`${ORGANIZATION}/authentication-token$`), 'generate-audit-token'],
  ['DELETE', new RegExp(`${ORGANIZATION}/authentication-token$`), 'delete-audit-token'],
  ['GET', new RegExp(`${ORGANIZATION}/authentication-token$`), 'show-audit-token'],
  ['GET', /^\/organization\/audit-trail$/, 'list-audit-trail'],
  ['POST', new RegExp(`${ORGANIZATION}/organization-memberships$`), 'invite-member'],
  ['GET', new RegExp(`${ORGANIZATION}/organization-memberships$`), 'list-members'],
  ['GET', /^\/organization-memberships$/, 'list-own-memberships'],
  ['GET', /^\/organization-memberships\/[^/]+$/, 'show-member'],
  ['DELETE', /^\/organization-memberships\/[^/]+$/, 'remove-member'],
  ['GET', new RegExp(`${ORGANIZATION}/registry-providers$`), 'list-providers'],
  ['POST', new RegExp(`${ORGANIZATION}/registry-providers$`), 'create-provider'],
  ['GET', new RegExp(`${ORGANIZATION}/registry-providers/[^/]+/[^/]+/[^/]+$`), 'get-provider'],
  ['DELETE', new RegExp(`${ORGANIZATION}/registry-providers/[^/]+/[^/]+/[^/]+$`), 'delete-provider'],
  ['GET', new RegExp(`${ORGANIZATION}/teams$`), 'list-teams'],
];

/** What the refusal itself has told before anything more is asked. */
export function toFirstEvidence({ operation }: RefusedCall, namesVersion: boolean): Evidence {
  return {
    namesVersion,
    ...(operation === 'list-own-memberships' ? { own: 'refused' } : {}),
    ...(operation === 'list-members' ? { organization: 'refused' } : {}),
  };
}

/** The reading that would tell most now; undefined when there is nothing more to learn. */
export function chooseProbe(call: RefusedCall, evidence: Evidence): Probe | undefined {
  const { own, account, organization, object } = evidence;
  const wanted: readonly (Probe | false)[] =
    own === undefined
      ? ['own']
      : own === 'unauthorized'
        ? []
        : isPerson(own)
          ? [hasObject(call) && isMember(call, own) && 'object']
          : [
              // Only an audit trail token is refused its own memberships, its account, and not the audit trail.
              own === 'refused' && call.operation !== 'list-audit-trail' && 'audit-trail',
              hasObject(call) && call.organization !== undefined ? 'object' : 'account',
              call.organization !== undefined && object !== 'reached' && !isAuditToken(evidence) && 'organization',
              hasObject(call) && call.organization === undefined && 'object',
            ];
  const asked = { own, account, organization, object, 'audit-trail': evidence['audit-trail'] };
  return wanted.find((probe): probe is Probe => probe !== false && asked[probe] === undefined);
}

/** Says what is proved, and names what is not. */
export function diagnose(call: RefusedCall, evidence: Evidence): Diagnosis {
  const { own } = evidence;
  if (own === 'unauthorized') {
    return {
      verdict: 'invalid-token',
      reasons: ['found: the next request with the same token was answered 401, so that the token is not valid now'],
      hint: 'Set ORGCTL_TOKEN to a valid token of this service.',
    };
  }
  if (isAuditToken(evidence)) {
    return {
      verdict: 'wrong-token-kind',
      reasons: ['found: this is an audit trail token, which reads the audit trail and may do nothing else'],
      hint: 'Use the token of a user, a team or the organization.',
    };
  }
  const unreached = findUnreached(call, evidence);
  if (unreached !== undefined) return unreached;
  return (isReached(call, evidence) ? explainWithin(call, evidence) : explainWithout(call, evidence)) ?? UNKNOWN;
}

const UNKNOWN: Diagnosis = {
  verdict: 'unknown',
  reasons: ['found: nothing more; the service does not let this token see which of these it is'],
};

export function isPerson(own: Evidence['own']): own is readonly OwnMembership[] {
  return Array.isArray(own) && own.length > 0;
}

function hasObject({ operation }: RefusedCall): boolean {
  return operation === 'remove-member' || operation === 'delete-provider';
}

export function isAuditToken({ own, account, 'audit-trail': auditTrail }: Evidence): boolean {
  return own === 'refused' && auditTrail === 'events' && account === 'refused';
}

function findMembership({ organization }: RefusedCall, own: readonly OwnMembership[]): OwnMembership | undefined {
  return own.find((membership) => membership.organization.toLowerCase() === organization?.toLowerCase());
}

function isMember(call: RefusedCall, own: readonly OwnMembership[]): boolean {
  return call.organization === undefined || findMembership(call, own)?.isActive === true;
}

export function isReached(call: RefusedCall, { own, organization, object }: Evidence): boolean {
  if (call.organization === undefined) return false;
  return organization === 'reached' || object === 'reached' || (isPerson(own) && isMember(call, own));
}

/** The organization is not one that this token reaches. */
function findUnreached(call: RefusedCall, { own, account, organization }: Evidence): Diagnosis | undefined {
  const name = call.organization;
  if (name === undefined) return undefined;
  if (isPerson(own)) {
    const membership = findMembership(call, own);
    if (membership?.isActive === true) return undefined;
    if (membership !== undefined) {
      return {
        verdict: 'organization-not-reached',
        reasons: [`found: the user of this token is invited to ${name}, and has not accepted yet`],
        hint: 'Accept the invitation, which came by email, and run the command again.',
      };
    }
    return {
      verdict: 'organization-not-reached',
      reasons: [
        `found: the user of this token is in ${listNames(own.map((each) => each.organization))}, and not in ${name}`,
        `not to be told: whether there is an organization ${name}`,
      ],
      hint: 'Check the name of the organization, or ask one of its owners for an invitation.',
    };
  }
  const isService = typeof account === 'object';
  if (organization !== 'refused' || !(isService || (Array.isArray(own) && account !== 'user'))) return undefined;
  return {
    verdict: 'organization-not-reached',
    reasons: [
      isService
        ? `found: the token acts as ${account.service}, which does not reach ${name}`
        : `found: the token is in no organization as a member, and does not reach ${name}`,
      `not to be told: whether there is an organization ${name}`,
    ],
    hint: 'Check the name of the organization: a token of a team or an organization works in its own one only.',
  };
}

const MOST_NAMES = 10;

export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES);
  return names.length > shown.length
    ? `${shown.join(', ')} and ${names.length - shown.length} more`
    : shown.join(', ').replace(/, ([^,]+)$/, ' and $1');
}

/** The organization is there and this token reaches it. */
function explainWithin(call: RefusedCall, evidence: Evidence): Diagnosis | undefined {
  const name = call.organization ?? '';
  const reached = `${name} is there, and this token reaches it`;
  const { operation } = call;
  switch (operation) {
    case 'invite-member':
    case 'create-provider':
      return toMissing(`${reached}, so that the permission is what is missing`);
    case 'list-members':
      return evidence.organization === 'refused'
        ? toMissing(`the user of this token is a member of ${name}`)
        : undefined;
    case 'get-provider':
      return {
        verdict: 'absent',
        reasons: [`found: ${reached}, and every member may see its providers: the provider is not there`],
        hint: 'Check the registry, the namespace and the name.',
      };
    case 'delete-provider':
      if (evidence.object === 'reached')
        return toMissing('the provider is there, so that the permission is what is missing');
      if (evidence.object !== 'refused') break;
      return {
        verdict: 'absent',
        reasons: [`found: ${reached}, and the provider is not there`],
        hint: 'Check the registry, the namespace and the name.',
      };
    case 'generate-audit-token':
    case 'delete-audit-token':
    case 'show-audit-token':
      return explainAuditToken(operation, name, evidence);
    default:
  }
  return {
    verdict: 'unknown',
    reasons: [
      `found: ${reached}`,
      'not to be told: whether the service has no such thing, or keeps it from this token',
    ],
    hint: 'Check the other names, and who may do this.',
  };
}

function explainAuditToken(
  operation: 'generate-audit-token' | 'delete-audit-token' | 'show-audit-token',
  name: string,
  evidence: Evidence,
): Diagnosis {
  const may = mayManageToken(name, evidence);
  if (may === false) {
    return {
      verdict: 'missing-permission',
      reasons: [`found: the user of this token is a member of ${name} and not in its owners team`],
      hint: 'Use a token of an owner, of the owners team or of the organization.',
    };
  }
  if (may === undefined) {
    return {
      verdict: 'unknown',
      reasons: [
        `found: ${name} is there, and this token reaches it`,
        'not to be told: whether this token may manage the audit trail token',
      ],
      hint: 'Use a token of an owner, of the owners team or of the organization.',
    };
  }
  if (operation === 'generate-audit-token') {
    return {
      verdict: 'absent',
      reasons: [`found: this token may manage tokens of ${name}, so that ${name} is not entitled to audit logging`],
      hint: 'Check the plan of the organization.',
    };
  }
  // A service without the route answers the same to a reading of it, but not to a DELETE.
  const isCertain = operation === 'delete-audit-token' || evidence.namesVersion;
  return {
    verdict: isCertain ? 'absent' : 'unknown',
    reasons: [
      `found: this token may manage tokens of ${name}${isCertain ? `, so that ${name} has no audit trail token` : ''}`,
      ...(isCertain ? [] : ['not to be told: whether there is no audit trail token, or this service does not show it']),
    ],
    ...(isCertain ? { hint: 'Make one with audit-token generate.' } : {}),
  };
}

/** Undefined where nothing tells. */
function mayManageToken(name: string, { own, account }: Evidence): boolean | undefined {
  if (isPerson(own)) return findMembership({ operation: undefined, organization: name }, own)?.isOwner;
  return typeof account === 'object' && isOrganizationAccount(account.service) ? true : undefined;
}

/** Assumed: the account of an organization token is named so, that of a team token `api-team…`. */
function isOrganizationAccount(account: string): boolean {
  return account.startsWith('api-org-');
}

/** What belongs to no organization, or to one that nothing is known of. */
function explainWithout(call: RefusedCall, evidence: Evidence): Diagnosis | undefined {
  const { own, account, object } = evidence;
  const isKnown = isPerson(own) || account === 'user' || typeof account === 'object';
  if (!isKnown) return undefined;
  switch (call.operation) {
    case 'remove-member':
      if (object === 'reached') return toMissing('the membership is there, so that the permission is what is missing');
      if (object !== 'refused') return undefined;
      return explainMember(evidence);
    case 'show-member':
      return explainMember(evidence);
    case 'list-feature-sets':
      return {
        verdict: 'absent',
        reasons: [`found: this kind of token may see them elsewhere: ${OPERATIONS[call.operation].absent}`],
        hint: 'Check the base URL: is it the service you mean?',
      };
    case 'list-audit-trail':
      return {
        verdict: 'absent',
        reasons: [
          'found: a token that may not read it would see an empty list, so that this service has no audit trail',
        ],
        hint: 'Check the base URL: is it the service you mean?',
      };
    default:
      return undefined;
  }
}

function explainMember({ own, account }: Evidence): Diagnosis {
  const where = isPerson(own)
    ? `${listNames(own.map((each) => each.organization))}, where the user of this token is a member`
    : `the organization of ${typeof account === 'object' ? account.service : 'this token'}`;
  return {
    verdict: 'absent',
    reasons: [`found: there is no such membership in ${where}`, 'not to be told: whether another organization has it'],
    hint: 'Check the id: members list shows those of an organization.',
  };
}

function toMissing(found: string): Diagnosis {
  return { verdict: 'missing-permission', reasons: [`found: ${found}`], hint: 'Use a token that may do this.' };
}

/** Reading what the probes were answered. An answer that is not the service's own tells nothing. */

export function readOwn(answer: Answer | undefined): NonNullable<Evidence['own']> {
  if (answer?.status === 401) return 'unauthorized';
  const document = readDocument(answer);
  if (document === undefined) return readRefusal(answer);
  const { data, included } = document;
  // Of a list in parts the rest is not known.
  const isWhole = !isObject(document['links']) || typeof document['links']['next'] !== 'string';
  if (!Array.isArray(data) || !isWhole) return 'unknown';
  const teams = readTeamNames(included);
  const memberships = data.map((entry) => readMembership(entry, teams));
  return memberships.every((entry) => entry !== undefined) ? memberships : 'unknown';
}

function readMembership(entry: unknown, teams: ReadonlyMap<string, string>): OwnMembership | undefined {
  if (!isObject(entry)) return undefined;
  const organization = readIdentifiers(entry, 'organization')[0];
  if (organization === undefined) return undefined;
  const names = readIdentifiers(entry, 'teams').map((id) => teams.get(id));
  const isOwner = names.includes('owners') ? true : names.includes(undefined) ? undefined : false;
  const status = isObject(entry['attributes']) ? entry['attributes']['status'] : undefined;
  return { organization, isActive: status === 'active', isOwner: teams.size === 0 ? undefined : isOwner };
}

function readIdentifiers(entry: Readonly<Record<string, unknown>>, name: string): readonly string[] {
  const relationships = isObject(entry['relationships']) ? entry['relationships'] : {};
  const relationship = relationships[name];
  const data = isObject(relationship) ? relationship['data'] : undefined;
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
  const data = readDocument(answer)?.['data'];
  const attributes = isObject(data) ? data['attributes'] : undefined;
  if (!isObject(attributes)) return readRefusal(answer);
  const { username } = attributes;
  if (attributes['is-service-account'] !== true) return 'user';
  return typeof username === 'string' ? { service: username } : 'unknown';
}

export function readReach(answer: Answer | undefined): 'reached' | 'refused' | 'unknown' {
  return readDocument(answer)?.['data'] === undefined ? readRefusal(answer) : 'reached';
}

/** The wrong kind of token is answered with an empty list, and not told so. */
export function readAuditTrail(answer: Answer | undefined): NonNullable<Evidence['audit-trail']> {
  const body = answer?.status === 200 ? parseJson(answer.text) : undefined;
  if (!isObject(body) || !Array.isArray(body['data'])) return 'unknown';
  return body['data'].length > 0 ? 'events' : 'nothing';
}

/** Whether an answer is in the service's own form, success or not. */
export function isOwnForm(answer: Answer): boolean {
  const body = parseJson(answer.text);
  return isObject(body) && ('data' in body || Array.isArray(body['errors']));
}

function readDocument(answer: Answer | undefined): Readonly<Record<string, unknown>> | undefined {
  const body = answer?.status === 200 ? parseJson(answer.text) : undefined;
  return isObject(body) && 'data' in body ? body : undefined;
}

function readRefusal(answer: Answer | undefined): 'refused' | 'unknown' {
  return answer?.status === 404 && isOwnForm(answer) ? 'refused' : 'unknown';
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
