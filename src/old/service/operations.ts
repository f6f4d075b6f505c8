import type { ErrorCode } from '../error-codes.ts';
import { SUPPOSED } from '../errors.ts';
import { getMember } from '../json-object.ts';
import { JSON_API_MEDIA_TYPE, type Resource } from '../wire/json-api.ts';
import type { Method } from './http.ts';
import { type Query, toPathSegment } from './query.ts';

/**
 * The table of operations, which requests, errors, diagnosis and doctor read: how each is asked for, who can do it, and what
 * its refusals mean. What the service's document does not say is in the `assumed…` members, and is shown as assumed.
 */
export type Operation = {
  readonly request: {
    readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
    /** Below the base URL, `:name` for a parameter; undefined where the caller has a path. */
    readonly path: string | undefined;
    readonly atOrigin?: boolean;
    /** What every request has. */
    readonly query?: Query;
    /** That of JSON:API when left out. */
    readonly mediaType?: string;
  };
  /** Completes "Would …", "can't …" and "you don't have permission to …". May have other parameters than the path. */
  readonly what: string;
  /** Completes "you don't have permission to …" where it is not about this one thing. */
  readonly permission?: string;
  /** What proves more about a refusal, besides the caller's own memberships and the audit trail. */
  readonly readings: readonly Exclude<Reading, 'own' | 'audit-trail'>[];
  readonly answersWithToken?: boolean;
  /** What a status means, other than 404, where it is not what it always means. */
  readonly refusals?: Readonly<Record<number, Refusal>>;
  /** What a 404 can mean besides what it always means: completes "it can also mean that …". */
  readonly assumedAbsence?: string;
  /** What the service says of a caller's permissions where it shows an organization: who has one of them may do it. */
  readonly assumedRights?: readonly string[];
} & Callers;

/**
 * What can be read after a refusal. `own`: the caller's memberships. `organization`, `providers`: the lists of its members
 * and its providers. `object`: what a DELETE is about.
 */
export type Reading = 'own' | 'account' | 'audit-trail' | 'organization' | 'providers' | 'object';

interface Refusal {
  readonly code?: ErrorCode;
  /** Left out where it means no more than that the request was rejected. */
  readonly toFinding?: (of: { readonly organization: string; readonly said: string }) => string;
  readonly hint: string;
  /** In its place, where the service says something that has its own. */
  readonly toHint?: (said: string) => string | undefined;
  /** Commands, as words. */
  readonly next?: readonly (readonly string[])[];
}

/** Who can do it: by the document (Authentication 1 to 3), or, where it does not say, as far as is known. */
type Callers =
  | { readonly allowed: string; readonly assumedAllowed?: undefined }
  | { readonly allowed?: undefined; readonly assumedAllowed: string };

const TOKEN_CALLERS = 'owners, the owners team token, the organization token';
const MEMBERSHIP_CALLERS = 'owners, the owners team token, the organization token, people with Team Management';
const TEAM_TOKEN_CALLERS =
  'owners, the organization token, people with Manage Teams, members of the team where it lets them';
const PROVIDER_WRITERS = 'owners, the owners team token, people with Manage Private Registry';
const MEMBERS = 'every member of the organization';
const ANY_TOKEN = 'any user, team or organization token';
const ANYONE = 'everyone';
const NO_TEAMS = "this service can't show teams";
const NO_DESCRIPTIONS = 'this service has no tokens with descriptions';
const NO_VERSIONS = 'this service has no versions of providers';
const NO_FEATURE_SETS = 'this service has no feature sets: they exist in the hosted edition only';

/** Who has one of them may manage the tokens of an organization. */
const TOKEN_RIGHTS = ['can-update-authentication-token', 'can-update-api-token'];

/** A body that the service does not accept. */
export const INVALID = { hint: 'Fix these values and run the command again.' };
const CURATION_OFF = {
  toFinding: ({ organization }) => `${organization} doesn't allow public providers`,
  hint: 'Ask the operator to enable public provider curation.',
} as const satisfies Refusal;

