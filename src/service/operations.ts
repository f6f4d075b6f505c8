import { JSON_API_MEDIA_TYPE } from '../wire/json-api.ts';
import type { Method } from './http.ts';
import { type Query, toPathSegment } from './query.ts';

/**
 * The table of operations, which requests, errors, diagnosis and doctor read: how each is asked for, who may do it, and what
 * its refusals mean. What the service's document does not say is in the `assumed…` members, and is shown as assumed.
 */
export type Operation = {
  readonly request: {
    readonly method: 'GET' | 'POST' | 'DELETE';
    /** Below the base URL, `:name` for a parameter; undefined where the caller has a path. */
    readonly path: string | undefined;
    readonly atOrigin?: boolean;
    /** What every request has. */
    readonly query?: Query;
    /** That of JSON:API when left out. */
    readonly mediaType?: string;
  };
  /** Completes the sentence "cannot …". It has parameters as the path has, and may have others. */
  readonly what: string;
  /** What proves more about a refusal, besides the caller's own memberships and the audit trail. */
  readonly readings: readonly Exclude<Reading, 'own' | 'audit-trail'>[];
  readonly answersWithToken?: boolean;
  /** What a status means, other than 404, where it is not what it always means. */
  readonly refusals?: Readonly<Record<number, Refusal>>;
} & Absence &
  Callers;

/**
 * What can be read after a refusal. `own`: the caller's memberships. `organization`, `providers`: the lists of its members
 * and its providers. `object`: what a DELETE is about.
 */
export type Reading = 'own' | 'account' | 'audit-trail' | 'organization' | 'providers' | 'object';

interface Refusal {
  readonly code?: string;
  readonly meaning?: string;
  readonly hint: string;
}

/** What a 404 means besides a missing permission: by the document, and what else it can mean. */
type Absence =
  | { readonly absent: string; readonly assumedAbsent?: string }
  | { readonly absent?: undefined; readonly assumedAbsent: string };

/** Who may do it: by the document (Authentication 1 to 3), or, where it does not say, as far as is known. */
type Callers =
  | { readonly allowed: string; readonly assumedAllowed?: undefined }
  | { readonly allowed?: undefined; readonly assumedAllowed: string };

const TOKEN_CALLERS = 'members of the owners team, the owners team token and the organization token';
const MEMBERSHIP_CALLERS =
  'members of the owners team, the owners team token, the organization token, and holders of a Team Management permission';
const PROVIDER_WRITERS =
  'members of the owners team, the owners team token, and holders of the Manage Private Registry permission';
const MEMBERS = 'every member of the organization';
const ANY_TOKEN = 'any user, team or organization token';
const NO_ORGANIZATION = 'the organization does not exist';
const NO_FEATURE_SETS = 'this service has no feature sets: they exist in the hosted edition only';

/** A body that the service does not accept, and a status without a meaning of its own. */
export const INVALID = { hint: 'Correct what the service names, and run the command again.' };
const CURATION_OFF = {
  meaning: 'public provider curation is disabled for this organization',
  hint: 'Ask who runs the service to enable public provider curation, or publish the provider as a private one.',
};

const ORGANIZATION = '/organizations/:organization';
const TOKEN_SEGMENT = 'authentication-token';
const TOKEN = `${ORGANIZATION}/${TOKEN_SEGMENT}` as const;
const MEMBERSHIPS = `${ORGANIZATION}/organization-memberships` as const;
const MEMBERSHIP = '/organization-memberships/:id';
const PROVIDERS = `${ORGANIZATION}/registry-providers` as const;
const PROVIDER = `${PROVIDERS}/:registryName/:namespace/:name` as const;

// Without this parameter the same path is the organization's ordinary token.
const AUDIT_TRAILS = [['token', 'audit-trails']] as const;
const PLAIN_JSON = 'application/json';

const OF_CALLER = ['account'] as const;
const OF_ORGANIZATION = ['account', 'organization'] as const;

const CREATION = {
  what: 'create provider :registryName/:namespace/:name in :organization',
  readings: OF_ORGANIZATION,
  assumedAbsent: NO_ORGANIZATION,
  allowed: PROVIDER_WRITERS,
  refusals: { 403: CURATION_OFF, 422: INVALID },
} as const;

