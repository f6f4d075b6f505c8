/**
 * What the service's document says of each operation: who may do it, and what its refusals mean.
 * Problem messages are made from this table, and the tests walk it.
 */
export interface Operation {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** What a 404 can mean besides a missing permission. */
  readonly absent: string;
  /** Who may do it (Authentication 1 to 3 of the document). */
  readonly allowed: string;
  /** What a 403 means. */
  readonly forbidden?: string;
  readonly forbiddenHint?: string;
  /** What a 400 means; gives the refusal the code `code` instead of `rejected`. */
  readonly badRequest?: { readonly code: string; readonly meaning: string; readonly hint: string };
}

const TOKEN_CALLERS = 'members of the owners team, the owners team token and the organization token';
const MEMBERSHIP_CALLERS =
  'members of the owners team, the owners team token, the organization token, and holders of a Team Management permission';
const PROVIDER_WRITERS =
  'members of the owners team, the owners team token, and holders of the Manage Private Registry permission';
const MEMBERS = 'every member of the organization';
const NO_ORGANIZATION = 'the organization does not exist';
const CURATION_OFF = 'public provider curation is disabled for this organization';
const CURATION_HINT =
  'Ask who runs the service to enable public provider curation, or publish the provider as a private one.';

export const OPERATIONS = Object.freeze({
  'list-feature-sets': {
    method: 'GET',
    absent: 'this service has no feature sets: they exist in the hosted edition only',
    allowed: 'as far as is known any user, team or organization token',
  },
  'list-organization-feature-sets': {
    method: 'GET',
    absent: `${NO_ORGANIZATION}, or this service has no feature sets: they exist in the hosted edition only`,
    allowed: 'as far as is known any user, team or organization token',
  },
  'generate-audit-token': {
    method: 'POST',
    absent: `${NO_ORGANIZATION}, or it is not entitled to audit logging`,
    allowed: TOKEN_CALLERS,
  },
  'delete-audit-token': {
    method: 'DELETE',
    absent: `${NO_ORGANIZATION}, or it has no audit trail token`,
    allowed: TOKEN_CALLERS,
  },
  'show-audit-token': {
    method: 'GET',
    absent: `${NO_ORGANIZATION}, or it has no audit trail token, or this service cannot show one`,
    allowed: TOKEN_CALLERS,
  },
  'list-audit-trail': {
    method: 'GET',
    absent: 'this service has no audit trail',
    allowed: 'the audit trail token and the organization token',
  },
  'invite-member': {
    method: 'POST',
    absent: NO_ORGANIZATION,
    allowed: MEMBERSHIP_CALLERS,
    badRequest: {
      code: 'organization-limit',
      meaning: 'a limit of the organization makes the invitation impossible',
      hint: 'Remove members or invitations that are no longer needed, or raise the limit with the plan.',
    },
  },
  // The reading before an invitation: every member may list, but whoever is refused here wanted to invite.
  'find-invitees': {
    method: 'GET',
    absent: NO_ORGANIZATION,
    allowed: MEMBERSHIP_CALLERS,
  },
  'list-members': {
    method: 'GET',
    absent: NO_ORGANIZATION,
    allowed: MEMBERS,
  },
  'list-own-memberships': {
    method: 'GET',
    absent: 'this kind of token has no memberships',
    allowed: 'every user, with a token of their own',
  },
  'show-member': {
    method: 'GET',
    absent: 'the membership does not exist',
    allowed: MEMBERS,
  },
  'remove-member': {
    method: 'DELETE',
    absent: 'the membership does not exist',
    allowed: MEMBERSHIP_CALLERS,
    forbidden: 'nobody can remove themselves from an organization they own',
    forbiddenHint: 'Let another owner remove this membership.',
  },
  'list-providers': {
    method: 'GET',
    absent: `${NO_ORGANIZATION}, or it has no registry`,
    allowed: MEMBERS,
  },
  'create-provider': {
    method: 'POST',
    absent: NO_ORGANIZATION,
    allowed: PROVIDER_WRITERS,
    forbidden: CURATION_OFF,
    forbiddenHint: CURATION_HINT,
  },
  'get-provider': {
    method: 'GET',
    absent: 'the provider does not exist in this organization, or the organization does not exist',
    allowed: MEMBERS,
    forbidden: CURATION_OFF,
    forbiddenHint: CURATION_HINT,
  },
  'delete-provider': {
    method: 'DELETE',
    absent: 'the provider does not exist in this organization, or the organization does not exist',
    allowed: PROVIDER_WRITERS,
    forbidden: CURATION_OFF,
    forbiddenHint: CURATION_HINT,
  },
  'list-teams': {
    method: 'GET',
    absent: `${NO_ORGANIZATION}, or this service cannot list teams`,
    allowed: MEMBERS,
  },
  'show-account': {
    method: 'GET',
    absent: 'this service does not say who calls',
    allowed: 'everybody with a token',
  },
  'list-public-versions': {
    method: 'GET',
    absent: 'the public registry has no such provider, or this service has no proxy to it',
    allowed: 'as far as is known any user, team or organization token',
  },
  discover: {
    method: 'GET',
    absent: 'this service has no discovery document',
    allowed: 'everybody',
  },
  // Whatever is asked for by its path; a write brings its own method.
  raw: {
    method: 'GET',
    absent: 'there is nothing at this path',
    allowed: 'what the documentation of this path says',
  },
  ping: {
    method: 'GET',
    absent: 'this service has no ping route',
    allowed: 'everybody',
  },
} as const satisfies Record<string, Operation>);

export type OperationName = keyof typeof OPERATIONS;
