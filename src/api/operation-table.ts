import type { Operation } from './operations.ts';
import type { Query } from './types.ts';

const ORG = '/organizations/:org';
const TEAM_MEMBERS = '/teams/:id/relationships/organization-memberships';
const PROVIDERS = `${ORG}/registry-providers`;
const PROVIDER = `${PROVIDERS}/:registry/:namespace/:name`;
const VERSIONS = `${PROVIDER}/versions`;
const VERSION = `${VERSIONS}/:version`;
const PLATFORMS = `${VERSION}/platforms`;
const PLATFORM = `${PLATFORMS}/:os/:arch`;
const CAN_MANAGE_PROVIDERS = 'Owners, the owners team token and people with Manage Private Registry can.';
const NO_CURATION = { 403: { code: 'forbidden', message: 'public provider curation is disabled in :org' } } as const;
const SIGNING_KEYS = '/api/registry/private/v2/gpg-keys';
const ORG_TOKEN = `${ORG}/authentication-token`;
const AUDIT_TOKEN: Query = [['token', 'audit-trails']];
const TEAM_TOKEN = '/teams/:id/authentication-token';
const CAN_MANAGE_TOKENS = 'Owners, the owners team token and the organization token can.';
const CAN_MANAGE_TEAM_TOKENS = 'Owners, people who manage teams and the organization token can.';
const CAN_MANAGE_MEMBERS = 'Owners, the owners team token, the organization token and people with Team Management can.';