const ORGANIZATION = '/organizations/:organization';
const TOKEN_SEGMENT = 'authentication-token';
const TOKEN = `${ORGANIZATION}/${TOKEN_SEGMENT}` as const;
const TEAM_TOKEN = `/teams/:id/${TOKEN_SEGMENT}` as const;
const TOKEN_BY_ID = `/${TOKEN_SEGMENT}s/:id` as const;
const MEMBERSHIPS = `${ORGANIZATION}/organization-memberships` as const;
const MEMBERSHIP = '/organization-memberships/:id';
const TEAM_MEMBERS = '/teams/:id/relationships/organization-memberships';
const PROVIDERS = `${ORGANIZATION}/registry-providers` as const;
const PROVIDER = `${PROVIDERS}/:registryName/:namespace/:name` as const;
const VERSIONS = `${PROVIDER}/versions` as const;
const VERSION = `${VERSIONS}/:version` as const;
const PLATFORMS = `${VERSION}/platforms` as const;
const PLATFORM = `${PLATFORMS}/:os/:arch` as const;
// Beside the API, below a prefix.
const KEYS = '/gpg-keys';
/** Assumed: the registry lies at the origin of the base URL, and not below its path. */
export const REGISTRY_PATH = '/api/registry';

// Without this parameter the same path is the organization's own token.
const AUDIT_TRAILS = [['token', 'audit-trails']] as const;
const PLAIN_JSON = 'application/json';
const BYTES = 'application/octet-stream';

const OF_CALLER = ['account'] as const;
const OF_ORGANIZATION = ['account', 'organization'] as const;

const CREATION = {
  what: 'add :registryName/:namespace/:name to :organization',
  permission: 'add providers to :organization',
  readings: OF_ORGANIZATION,
  allowed: PROVIDER_WRITERS,
  refusals: {
    403: { ...CURATION_OFF, hint: 'Ask the operator to enable public provider curation, or add it as a private one.' },
    422: INVALID,
  },
} as const;

