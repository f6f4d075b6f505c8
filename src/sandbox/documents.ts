import { findManager } from './access.ts';
import type { Call, Members } from './call.ts';
import type { Caller } from './callers.ts';
import { formatDate } from './dates.ts';
import { type May, type Operation, OWNERS_TEAM, readAccess } from './permissions.ts';
import type { FeatureSetRow, MembershipRow, OrganizationRow, TeamRow, UserFields } from './rows.ts';
import { readAttributes, readSettings } from './rows.ts';

/** Rows as JSON:API resources. The service's document shows few of the attributes; the others are known of it (facts). */
export type Resource = { id: string; type: string; attributes?: Members; relationships?: Members; links?: Members };

export function refer(type: string, id: string | null) {
  return { data: id === null ? null : { id, type } };
}

export function referAll(type: string, resources: readonly { id: string }[]) {
  return { data: resources.map(({ id }) => ({ id, type })) };
}

/** Attributes that are columns: `key_id` is `key-id`, and a column that ends in `_at` is a time. */
export function formatColumns<Row>(row: Row, ...columns: readonly (keyof Row & string)[]): Members {
  const entries = columns.map((column) => {
    const value = row[column];
    const isTime = column.endsWith('_at') && typeof value === 'number';
    return [column.replaceAll('_', '-'), isTime ? formatDate(value) : value];
  });
  return Object.fromEntries(entries);
}

export function formatFeatureSet(row: FeatureSetRow): Resource {
  return { id: row.id, type: 'feature-sets', attributes: readAttributes(row) };
}

export function formatMembership(row: MembershipRow, teams: readonly TeamRow[]): Resource {
  const attributes = {
    status: row.status,
    ...(row.email !== null && { email: row.email }),
    'created-at': formatDate(row.created_at),
  };
  const relationships = {
    teams: referAll('teams', teams),
    user: refer('users', row.user_id),
    organization: refer('organizations', row.organization_name),
    ...(row.has_scim === 1 && { 'scim-identity': refer('scim-identities', row.scim_identity) }),
  };
  return { id: row.id, type: 'organization-memberships', attributes, relationships };
}

export function formatUser(row: UserFields): Resource {
  const hasSecondFactor = row.has_second_factor === 1;
  const attributes = {
    ...{ username: row.username, 'is-service-account': row.is_service_account === 1 },
    ...{ 'auth-method': row.auth_method, 'avatar-url': null },
    'two-factor': { enabled: hasSecondFactor, verified: hasSecondFactor },
    ...(row.email !== null && { email: row.email }),
    permissions: {
      ...{ 'can-create-organizations': false, 'can-change-email': true },
      ...{ 'can-change-username': true, 'can-manage-user-tokens': false },
    },
  };
  return { id: row.user_id, type: 'users', attributes };
}

/** The account that a token without a person acts as. */
export function createServiceAccount({ holder, tokenId }: Caller, organization = '', team = '') {
  const username = holder === 'team' ? `api-team-${team}-${organization}` : `api-org-${organization}`;
  const fields = { email: null, is_service_account: 1, auth_method: 'tfc', has_second_factor: 0 };
  return { user_id: tokenId.replace(/^at-/, 'user-'), username, ...fields };
}

function createPermissions(may: May) {
  return (operation: Operation | undefined, ...names: readonly string[]): Members =>
    Object.fromEntries(names.map((name) => [`can-${name}`, operation !== undefined && may(operation)]));
}

export function formatTeam(row: TeamRow, organization: OrganizationRow, may: May, related: Members = {}): Resource {
  const isUnified = organization.is_unified === 1;
  const isLinked = row.scim_group_name !== null;
  const attributes = {
    ...formatColumns(row, 'name', 'sso_team_id', 'users_count', 'visibility'),
    'non-service-users-count': row.users_count - row.service_accounts,
    'allow-member-token-management': row.allow_member_token_management === 1,
    'is-unified': isUnified,
    'hcp-resource-name': isUnified ? `iam/organization/${organization.id}/group/${row.name}` : null,
    ...(organization.has_scim === 1 && {
      ...{ 'scim-linked': isLinked, 'scim-sync-paused': false },
      ...formatColumns(row, 'scim_group_name', 'scim_updated_at'),
    }),
    'organization-access': readAccess(row),
    permissions: formatTeamPermissions(row, organization, may),
  };
  const relationships = { organization: refer('organizations', organization.name), ...related };
  return { id: row.id, type: 'teams', attributes, relationships };
}