export const OPERATIONS = {
  'list-feature-sets': { method: 'GET', path: '/feature-sets', action: 'list the feature sets' },
  'list-organization-feature-sets': {
    method: 'GET',
    path: `${ORG}/feature-sets`,
    action: 'list the feature sets of :org',
  },
  'list-members': { method: 'GET', path: `${ORG}/organization-memberships`, action: 'list the members of :org' },
  'list-own-memberships': { method: 'GET', path: '/organization-memberships', action: 'list your organizations' },
  'show-member': { method: 'GET', path: '/organization-memberships/:id', action: 'show member :id' },
  'invite-member': {
    method: 'POST',
    path: `${ORG}/organization-memberships`,
    action: 'invite people to :org',
    who: CAN_MANAGE_MEMBERS,
    refusals: {
      400: {
        code: 'organization-limit',
        message: 'the organization has reached its limit of members',
        hint: '`orgctl feature-sets current` shows the plan and the seats.',
        words: /limit|maximum|seat/i,
      },
    },
  },
  'remove-member': {
    method: 'DELETE',
    path: '/organization-memberships/:id',
    action: 'remove :person from :org',
    who: CAN_MANAGE_MEMBERS,
  },
  'list-providers': { method: 'GET', path: PROVIDERS, action: 'list the providers of :org' },
  'show-provider': {
    method: 'GET',
    path: PROVIDER,
    action: 'show :registry/:namespace/:name of :org',
    refusals: NO_CURATION,
  },
  'create-provider': {
    method: 'POST',
    path: PROVIDERS,
    action: 'add providers to :org',
    who: CAN_MANAGE_PROVIDERS,
    refusals: NO_CURATION,
  },
  'delete-provider': {
    method: 'DELETE',
    path: PROVIDER,
    action: 'delete :registry/:namespace/:name from :org',
    who: CAN_MANAGE_PROVIDERS,
    refusals: NO_CURATION,
  },
  'list-public-versions': {
    method: 'GET',
    path: '/providers/:namespace/:name/versions',
    isAtOrigin: true,
    action: 'list the versions of :namespace/:name in the public registry',
  },
  discover: {
    method: 'GET',
    path: '/.well-known/terraform.json',
    isAtOrigin: true,
    action: 'read the discovery document',
  },
  // Outside the document, as go-tfe and the public documentation have them (facts).
  'list-versions': { method: 'GET', path: VERSIONS, action: 'list the versions of :registry/:namespace/:name' },
  'show-version': { method: 'GET', path: VERSION, action: 'show :registry/:namespace/:name@:version' },
  'create-version': {
    method: 'POST',
    path: VERSIONS,
    action: 'create :registry/:namespace/:name@:version',
    who: CAN_MANAGE_PROVIDERS,
  },
  'delete-version': {
    method: 'DELETE',
    path: VERSION,
    action: 'delete :registry/:namespace/:name@:version',
    who: CAN_MANAGE_PROVIDERS,
  },
  'list-platforms': {
    method: 'GET',
    path: PLATFORMS,
    action: 'list the platforms of :registry/:namespace/:name@:version',
  },
  'show-platform': { method: 'GET', path: PLATFORM, action: 'show :registry/:namespace/:name@:version/:platform' },
  'create-platform': {
    method: 'POST',
    path: PLATFORMS,
    action: 'create :registry/:namespace/:name@:version/:platform',
    who: CAN_MANAGE_PROVIDERS,
  },
  'delete-platform': {
    method: 'DELETE',
    path: PLATFORM,
    action: 'delete :registry/:namespace/:name@:version/:platform',
    who: CAN_MANAGE_PROVIDERS,
  },
  'list-signing-keys': {
    method: 'GET',
    path: SIGNING_KEYS,
    isAtOrigin: true,
    action: 'list the signing keys of :org',
    who: CAN_MANAGE_PROVIDERS,
  },
  'create-signing-key': {
    method: 'POST',
    path: SIGNING_KEYS,
    isAtOrigin: true,
    action: 'add the signing key :key to :org',
    who: CAN_MANAGE_PROVIDERS,
  },
  'list-installable-versions': {
    method: 'GET',
    path: '/:namespace/:name/versions',
    isAtOrigin: true,
    action: 'list the versions of :namespace/:name as Terraform does',
  },
  'find-download': {
    method: 'GET',
    path: '/:namespace/:name/:version/download/:os/:arch',
    isAtOrigin: true,
    action: 'find :namespace/:name@:version/:os_:arch as Terraform does',
  },
  'show-account': { method: 'GET', path: '/account/details', action: 'show your account' },
  'list-audit-trail': {
    method: 'GET',
    path: '/organization/audit-trail',
    action: 'read the audit trail',
    who: 'The audit trail token and the organization token can.',
  },
  'create-audit-token': {
    method: 'POST',
    path: ORG_TOKEN,
    query: AUDIT_TOKEN,
    action: 'create an audit trail token of :org',
    who: CAN_MANAGE_TOKENS,
  },
  'delete-audit-token': {
    method: 'DELETE',
    path: ORG_TOKEN,
    query: AUDIT_TOKEN,
    action: 'delete the audit trail token of :org',
    absent: ':org has no audit trail token',
    who: CAN_MANAGE_TOKENS,
  },
  // Outside the document from here on: tokens of other kinds, and reading any (facts).
  'show-audit-token': {
    method: 'GET',
    path: ORG_TOKEN,
    query: AUDIT_TOKEN,
    action: 'show the audit trail token of :org',
    absent: ":org has no audit trail token, or the service doesn't show it",
    who: CAN_MANAGE_TOKENS,
  },
  'show-organization-token': {
    method: 'GET',
    path: ORG_TOKEN,
    action: 'show the organization token of :org',
    who: CAN_MANAGE_TOKENS,
  },
  'create-organization-token': {
    method: 'POST',
    path: ORG_TOKEN,
    action: 'create an organization token of :org',
    who: CAN_MANAGE_TOKENS,
  },
  'delete-organization-token': {
    method: 'DELETE',
    path: ORG_TOKEN,
    action: 'delete the organization token of :org',
    who: CAN_MANAGE_TOKENS,
  },
  'show-team-token': {
    method: 'GET',
    path: TEAM_TOKEN,
    action: 'show the token of team :team',
    who: CAN_MANAGE_TEAM_TOKENS,
  },
  'create-team-token': {
    method: 'POST',
    path: TEAM_TOKEN,
    action: 'create a token of team :team',
    who: CAN_MANAGE_TEAM_TOKENS,
  },
  'delete-team-token': {
    method: 'DELETE',
    path: TEAM_TOKEN,
    action: 'delete the token of team :team',
    who: CAN_MANAGE_TEAM_TOKENS,
  },
  // The plural adds a token, and replaces none.
  'add-team-token': {
    method: 'POST',
    path: '/teams/:id/authentication-tokens',
    action: "create token ':description' of team :team",
    who: CAN_MANAGE_TEAM_TOKENS,
  },
  'list-team-tokens': {
    method: 'GET',
    path: `${ORG}/team-tokens`,
    action: 'list the team tokens of :org',
    who: CAN_MANAGE_TEAM_TOKENS,
  },
  'show-token': { method: 'GET', path: '/authentication-tokens/:id', action: 'show token :id' },
  'delete-token': {
    method: 'DELETE',
    path: '/authentication-tokens/:id',
    action: 'delete token :id',
    who: CAN_MANAGE_TEAM_TOKENS,
  },
  'show-organization': { method: 'GET', path: ORG, action: 'show organization :org' },
  'list-token-policies': {
    method: 'GET',
    path: `${ORG}/token-ttl-policies`,
    action: 'list the token policies of :org',
  },
  ping: { method: 'GET', path: '/ping', action: 'reach the service' },
  'list-teams': { method: 'GET', path: `${ORG}/teams`, action: 'list the teams of :org' },
  'show-team': { method: 'GET', path: '/teams/:id', action: 'show team :team' },
  'list-team-members': { method: 'GET', path: TEAM_MEMBERS, action: 'list the members of team :team' },
  'add-team-member': { method: 'POST', path: TEAM_MEMBERS, action: 'add :person to :team', who: CAN_MANAGE_MEMBERS },
  'remove-team-member': {
    method: 'DELETE',
    path: TEAM_MEMBERS,
    action: 'remove :person from :team',
    who: CAN_MANAGE_MEMBERS,
  },
  'show-entitlements': { method: 'GET', path: `${ORG}/entitlement-set`, action: 'show the entitlements of :org' },
  'show-subscription': { method: 'GET', path: `${ORG}/subscription`, action: 'show the subscription of :org' },
} as const satisfies Record<string, Operation>;
