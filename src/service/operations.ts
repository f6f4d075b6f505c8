import { path } from './query.ts';
import type { Method } from './transport.ts';

/**
 * THE table of operations: how each is asked for, who may do it, and what its refusals mean by the service's document.
 * What the document does not say stands in the `assumed…` members, and is said to be assumed wherever it is shown.
 * Requests, errors, diagnosis and doctor read it.
 */
export type Operation = {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL, `:name` for a parameter; undefined for what lies elsewhere. */
  readonly path: string | undefined;
  /** What a 403 means. */
  readonly forbidden?: string;
  readonly forbiddenHint?: string;
  /** What a 400 means; gives the refusal the code `code` instead of `rejected`. */
  readonly badRequest?: { readonly code: string; readonly meaning: string; readonly hint: string };
} & Absence &
  Callers;

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
const CURATION_OFF = 'public provider curation is disabled for this organization';
const CURATION_HINT =
  'Ask who runs the service to enable public provider curation, or publish the provider as a private one.';

const ORGANIZATION = '/organizations/:organization';
const TOKEN = `${ORGANIZATION}/authentication-token`;
const MEMBERSHIPS = `${ORGANIZATION}/organization-memberships`;
const MEMBERSHIP = '/organization-memberships/:id';
const PROVIDERS = `${ORGANIZATION}/registry-providers`;
const PROVIDER = `${PROVIDERS}/:registry/:namespace/:name`;

export const OPERATIONS = Object.freeze({
  'list-feature-sets': {
    method: 'GET',
    path: '/feature-sets',
    assumedAbsent: NO_FEATURE_SETS,
    assumedAllowed: ANY_TOKEN,
  },
  'list-organization-feature-sets': {
    method: 'GET',
    path: `${ORGANIZATION}/feature-sets`,
    assumedAbsent: `${NO_ORGANIZATION}, or ${NO_FEATURE_SETS}`,
    assumedAllowed: ANY_TOKEN,
  },
  // By the document a 404 means no permission, and nothing else.
  'generate-audit-token': {
    method: 'POST',
    path: TOKEN,
    assumedAbsent: `${NO_ORGANIZATION}, or it is not entitled to audit logging`,
    allowed: TOKEN_CALLERS,
  },
  'delete-audit-token': {
    method: 'DELETE',
    path: TOKEN,
    assumedAbsent: `${NO_ORGANIZATION}, or it has no audit trail token`,
    allowed: TOKEN_CALLERS,
  },
  'show-audit-token': {
    method: 'GET',
    path: TOKEN,
    assumedAbsent: `${NO_ORGANIZATION}, or it has no audit trail token, or this service cannot show one`,
    assumedAllowed: TOKEN_CALLERS,
  },
  'list-audit-trail': {
    method: 'GET',
    path: '/organization/audit-trail',
    assumedAbsent: 'this service has no audit trail',
    assumedAllowed: 'the audit trail token and the organization token',
  },
  'invite-member': {
    method: 'POST',
    path: MEMBERSHIPS,
    absent: NO_ORGANIZATION,
    allowed: MEMBERSHIP_CALLERS,
    badRequest: {
      code: 'organization-limit',
      meaning: 'a limit of the organization makes the invitation impossible',
      hint: 'Remove members or invitations that are no longer needed, or raise the limit with the plan.',
    },
  },
  // The document names no refusal of the lists, and nobody who may read them.
  'list-members': {
    method: 'GET',
    path: MEMBERSHIPS,
    assumedAbsent: NO_ORGANIZATION,
    assumedAllowed: MEMBERS,
  },
  // The reading before an invitation: a refusal is one of the invitation.
  'find-invitees': {
    method: 'GET',
    path: MEMBERSHIPS,
    absent: NO_ORGANIZATION,
    allowed: MEMBERSHIP_CALLERS,
  },
  'list-own-memberships': {
    method: 'GET',
    path: '/organization-memberships',
    assumedAbsent: 'this kind of token has no memberships',
    assumedAllowed: 'every user, with a token of their own',
  },
  'show-member': {
    method: 'GET',
    path: MEMBERSHIP,
    absent: 'the membership does not exist',
    assumedAllowed: MEMBERS,
  },
  'remove-member': {
    method: 'DELETE',
    path: MEMBERSHIP,
    absent: 'the membership does not exist',
    allowed: MEMBERSHIP_CALLERS,
    forbidden: 'nobody can remove themselves from an organization they own',
    forbiddenHint: 'Let another owner remove this membership.',
  },
  'list-providers': {
    method: 'GET',
    path: PROVIDERS,
    absent: 'there are no providers',
    assumedAbsent: NO_ORGANIZATION,
    allowed: MEMBERS,
  },
  'create-provider': {
    method: 'POST',
    path: PROVIDERS,
    assumedAbsent: NO_ORGANIZATION,
    allowed: PROVIDER_WRITERS,
    forbidden: CURATION_OFF,
    forbiddenHint: CURATION_HINT,
  },
  'get-provider': {
    method: 'GET',
    path: PROVIDER,
    absent: 'the provider does not exist in this organization',
    assumedAbsent: NO_ORGANIZATION,
    allowed: MEMBERS,
    forbidden: CURATION_OFF,
    forbiddenHint: CURATION_HINT,
  },
  'delete-provider': {
    method: 'DELETE',
    path: PROVIDER,
    absent: 'the provider does not exist in this organization',
    assumedAbsent: NO_ORGANIZATION,
    allowed: PROVIDER_WRITERS,
    forbidden: CURATION_OFF,
    forbiddenHint: CURATION_HINT,
  },
  'list-teams': {
    method: 'GET',
    path: `${ORGANIZATION}/teams`,
    assumedAbsent: `${NO_ORGANIZATION}, or this service cannot list teams`,
    assumedAllowed: MEMBERS,
  },
  'show-account': {
    method: 'GET',
    path: '/account/details',
    assumedAbsent: 'this service does not say who calls',
    assumedAllowed: 'everybody with a token',
  },
  'list-public-versions': {
    method: 'GET',
    path: undefined,
    assumedAbsent: 'the public registry has no such provider, or this service has no proxy to it',
    assumedAllowed: ANY_TOKEN,
  },
  discover: {
    method: 'GET',
    path: undefined,
    assumedAbsent: 'this service has no discovery document',
    assumedAllowed: 'everybody',
  },
  // Whatever is asked for by its path; a write brings its own method.
  raw: {
    method: 'GET',
    path: undefined,
    absent: 'there is nothing at this path',
    allowed: 'see the documentation of this path',
  },
  ping: {
    method: 'GET',
    path: '/ping',
    assumedAbsent: 'this service has no ping route',
    assumedAllowed: 'everybody',
  },
} as const satisfies Record<string, Operation>);