export const OPERATIONS = Object.freeze({
  'list-feature-sets': {
    request: { method: 'GET', path: '/feature-sets' },
    what: 'list the feature sets',
    readings: OF_CALLER,
    assumedAbsent: NO_FEATURE_SETS,
    assumedAllowed: ANY_TOKEN,
  },
  'list-organization-feature-sets': {
    request: { method: 'GET', path: `${ORGANIZATION}/feature-sets` },
    what: 'list the feature sets :organization is eligible for',
    readings: OF_ORGANIZATION,
    assumedAbsent: `${NO_ORGANIZATION}, or ${NO_FEATURE_SETS}`,
    assumedAllowed: ANY_TOKEN,
  },
  // By the document a 404 means no permission, and nothing else.
  'generate-audit-token': {
    request: { method: 'POST', path: TOKEN, query: AUDIT_TRAILS },
    what: 'generate the audit trail token of :organization',
    readings: OF_ORGANIZATION,
    answersWithToken: true,
    assumedAbsent: `${NO_ORGANIZATION}, or it is not entitled to audit logging`,
    allowed: TOKEN_CALLERS,
  },
  'delete-audit-token': {
    request: { method: 'DELETE', path: TOKEN, query: AUDIT_TRAILS },
    what: 'delete the audit trail token of :organization',
    readings: OF_ORGANIZATION,
    assumedAbsent: `${NO_ORGANIZATION}, or it has no audit trail token`,
    allowed: TOKEN_CALLERS,
  },
  'show-audit-token': {
    request: { method: 'GET', path: TOKEN, query: AUDIT_TRAILS },
    what: 'show the audit trail token of :organization',
    readings: OF_ORGANIZATION,
    assumedAbsent: `${NO_ORGANIZATION}, or it has no audit trail token, or this service cannot show one`,
    assumedAllowed: TOKEN_CALLERS,
  },
  'list-audit-trail': {
    request: { method: 'GET', path: '/organization/audit-trail', mediaType: PLAIN_JSON },
    what: 'list the audit trail',
    readings: OF_CALLER,
    assumedAbsent: 'this service has no audit trail',
    assumedAllowed: 'the audit trail token and the organization token',
  },
  'invite-member': {
    request: { method: 'POST', path: MEMBERSHIPS },
    what: 'invite :email to :organization',
    readings: OF_ORGANIZATION,
    absent: NO_ORGANIZATION,
    allowed: MEMBERSHIP_CALLERS,
    refusals: {
      400: {
        code: 'organization-limit',
        meaning: 'a limit of the organization makes the invitation impossible',
        hint: 'Remove members or invitations that are no longer needed, or raise the limit with the plan.',
      },
      422: INVALID,
    },
  },
  // The document names no refusal of the lists, and does not say who may read them.
  'list-members': {
    request: { method: 'GET', path: MEMBERSHIPS },
    what: 'list the members of :organization',
    readings: OF_ORGANIZATION,
    assumedAbsent: NO_ORGANIZATION,
    assumedAllowed: MEMBERS,
  },
  // The reading before an invitation: a refusal is one of the invitation.
  'find-invitees': {
    request: { method: 'GET', path: MEMBERSHIPS },
    what: 'invite anybody to :organization',
    readings: OF_ORGANIZATION,
    absent: NO_ORGANIZATION,
    allowed: MEMBERSHIP_CALLERS,
  },
  'list-own-memberships': {
    request: { method: 'GET', path: '/organization-memberships' },
    what: 'list your own memberships',
    readings: OF_CALLER,
    assumedAbsent: 'this kind of token has no memberships',
    assumedAllowed: 'every user, with a token of their own',
  },
  'show-member': {
    request: { method: 'GET', path: MEMBERSHIP },
    what: 'show membership :id',
    readings: OF_CALLER,
    absent: 'the membership does not exist',
    assumedAllowed: MEMBERS,
  },
  'remove-member': {
    request: { method: 'DELETE', path: MEMBERSHIP },
    what: 'remove :person',
    readings: ['account', 'object'],
    absent: 'the membership does not exist',
    allowed: MEMBERSHIP_CALLERS,
    refusals: {
      403: {
        meaning: 'nobody can remove themselves from an organization they own',
        hint: 'Let another owner remove this membership.',
      },
    },
  },
  'list-providers': {
    request: { method: 'GET', path: PROVIDERS },
    what: 'list the providers of :organization',
    readings: OF_ORGANIZATION,
    absent: 'there are no providers',
    assumedAbsent: NO_ORGANIZATION,
    allowed: MEMBERS,
  },
  'create-provider': { ...CREATION, request: { method: 'POST', path: PROVIDERS } },
  'get-provider': {
    request: { method: 'GET', path: PROVIDER },
    what: 'get provider :registryName/:namespace/:name of :organization',
    readings: ['account', 'providers'],
    absent: 'the provider does not exist in this organization',
    assumedAbsent: NO_ORGANIZATION,
    allowed: MEMBERS,
    refusals: { 403: CURATION_OFF },
  },
  // The reading before a provider is created: a refusal is one of the creation. Behind the row that asks for the same.
  'find-provider': { ...CREATION, request: { method: 'GET', path: PROVIDER } },
  'delete-provider': {
    request: { method: 'DELETE', path: PROVIDER },
    what: 'delete provider :registryName/:namespace/:name of :organization',
    readings: ['object', 'providers'],
    absent: 'the provider does not exist in this organization',
    assumedAbsent: NO_ORGANIZATION,
    allowed: PROVIDER_WRITERS,
    refusals: { 403: CURATION_OFF },
  },
  'list-teams': {
    request: { method: 'GET', path: `${ORGANIZATION}/teams` },
    what: 'list the teams of :organization',
    readings: OF_ORGANIZATION,
    assumedAbsent: `${NO_ORGANIZATION}, or this service cannot list teams`,
    assumedAllowed: MEMBERS,
  },
  'show-entitlements': {
    request: { method: 'GET', path: `${ORGANIZATION}/entitlement-set` },
    what: 'show what :organization is entitled to',
    readings: OF_ORGANIZATION,
    assumedAbsent: `${NO_ORGANIZATION}, or this service does not say what it is entitled to`,
    assumedAllowed: MEMBERS,
  },
  'show-account': {
    request: { method: 'GET', path: '/account/details' },
    what: 'ask who calls',
    readings: OF_CALLER,
    assumedAbsent: 'this service does not say who calls',
    assumedAllowed: 'everybody with a token',
  },
  'list-public-versions': {
    request: { method: 'GET', path: '/providers/:namespace/:name/versions', atOrigin: true, mediaType: PLAIN_JSON },
    what: 'list the versions of :namespace/:name in the public registry',
    readings: OF_CALLER,
    assumedAbsent: 'the public registry has no such provider, or this service has no proxy to it',
    assumedAllowed: ANY_TOKEN,
  },
  discover: {
    request: { method: 'GET', path: '/.well-known/terraform.json', atOrigin: true, mediaType: PLAIN_JSON },
    what: 'read the discovery document',
    readings: OF_CALLER,
    assumedAbsent: 'this service has no discovery document',
    assumedAllowed: 'everybody',
  },
  'accept-invitation': {
    request: { method: 'POST', path: '/sandbox/accept', atOrigin: true, mediaType: PLAIN_JSON },
    what: 'accept the invitation of :email',
    readings: OF_CALLER,
    assumedAbsent: 'this is no sandbox, or one that cannot do this yet',
    assumedAllowed: 'everybody',
  },
  // Asked for by its path, with any method.
  generic: {
    request: { method: 'GET', path: undefined },
    what: ':method :path',
    readings: OF_ORGANIZATION,
    absent: 'there is nothing at this path',
    allowed: 'see the documentation of this path',
  },
  ping: {
    request: { method: 'GET', path: '/ping' },
    what: 'ask which service this is',
    readings: OF_CALLER,
    assumedAbsent: 'this service has no ping route',
    assumedAllowed: 'everybody',
  },
} as const satisfies Record<string, Operation>);