function formatTeamPermissions(team: TeamRow, organization: OrganizationRow, may: May): Members {
  const isManaged = findManager(team.scim_group_name, organization) !== undefined;
  const can = createPermissions((operation) => !isManaged && may(operation));
  const isOwners = team.name === OWNERS_TEAM;
  return {
    ...can('teams.change-members', 'update-membership'),
    ...can('teams.manage', 'update-api-token', 'update-member-token-management', 'view-api-token'),
    ...can(isOwners ? undefined : 'teams.manage', 'update-visibility', 'update-name', 'update-sso-team-id'),
    ...can(isOwners ? undefined : 'teams.delete', 'destroy'),
    ...can(isOwners ? undefined : 'teams.change-access', 'update-organization-access'),
  };
}

type Plan = FeatureSetRow | undefined;

export function formatOrganization(row: OrganizationRow, plan: Plan, may: May, { rules, prefix }: Call): Resource {
  const { identifier = null } = readAttributes(plan);
  const self = `${prefix}/organizations/${encodeURIComponent(row.name)}`;
  const isEnterprise = rules.kind === 'enterprise';
  const attributes = {
    ...{ name: row.name, 'external-id': row.id },
    ...formatColumns(row, 'email', 'created_at'),
    ...readSettings(row),
    ...{ 'plan-expired': false, 'plan-expires-at': null, 'plan-is-enterprise': isEnterprise },
    'plan-is-trial': !isEnterprise && identifier === 'trial',
    'plan-identifier': isEnterprise ? 'enterprise' : identifier,
    ...(!isEnterprise && { 'is-unified': row.is_unified === 1 }),
    ...{ 'saml-enabled': false, 'two-factor-conformant': false, 'is-in-degraded-mode': false },
    permissions: formatOrganizationPermissions(may),
  };
  const relationships = {
    'entitlement-set': { ...refer('entitlement-sets', row.id), links: { related: `${self}/entitlement-set` } },
    ...(!isEnterprise && { subscription: { links: { related: `${self}/subscription` } } }),
  };
  return { id: row.name, type: 'organizations', attributes, relationships, links: { self } };
}

function formatOrganizationPermissions(may: May): Members {
  const can = createPermissions(may);
  return {
    ...{ 'can-access-via-teams': true, 'can-traverse': true },
    ...can('providers.manage', 'create-provider', 'manage-custom-providers'),
    ...can('providers.manage', 'manage-org-public-providers', 'manage-public-providers'),
    ...can('teams.manage', 'create-team'),
    ...can('organizations.manage', 'destroy', 'manage-subscription', 'update'),
    ...can('memberships.manage', 'manage-users'),
    ...can('organization-token.manage', 'update-api-token', 'update-authentication-token', 'view-authentication'),
    ...can('memberships.read', 'view-users'),
  };
}

const ALWAYS_ENTITLED = {
  ...{ agents: true, operations: true, 'private-module-registry': true },
  ...{ 'state-storage': true, 'usage-reporting': true, 'vcs-integrations': true },
};

/** What the plan allows and limits. Enterprise has no plans, and everything is allowed. */
export function formatEntitlements(row: OrganizationRow, plan: Plan, { rules }: Call): Resource {
  const isEnterprise = rules.kind === 'enterprise';
  const known = Object.entries(readAttributes(plan)).filter(([name]) => !name.startsWith('is-'));
  const flags = known
    .filter(([, value]) => typeof value === 'boolean')
    .map(([name, value]) => [name, isEnterprise || value]);
  const limits = known.filter(([name]) => name.endsWith('-limit'));
  const entitled = [...flags, ...limits.map(([name, value]) => [name, isEnterprise ? null : value])];
  const attributes = { ...ALWAYS_ENTITLED, ...Object.fromEntries(entitled), 'user-limit': row.user_limit };
  return { id: row.id, type: 'entitlement-sets', attributes, links: { self: `/api/v2/entitlement-sets/${row.id}` } };
}

export function formatSubscription(row: OrganizationRow, plan: FeatureSetRow): Resource {
  const attributes = { 'is-active': true, 'start-at': formatDate(row.created_at), 'end-at': null };
  const relationships = {
    organization: refer('organizations', row.name),
    'feature-set': refer('feature-sets', plan.id),
  };
  return { id: row.id.replace(/^org-/, 'sub-'), type: 'subscriptions', attributes, relationships };
}