export const OPERATIONS = Object.freeze({
  'list-feature-sets': {
    request: { method: 'GET', path: '/feature-sets' },
    what: 'list the feature sets',
    readings: OF_CALLER,
    assumedAbsence: NO_FEATURE_SETS,
    assumedAllowed: ANY_TOKEN,
  },
  'list-organization-feature-sets': {
    request: { method: 'GET', path: `${ORGANIZATION}/feature-sets` },
    what: 'list the feature sets for :organization',
    readings: OF_ORGANIZATION,
    assumedAbsence: NO_FEATURE_SETS,
    assumedAllowed: MEMBERS,
  },
  'generate-audit-token': {
    request: { method: 'POST', path: TOKEN, query: AUDIT_TRAILS },
    what: "generate :organization's audit trail token",
    readings: OF_ORGANIZATION,
    answersWithToken: true,
    assumedAbsence: 'the organization is not entitled to audit logging',
    allowed: TOKEN_CALLERS,
  },
  'delete-audit-token': {
    request: { method: 'DELETE', path: TOKEN, query: AUDIT_TRAILS },
    what: "delete :organization's audit trail token",
    readings: OF_ORGANIZATION,
    allowed: TOKEN_CALLERS,
  },
  'show-audit-token': {
    request: { method: 'GET', path: TOKEN, query: AUDIT_TRAILS },
    what: "show :organization's audit trail token",
    readings: OF_ORGANIZATION,
    assumedAbsence: "this service can't show one",
    assumedAllowed: TOKEN_CALLERS,
  },
  // Outside the document, and behind the rows that ask for the same with a query.
  'generate-organization-token': {
    request: { method: 'POST', path: TOKEN },
    what: 'generate the organization token of :organization',
    readings: OF_ORGANIZATION,
    answersWithToken: true,
    assumedAllowed: TOKEN_CALLERS,
    assumedRights: TOKEN_RIGHTS,
  },
  'delete-organization-token': {
    request: { method: 'DELETE', path: TOKEN },
    what: 'delete the organization token of :organization',
    readings: OF_ORGANIZATION,
    assumedAllowed: TOKEN_CALLERS,
  },
  'show-organization-token': {
    request: { method: 'GET', path: TOKEN },
    what: 'show the organization token of :organization',
    readings: OF_ORGANIZATION,
    assumedAllowed: TOKEN_CALLERS,
  },
  'show-team-token': {
    request: { method: 'GET', path: TEAM_TOKEN },
    what: 'show the token of team :team',
    readings: OF_CALLER,
    assumedAllowed: TEAM_TOKEN_CALLERS,
  },
  'generate-team-token': {
    request: { method: 'POST', path: TEAM_TOKEN },
    what: 'generate the token of team :team',
    readings: OF_CALLER,
    answersWithToken: true,
    assumedAllowed: TEAM_TOKEN_CALLERS,
  },
  'delete-team-token': {
    request: { method: 'DELETE', path: TEAM_TOKEN },
    what: 'delete the token of team :team',
    readings: OF_CALLER,
    assumedAllowed: TEAM_TOKEN_CALLERS,
  },
  'add-team-token': {
    request: { method: 'POST', path: `${TEAM_TOKEN}s` },
    what: 'create a token of team :team',
    readings: OF_CALLER,
    answersWithToken: true,
    assumedAbsence: NO_DESCRIPTIONS,
    assumedAllowed: TEAM_TOKEN_CALLERS,
  },
  'list-team-tokens': {
    request: { method: 'GET', path: `${ORGANIZATION}/team-tokens` },
    what: 'list the tokens of the teams of :organization',
    readings: OF_ORGANIZATION,
    assumedAbsence: "this service can't list the tokens of teams",
    assumedAllowed: 'owners, the organization token, people with Manage Teams',
  },
  'show-token': {
    request: { method: 'GET', path: TOKEN_BY_ID },
    what: 'show token :id',
    readings: OF_CALLER,
    assumedAbsence: "this service can't show tokens by their ids",
    assumedAllowed: TEAM_TOKEN_CALLERS,
  },
  'delete-token': {
    request: { method: 'DELETE', path: TOKEN_BY_ID },
    what: 'delete token :id',
    readings: ['account', 'object'],
    assumedAllowed: TEAM_TOKEN_CALLERS,
  },
  'list-token-policies': {
    request: { method: 'GET', path: `${ORGANIZATION}/token-ttl-policies` },
    what: 'read the token policy of :organization',
    readings: OF_ORGANIZATION,
    assumedAbsence: 'this service has no token policies',
    assumedAllowed: TOKEN_CALLERS,
  },
  'list-audit-trail': {
    request: { method: 'GET', path: '/organization/audit-trail', mediaType: PLAIN_JSON },
    what: 'read the audit trail',
    readings: OF_CALLER,
    assumedAbsence: 'this service has no audit trail',
    assumedAllowed: 'the audit trail token, the organization token',
  },
  'invite-member': {
    request: { method: 'POST', path: MEMBERSHIPS },
    what: 'invite :email to :organization',
    permission: 'invite people to :organization',
    readings: OF_ORGANIZATION,
    allowed: MEMBERSHIP_CALLERS,
    refusals: {
      400: {
        code: 'organization-limit',
        toFinding({ organization, said }) {
          const [, limit] = /\blimit of (\d+)\b/.exec(said) ?? [];
          return `${organization} is full: it has reached its limit${limit === undefined ? '' : ` of ${limit} users`}`;
        },
        hint: 'Remove members or invitations you no longer need, or change the plan.',
        next: [['orgctl', 'feature-sets', 'current']],
      },
      422: {
        ...INVALID,
        toHint: (said) =>
          said.includes('managed by SCIM')
            ? 'Add them to the team in the identity provider, or name another team.'
            : undefined,
      },
    },
  },
  // The document names no refusal of the lists, and does not say who can read them.
  'list-members': {
    request: { method: 'GET', path: MEMBERSHIPS },
    what: 'list the members of :organization',
    readings: OF_ORGANIZATION,
    assumedAllowed: MEMBERS,
  },
  // The reading before an invitation: a refusal is one of the invitation.
  'find-invitees': {
    request: { method: 'GET', path: MEMBERSHIPS },
    what: 'invite people to :organization',
    readings: OF_ORGANIZATION,
    allowed: MEMBERSHIP_CALLERS,
  },
  'list-own-memberships': {
    request: { method: 'GET', path: '/organization-memberships' },
    what: 'list your organizations',
    readings: OF_CALLER,
    assumedAbsence: 'this kind of token is a member of no organization',
    assumedAllowed: 'every user, with their own token',
  },
  'show-member': {
    request: { method: 'GET', path: MEMBERSHIP },
    what: 'show member :id',
    readings: OF_CALLER,
    assumedAllowed: MEMBERS,
  },
  'remove-member': {
    request: { method: 'DELETE', path: MEMBERSHIP },
    what: 'remove :person',
    readings: ['account', 'object'],
    allowed: MEMBERSHIP_CALLERS,
    refusals: {
      403: {
        toFinding: ({ organization }) =>
          `owners can't remove themselves${organization === '' ? '' : `, and you own ${organization}`}`,
        hint: 'Ask another owner to remove you.',
      },
    },
  },
  'list-providers': {
    request: { method: 'GET', path: PROVIDERS },
    what: 'list the providers of :organization',
    readings: OF_ORGANIZATION,
    allowed: MEMBERS,
  },
  'create-provider': { ...CREATION, request: { method: 'POST', path: PROVIDERS } },
  'get-provider': {
    request: { method: 'GET', path: PROVIDER },
    what: 'show :registryName/:namespace/:name of :organization',
    readings: ['account', 'providers'],
    allowed: MEMBERS,
    refusals: { 403: CURATION_OFF },
  },
  // The reading before a provider is created: a refusal is one of the creation. Behind the row that asks for the same.
  'find-provider': { ...CREATION, request: { method: 'GET', path: PROVIDER } },
  'delete-provider': {
    request: { method: 'DELETE', path: PROVIDER },
    what: 'delete :registryName/:namespace/:name from :organization',
    readings: ['object', 'providers'],
    allowed: PROVIDER_WRITERS,
    refusals: { 403: CURATION_OFF },
  },
  // Assumed, like all that follows of versions: they are outside the document.
  'list-versions': {
    request: { method: 'GET', path: VERSIONS },
    what: 'list the versions of :registryName/:namespace/:name',
    readings: OF_ORGANIZATION,
    assumedAbsence: NO_VERSIONS,
    assumedAllowed: MEMBERS,
  },
  'get-version': {
    request: { method: 'GET', path: VERSION },
    what: 'show :registryName/:namespace/:name@:version',
    readings: OF_ORGANIZATION,
    assumedAbsence: NO_VERSIONS,
    assumedAllowed: MEMBERS,
  },
  'create-version': {
    request: { method: 'POST', path: VERSIONS },
    what: 'create :registryName/:namespace/:name@:version',
    permission: 'publish providers of :organization',
    readings: OF_ORGANIZATION,
    assumedAbsence: NO_VERSIONS,
    assumedAllowed: PROVIDER_WRITERS,
  },
  'delete-version': {
    request: { method: 'DELETE', path: VERSION },
    what: 'delete :registryName/:namespace/:name@:version',
    permission: 'delete versions of providers of :organization',
    readings: ['object', 'providers'],
    assumedAllowed: PROVIDER_WRITERS,
  },
  'list-platforms': {
    request: { method: 'GET', path: PLATFORMS },
    what: 'list the platforms of :registryName/:namespace/:name@:version',
    readings: OF_ORGANIZATION,
    assumedAbsence: NO_VERSIONS,
    assumedAllowed: MEMBERS,
  },
  'get-platform': {
    request: { method: 'GET', path: PLATFORM },
    what: 'show :registryName/:namespace/:name@:version/:platform',
    readings: OF_ORGANIZATION,
    assumedAllowed: MEMBERS,
  },
  'create-platform': {
    request: { method: 'POST', path: PLATFORMS },
    what: 'create :registryName/:namespace/:name@:version/:platform',
    permission: 'publish providers of :organization',
    readings: OF_ORGANIZATION,
    assumedAllowed: PROVIDER_WRITERS,
  },
  'delete-platform': {
    request: { method: 'DELETE', path: PLATFORM },
    what: 'delete :registryName/:namespace/:name@:version/:platform',
    permission: 'delete versions of providers of :organization',
    readings: ['object', 'providers'],
    assumedAllowed: PROVIDER_WRITERS,
  },
  'list-keys': {
    request: { method: 'GET', path: KEYS, atOrigin: true },
    what: 'list the signing keys of :organization',
    readings: OF_ORGANIZATION,
    assumedAbsence: "this service can't hold signing keys",
    assumedAllowed: PROVIDER_WRITERS,
  },
  'create-key': {
    request: { method: 'POST', path: KEYS, atOrigin: true },
    what: 'add the signing key :key to :organization',
    permission: 'add signing keys to :organization',
    readings: OF_ORGANIZATION,
    assumedAbsence: "this service can't hold signing keys",
    assumedAllowed: PROVIDER_WRITERS,
  },
  'upload-file': {
    request: { method: 'PUT', path: undefined, mediaType: BYTES },
    what: 'upload :file',
    readings: [],
    assumedAllowed: ANYONE,
  },
  'download-file': {
    request: { method: 'GET', path: undefined, mediaType: BYTES },
    what: 'download :file',
    readings: [],
    assumedAllowed: ANYONE,
  },
  // What Terraform asks for.
  'list-installable-versions': {
    request: { method: 'GET', path: '/:namespace/:name/versions', atOrigin: true, mediaType: PLAIN_JSON },
    what: 'list the versions of :namespace/:name as Terraform does',
    readings: OF_CALLER,
    assumedAllowed: MEMBERS,
  },
  'find-package': {
    request: {
      method: 'GET',
      path: '/:namespace/:name/:version/download/:os/:arch',
      atOrigin: true,
      mediaType: PLAIN_JSON,
    },
    what: 'find :namespace/:name :version for :os/:arch as Terraform does',
    readings: OF_CALLER,
    assumedAllowed: MEMBERS,
  },
  'list-teams': {
    request: { method: 'GET', path: `${ORGANIZATION}/teams` },
    what: 'list the teams of :organization',
    readings: OF_ORGANIZATION,
    assumedAbsence: "this service can't list teams",
    assumedAllowed: MEMBERS,
  },
  'show-team': {
    request: { method: 'GET', path: '/teams/:id' },
    what: 'show team :id',
    readings: OF_CALLER,
    assumedAbsence: NO_TEAMS,
    assumedAllowed: MEMBERS,
  },
  'list-team-members': {
    request: { method: 'GET', path: TEAM_MEMBERS },
    what: 'list the members of team :team',
    readings: OF_CALLER,
    assumedAbsence: NO_TEAMS,
    assumedAllowed: MEMBERS,
  },
  'add-team-members': {
    request: { method: 'POST', path: TEAM_MEMBERS },
    what: 'add :people to team :team',
    readings: ['account', 'object'],
    assumedAbsence: NO_TEAMS,
    assumedAllowed: MEMBERSHIP_CALLERS,
  },
  'remove-team-members': {
    request: { method: 'DELETE', path: TEAM_MEMBERS },
    what: 'remove :people from team :team',
    readings: ['account', 'object'],
    assumedAbsence: NO_TEAMS,
    assumedAllowed: MEMBERSHIP_CALLERS,
  },
  'show-entitlements': {
    request: { method: 'GET', path: `${ORGANIZATION}/entitlement-set` },
    what: 'show the entitlements of :organization',
    readings: OF_ORGANIZATION,
    assumedAbsence: "this service can't show entitlements",
    assumedAllowed: MEMBERS,
  },
  'show-subscription': {
    request: { method: 'GET', path: `${ORGANIZATION}/subscription` },
    what: 'show the subscription of :organization',
    readings: OF_ORGANIZATION,
    assumedAbsence: "this service can't show subscriptions",
    assumedAllowed: MEMBERS,
  },
  'show-organization': {
    request: { method: 'GET', path: ORGANIZATION },
    what: 'show :organization',
    readings: OF_ORGANIZATION,
    assumedAbsence: "this service can't show organizations",
    assumedAllowed: MEMBERS,
  },
  'show-account': {
    request: { method: 'GET', path: '/account/details' },
    what: 'show your account',
    readings: OF_CALLER,
    assumedAbsence: "this service can't show accounts",
    assumedAllowed: 'every token',
  },
  'list-public-versions': {
    request: { method: 'GET', path: '/providers/:namespace/:name/versions', atOrigin: true, mediaType: PLAIN_JSON },
    what: 'list the versions of :namespace/:name in the public registry',
    readings: OF_CALLER,
    assumedAbsence: 'this service has no proxy to the public registry',
    assumedAllowed: ANY_TOKEN,
  },
  discover: {
    request: { method: 'GET', path: '/.well-known/terraform.json', atOrigin: true, mediaType: PLAIN_JSON },
    what: 'read the discovery document',
    readings: OF_CALLER,
    assumedAbsence: 'this service has no discovery document',
    assumedAllowed: ANYONE,
  },
  'accept-invitation': {
    request: { method: 'POST', path: '/sandbox/accept', atOrigin: true, mediaType: PLAIN_JSON },
    what: 'accept the invitation of :email',
    readings: OF_CALLER,
    assumedAbsence: "this is not a sandbox, or one that can't do this yet",
    assumedAllowed: ANYONE,
  },
  // Asked for by its path, with any method.
  generic: {
    request: { method: 'GET', path: undefined },
    what: 'send :method :path',
    readings: OF_ORGANIZATION,
    allowed: "see the service's documentation of this path",
  },
  ping: {
    request: { method: 'GET', path: '/ping' },
    what: 'find out which service this is',
    readings: OF_CALLER,
    assumedAbsence: 'this service has no ping route',
    assumedAllowed: ANYONE,
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
  : Name extends 'generic'
    ? {
        readonly method: Method;
        readonly path: string;
      }
    : {
        /** Anywhere, and a secret: who knows it can use it. The token is not sent there. */
        readonly address: URL;
      } & Parameters<NamesIn<Row['what']>>);

type Parameters<Name extends string> = [Name] extends [never]
  ? { readonly parameters?: never }
  : { readonly parameters: Readonly<Record<Name, string>> };

type NamesIn<Text extends string> = Text extends `${infer First}${'/' | ' ' | "'" | '@'}${infer Rest}`
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
  /** In place of base URL and path. */
  readonly address?: URL;
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
    const atOrigin = path.startsWith(`${REGISTRY_PATH}/`);
    return { ...usual, method, path, atOrigin, what: said, answersWithToken: mayCreateToken(method, path) };
  }
  if ('address' in call) {
    const { address, parameters } = call;
    return { ...usual, path: '', address, what: fill(what, parameters), answersWithToken };
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

/**
 * Assumed: the path of every kind of token ends with authentication-token or authentication-tokens, as that of the
 * audit trail token does.
 */
function mayCreateToken(method: Method, path: string): boolean {
  const last = toSegments(path).at(-1)?.toLowerCase() ?? '';
  return !['GET', 'HEAD', 'DELETE'].includes(method) && [TOKEN_SEGMENT, `${TOKEN_SEGMENT}s`].includes(last);
}

/**
 * The first operation that asks for this; undefined where there is none. `path`: percent-encoded, without a query.
 */
export function findOperation(method: Method, path: string, query: Query): OperationName | undefined {
  const segments = toSegments(path);
  const names = Object.keys(OPERATIONS) as OperationName[];
  return names.find((name) => {
    const { request }: Operation = OPERATIONS[name];
    if (request.method !== method || request.path === undefined || request.atOrigin === true) return false;
    return matches(segments, toSegments(request.path)) && holdsAll(query, request.query ?? []);
  });
}

export function findOrganization(path: string): string | undefined {
  return readParameters(ORGANIZATION, toSegments(path).slice(0, 2))['organization'];
}

/** What a path has for each parameter of the operation. */
export function findParameters(name: OperationName, path: string): Readonly<Record<string, string>> {
  const { request }: Operation = OPERATIONS[name];
  return readParameters(request.path ?? '', toSegments(path));
}

function readParameters(template: string, segments: readonly (string | undefined)[]): Readonly<Record<string, string>> {
  const names = toSegments(template);
  if (!matches(segments, names)) return {};
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const value = segments[index];
      return name?.startsWith(':') === true && value !== undefined ? [[name.slice(1), value]] : [];
    }),
  );
}

function holdsAll(query: Query, pairs: Query): boolean {
  return pairs.every(([name, value]) => query.some((pair) => pair[0] === name && pair[1] === value));
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

/** Whether nothing is known of it but its path. */
export function isGeneric(operation: Operation): boolean {
  return operation === OPERATIONS.generic;
}

/** Who can do it, and whether the document says so. */
export function describeCallers({ allowed, assumedAllowed }: Operation): string {
  return allowed === undefined ? `Who can${SUPPOSED}: ${assumedAllowed}.` : `Who can: ${allowed}.`;
}

/** The same beside a refusal, where it is no help that every member can. */
export function listCallers(operation: Operation): readonly string[] {
  return (operation.allowed ?? operation.assumedAllowed) === MEMBERS ? [] : [describeCallers(operation)];
}

/** Whether an organization, as the service shows it, lets the caller do it; undefined where it does not say. */
export function isPermitted(name: OperationName, organization: Resource | undefined): boolean | undefined {
  const { assumedRights = [] }: Operation = OPERATIONS[name];
  const said = assumedRights.map((right) => getMember(organization?.attributes, 'permissions', right));
  return said.includes(true) ? true : said.includes(false) ? false : undefined;
}