export type OperationName = keyof typeof OPERATIONS;

/** What is asked for: an operation, and a value for each parameter of its path and its sentence. */
export type OperationCall = {
  readonly [Name in OperationName]: RowCall<Name, (typeof OPERATIONS)[Name]>;
}[OperationName];

type RowCall<Name, Row extends Operation> = { readonly operation: Name } & (Row['request']['path'] extends string
  ? {
      readonly prefix?: string;
    } & Parameters<NamesIn<Row['request']['path'] | Row['what']>>
  : {
      readonly method: Method;
      readonly path: string;
    });

type Parameters<Name extends string> = [Name] extends [never]
  ? { readonly parameters?: never }
  : { readonly parameters: Readonly<Record<Name, string>> };

type NamesIn<Text extends string> = Text extends `${infer First}${'/' | ' '}${infer Rest}`
  ? NamesIn<First> | NamesIn<Rest>
  : Text extends `:${infer Name}`
    ? Name
    : never;

export interface OperationRequest {
  readonly operation: OperationName;
  readonly what: string;
  readonly method: Method;
  readonly path: string;
  readonly atOrigin: boolean;
  readonly query: Query;
  readonly mediaType: string;
  readonly answersWithToken: boolean;
}

/** Throws UsageError for a value that no segment of a path can carry. */
export function toRequest(call: OperationCall): OperationRequest {
  const { operation } = call;
  const { request, what, answersWithToken = false }: Operation = OPERATIONS[operation];
  const usual = { operation, atOrigin: false, query: [], mediaType: JSON_API_MEDIA_TYPE, ...request };
  if (call.operation === 'generic') {
    const { method, path } = call;
    const said = fill(what, { method, path });
    return { ...usual, method, path, what: said, answersWithToken: mayCreateToken(method, path) };
  }
  const { prefix = '', parameters = {} } = call;
  const path = prefix + fill(request.path ?? '', parameters, toPathSegment);
  return { ...usual, path, what: fill(what, parameters), answersWithToken };
}

