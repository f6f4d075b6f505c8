import type { JsonObject } from '../lib/json.ts';
import { findManager, findPermissions, findPlan } from './access.ts';
import { type Context, formatDate, type Principal } from './context.ts';
import { OWNERS_TEAM, type Permission, readAccess } from './permissions.ts';
import type { FeatureSetRow, MembershipRow, OrganizationRow, TeamRow, UserFields } from './rows.ts';
import { readAttributes, readSettings } from './rows.ts';

/** JSON:API's term. The document shows few attributes; the others are publicly known (facts). */
export type ResourceObject = { id: string; type: string; attributes?: object; relationships?: object; links?: object };

export function formatToOne(type: string, id: string | null) {
  return { data: id === null ? null : { id, type } };
}

export function formatToMany(type: string, resources: { id: string }[]) {
  return { data: resources.map(({ id }) => ({ id, type })) };
}

/** The attribute of the column `key_id` is `key-id`. Columns that end in `_at` are times. */
export function formatColumns<Row>(row: Row, ...columns: (keyof Row & string)[]): JsonObject {
  const entries = columns.map((column) => {
    const value = row[column];
    const isTime = column.endsWith('_at') && typeof value === 'number';
    return [column.replaceAll('_', '-'), isTime ? formatDate(value) : value];
  });
  return Object.fromEntries(entries);
}

export function formatFeatureSet(row: FeatureSetRow): ResourceObject {
  return { id: row.id, type: 'feature-sets', attributes: readAttributes(row) };
}

export function formatMembership(row: MembershipRow, teams: TeamRow[]): ResourceObject {
  const attributes = { status: row.status, email: row.email ?? undefined, 'created-at': formatDate(row.created_at) };
  const relationships = {
    teams: formatToMany('teams', teams),
    user: formatToOne('users', row.user_id),
    organization: formatToOne('organizations', row.organization_name),
    'scim-identity': row.has_scim === 1 ? formatToOne('scim-identities', row.scim_identity) : undefined,
  };
  return { id: row.id, type: 'organization-memberships', attributes, relationships };
}

export function formatUser(row: UserFields): ResourceObject {
  const hasSecondFactor = row.has_second_factor === 1;
  const attributes = {
    username: row.username,
    'is-service-account': row.is_service_account === 1,
    'auth-method': row.auth_method,
    'avatar-url': null,
    'two-factor': { enabled: hasSecondFactor, verified: hasSecondFactor },
    email: row.email ?? undefined,
    permissions: formatCan(true, 'change-email', 'change-username'),
  };
  return { id: row.user_id, type: 'users', attributes };
}

export function createServiceAccount({ type, tokenId }: Principal, organization = '', team = ''): UserFields {
  const username = type === 'team' ? `api-team-${team}-${organization}` : `api-org-${organization}`;
  const user_id = tokenId.replace(/^at-/, 'user-');
  return { user_id, username, email: null, is_service_account: 1, auth_method: 'tfc', has_second_factor: 0 };
}

function formatCan(isPermitted: boolean, ...names: string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [`can-${name}`, isPermitted]));
}

export function formatTeam(row: TeamRow, organization: OrganizationRow, permissions: Set<Permission>): ResourceObject {
  const isUnified = organization.is_unified === 1;
  const isManaged = findManager(row.scim_group_name, organization) !== undefined;
  const isPermitted = (permission: Permission): boolean => !isManaged && permissions.has(permission);
  const attributes = {
    ...formatColumns(row, 'name', 'sso_team_id', 'users_count', 'visibility'),
    'non-service-users-count': row.users_count - row.service_accounts,
    'allow-member-token-management': row.allow_member_token_management === 1,
    'is-unified': isUnified,
    'hcp-resource-name': isUnified ? `iam/organization/${organization.id}/group/${row.name}` : null,
    ...(organization.has_scim === 1 && {
      'scim-linked': row.scim_group_name !== null,
      'scim-sync-paused': false,
      ...formatColumns(row, 'scim_group_name', 'scim_updated_at'),
    }),
    'organization-access': readAccess(row),
    permissions: {
      ...formatCan(isPermitted('teams.change-members'), 'update-membership'),
      ...formatCan(isPermitted('teams.manage'), 'update-api-token', 'view-api-token'),
      ...formatCan(row.name !== OWNERS_TEAM && isPermitted('teams.delete'), 'destroy'),
    },
  };
  const relationships = { organization: formatToOne('organizations', organization.name) };
  return { id: row.id, type: 'teams', attributes, relationships };
}