export type OperationName = keyof typeof OPERATIONS;

/** The first operation that is asked for so; undefined where there is none. `sent`: percent-encoded, without a query. */
export function findOperation(method: Method, sent: string): OperationName | undefined {
  const names = Object.keys(OPERATIONS) as OperationName[];
  return names.find((name) => {
    const operation: Operation = OPERATIONS[name];
    const { path: template } = operation;
    return operation.method === method && template !== undefined && matches(toSegments(sent), toSegments(template));
  });
}

/** The path of an operation that has one, percent-encoded. Throws UsageError for a value that no segment can carry. */
export function toPath(name: OperationName, parameters: Readonly<Record<string, string>> = {}): string {
  const segments = toSegments(OPERATIONS[name].path ?? '').map((segment) =>
    segment.startsWith(':') ? path`${parameters[segment.slice(1)] ?? ''}` : segment,
  );
  return `/${segments.join('/')}`;
}

/** The organization that a path leads to; undefined where it leads to none. */
export function findOrganization(sent: string): string | undefined {
  const template = toSegments(ORGANIZATION);
  const first = toSegments(sent).slice(0, template.length);
  return matches(first, template) ? decode(first.at(-1) ?? '') : undefined;
}

function toSegments(text: string): readonly string[] {
  return text.split('/').filter((segment) => segment !== '');
}

function matches(segments: readonly string[], template: readonly string[]): boolean {
  return (
    segments.length === template.length &&
    template.every((expected, index) => expected.startsWith(':') || expected === segments[index])
  );
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}