function fill(
  template: string,
  parameters: Readonly<Record<string, string>>,
  write = (value: string): string => value,
): string {
  return template.replace(/:(\w+)/g, (_, name: string) => write(parameters[name] ?? ''));
}

/** Assumed: the routes of all kinds of tokens end as that of the audit trail token does, or in its plural. */
function mayCreateToken(method: Method, path: string): boolean {
  const last = toSegments(path).at(-1)?.toLowerCase() ?? '';
  return !['GET', 'HEAD', 'DELETE'].includes(method) && [TOKEN_SEGMENT, `${TOKEN_SEGMENT}s`].includes(last);
}

/** The first operation with this method and path; undefined where there is none. `path`: percent-encoded, without a query. */
export function findOperation(method: Method, path: string): OperationName | undefined {
  const segments = toSegments(path);
  const names = Object.keys(OPERATIONS) as OperationName[];
  return names.find((name) => {
    const { request }: Operation = OPERATIONS[name];
    if (request.method !== method || request.path === undefined || request.atOrigin === true) return false;
    return matches(segments, toSegments(request.path));
  });
}

export function findOrganization(path: string): string | undefined {
  const template = toSegments(ORGANIZATION);
  const first = toSegments(path).slice(0, template.length);
  return matches(first, template) ? first.at(-1) : undefined;
}

/** The organization whose audit trail token a request is about, whatever its method; undefined for any other request. */
export function findAuditTokenOwner(path: string, query: Query): string | undefined {
  const isAbout = AUDIT_TRAILS.every(([name, value]) => query.some((pair) => pair[0] === name && pair[1] === value));
  return isAbout && matches(toSegments(path), toSegments(TOKEN)) ? findOrganization(path) : undefined;
}

function toSegments(path: string): readonly (string | undefined)[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  return segments.map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return undefined;
    }
  });
}

function matches(segments: readonly (string | undefined)[], template: readonly (string | undefined)[]): boolean {
  return (
    segments.length === template.length &&
    template.every((expected, index) => expected?.startsWith(':') === true || expected === segments[index])
  );
}