export function formatOrganization(ctx: Context, row: OrganizationRow): ResourceObject {
  const { prefix, rules, store } = ctx;
  const { identifier = null } = readAttributes(findPlan(store, row.seq));
  const self = `${prefix}/organizations/${encodeURIComponent(row.name)}`;
  const isEnterprise = rules.kind === 'enterprise';
  const permissions = findPermissions(ctx, row.seq);
  const attributes = {
    name: row.name,
    'external-id': row.id,
    ...formatColumns(row, 'email', 'created_at'),
    ...readSettings(row),
    'plan-is-enterprise': isEnterprise,
    'plan-is-trial': !isEnterprise && identifier === 'trial',
    'plan-identifier': isEnterprise ? 'enterprise' : identifier,
    'is-unified': isEnterprise ? undefined : row.is_unified === 1,
    'saml-enabled': row.has_scim === 1,
    'plan-expired': false,
    'plan-expires-at': null,
    'managed-resource-count': 0,
    'two-factor-conformant': false,
    'is-in-degraded-mode': false,
    // Public samples have these (facts).
    permissions: {
      ...formatCan(true, 'traverse', 'access-via-teams'),
      ...formatCan(permissions.has('providers.manage'), 'create-provider', 'manage-custom-providers'),
      ...formatCan(permissions.has('providers.manage'), 'manage-public-providers', 'create-module'),
      ...formatCan(permissions.has('organizations.manage'), 'manage-subscription', 'manage-tags', 'start-trial'),
      ...formatCan(permissions.has('teams.manage') && !(rules.appliesPlans && identifier === 'free'), 'create-team'),
      ...formatCan(permissions.has('organizations.manage'), 'destroy', 'manage-run-tasks', 'update', 'update-sentinel'),
      ...formatCan(permissions.has('memberships.manage'), 'manage-users'),
      ...formatCan(permissions.has('organization-token.manage'), 'update-api-token', 'update-authentication-token'),
      ...formatCan(permissions.has('organization-token.manage'), 'view-authentication'),
    },
  };
  const relationships = {
    'entitlement-set': { ...formatToOne('entitlement-sets', row.id), links: { related: `${self}/entitlement-set` } },
    subscription: isEnterprise ? undefined : { links: { related: `${self}/subscription` } },
  };
  return { id: row.name, type: 'organizations', attributes, relationships, links: { self } };
}

const ALWAYS_ENTITLED = 'agents operations private-module-registry state-storage usage-reporting vcs-integrations';

export function formatEntitlements({ rules, store }: Context, row: OrganizationRow): ResourceObject {
  const isEnterprise = rules.kind === 'enterprise';
  const features = Object.entries(readAttributes(findPlan(store, row.seq))).filter(([name]) => !name.startsWith('is-'));
  const flags = features.filter(([, value]) => typeof value === 'boolean');
  const limits = features.filter(([name]) => name.endsWith('-limit'));
  const attributes = {
    ...Object.fromEntries(ALWAYS_ENTITLED.split(' ').map((name) => [name, true])),
    ...Object.fromEntries(flags.map(([name, value]) => [name, isEnterprise || value])),
    ...Object.fromEntries(limits.map(([name, value]) => [name, isEnterprise ? null : value])),
    'user-limit': row.user_limit,
  };
  return { id: row.id, type: 'entitlement-sets', attributes, links: { self: `/api/v2/entitlement-sets/${row.id}` } };
}

export function formatSubscription(row: OrganizationRow, plan: FeatureSetRow): ResourceObject {
  const attributes = { 'is-active': true, 'start-at': formatDate(row.created_at), 'end-at': null };
  const relationships = {
    organization: formatToOne('organizations', row.name),
    'feature-set': formatToOne('feature-sets', plan.id),
  };
  return { id: row.id.replace(/^org-/, 'sub-'), type: 'subscriptions', attributes, relationships };
}
