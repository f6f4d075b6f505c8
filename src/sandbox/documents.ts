import type { Caller } from './callers.ts';
import { toIsoDate } from './iso-date.ts';
import type { Rules } from './kinds.ts';
import { findManager, type May, toAccess } from './permissions.ts';
import { type FeatureSetRow, readAttributes } from './queries/feature-sets.ts';
import type { MembershipRow, UserRow } from './queries/memberships.ts';
import { type OrganizationRow, readSettings } from './queries/organizations.ts';
import type { ProviderRow } from './queries/providers.ts';
import { OWNERS_TEAM, type TeamRow } from './queries/teams.ts';
import type { TokenPolicyRow } from './queries/token-policies.ts';
import type { TokenRow } from './queries/tokens.ts';
import type { Context } from './route.ts';
import type { Resource, ResourceIdentifier } from './wire/json-api.ts';
import {
  AUTHENTICATION_TOKENS,
  FEATURE_SETS,
  ORGANIZATION_MEMBERSHIPS,
  ORGANIZATIONS,
  REGISTRY_PROVIDER_VERSIONS,
  REGISTRY_PROVIDERS,
  SCIM_IDENTITIES,
  TEAMS,
  TOKEN_POLICIES,
  USERS,
} from './wire/resources.ts';

/** Rows as JSON:API resources. The service's document shows few of the attributes; the rest are Assumed. */

export function refer(type: string, id: string): { readonly data: ResourceIdentifier } {
  return { data: { id, type } };
}

export function referAll(resources: readonly ResourceIdentifier[]): { readonly data: readonly ResourceIdentifier[] } {
  return { data: resources.map(({ id, type }) => ({ id, type })) };
}

/** Attributes that are columns: the attribute of `key_id` is `key-id`, and a column that ends in `_at` is a time. */
export function show<Row>(row: Row, ...columns: readonly (keyof Row & string)[]): Readonly<Record<string, unknown>> {
  const attributes: Record<string, unknown> = {};
  for (const column of columns) {
    const value = row[column];
    const isTime = column.endsWith('_at') && typeof value === 'number';
    attributes[column.replaceAll('_', '-')] = isTime ? toIsoDate(value) : value;
  }
  return attributes;
}

export function toFeatureSet(row: FeatureSetRow): Resource {
  return { id: row.id, type: FEATURE_SETS, attributes: readAttributes(row) };
}

/** Every plan has these. */
const ALWAYS_ENTITLED = {
  agents: true,
  operations: true,
  'private-module-registry': true,
  'state-storage': true,
  'usage-reporting': true,
  'vcs-integrations': true,
} as const;

/** Shows of the plan only what it allows and limits. Where there are no plans everything is allowed. */
export function toEntitlementSet(
  organization: OrganizationRow,
  current: FeatureSetRow | undefined,
  { kind }: Rules,
): Resource {
  const hasPlans = kind !== 'enterprise';
  const entitled = Object.entries(readAttributes(current)).flatMap(([name, value]): [string, unknown][] => {
    if (name.startsWith('is-')) return [];
    if (typeof value === 'boolean') return [[name, hasPlans ? value : true]];
    return name.endsWith('-limit') ? [[name, hasPlans ? value : null]] : [];
  });
  const limit = { 'user-limit': organization.user_limit };
  return {
    id: organization.id,
    type: 'entitlement-sets',
    attributes: { ...ALWAYS_ENTITLED, ...Object.fromEntries(entitled), ...limit },
    links: { self: `/api/v2/entitlement-sets/${organization.id}` },
  };
}

export function toSubscription(organization: OrganizationRow, current: FeatureSetRow): Resource {
  return {
    id: organization.id.replace(/^org-/, 'sub-'),
    type: 'subscriptions',
    attributes: { 'is-active': true, 'start-at': toIsoDate(organization.created_at), 'end-at': null },
    relationships: {
      organization: refer(ORGANIZATIONS, organization.name),
      'feature-set': refer(FEATURE_SETS, current.id),
    },
  };
}

/** `secret`: only the answer to the creation of a token has it. */
export function toAuthenticationToken(row: TokenRow, secret: string | null, team?: string): Resource {
  return {
    id: row.id,
    type: AUTHENTICATION_TOKENS,
    attributes: {
      ...show(row, 'created_at', 'last_used_at'),
      description: row.description,
      token: secret,
      ...show(row, 'expired_at'),
    },
    relationships: {
      'created-by': refer(row.creator_type, row.creator_id),
      team: team === undefined ? { data: null } : refer(TEAMS, team),
    },
  };
}

export function toTokenPolicy(organization: string, row: Omit<TokenPolicyRow, 'organization'>): Resource {
  return {
    id: organization.replace(/^org-/, `ttl-${row.token_type.replace('_', '-')}-`),
    type: TOKEN_POLICIES,
    attributes: show(row, 'token_type', 'max_ttl_ms', 'created_at', 'updated_at'),
  };
}

export function toMembership(row: MembershipRow, teams: readonly TeamRow[]): Resource {
  return {
    id: row.id,
    type: ORGANIZATION_MEMBERSHIPS,
    attributes: { status: row.status, ...toEmail(row), 'created-at': toIsoDate(row.created_at) },
    relationships: {
      teams: { data: teams.map(({ id }) => ({ id, type: TEAMS })) },
      user: refer(USERS, row.user_id),
      organization: refer(ORGANIZATIONS, row.organization_name),
      ...(row.has_scim === 1
        ? { 'scim-identity': row.scim_identity === null ? { data: null } : refer(SCIM_IDENTITIES, row.scim_identity) }
        : {}),
    },
  };
}

/** Undefined for a membership that SCIM does not manage. */
export function toScimIdentity({ scim_identity: id, scim_status: status }: MembershipRow): Resource | undefined {
  return id === null ? undefined : { id, type: SCIM_IDENTITIES, attributes: { status } };
}

/** Assumed: a service account has no email address, and the service shows none. */
function toEmail({ email }: { readonly email: string | null }): { readonly email?: string } {
  return email === null ? {} : { email };
}

type UserFields = Omit<UserRow, 'seq' | 'id'> & { readonly user_id: string };

export function toUser(row: UserFields): Resource {
  const hasSecondFactor = row.has_second_factor === 1;
  return {
    id: row.user_id,
    type: USERS,
    attributes: {
      username: row.username,
      'is-service-account': row.is_service_account === 1,
      'auth-method': row.auth_method,
      'avatar-url': null,
      'two-factor': { enabled: hasSecondFactor, verified: hasSecondFactor },
      ...toEmail(row),
      permissions: {
        'can-create-organizations': false,
        'can-change-email': true,
        'can-change-username': true,
        'can-manage-user-tokens': false,
      },
    },
  };
}

/** `may`: what the caller may do in the organization. The functions below have it too. */
export function toTeam(
  row: TeamRow,
  organization: OrganizationRow,
  may: May,
  relationships: Resource['relationships'] = {},
): Resource {
  const { name, has_scim: hasScim, is_unified: isUnified } = organization;
  return {
    id: row.id,
    type: TEAMS,
    attributes: {
      ...show(row, 'name', 'sso_team_id', 'users_count'),
      'non-service-users-count': row.users_count - row.service_accounts,
      visibility: row.visibility,
      'allow-member-token-management': row.allow_member_token_management === 1,
      'is-unified': isUnified === 1,
      'hcp-resource-name': isUnified === 1 ? `iam/organization/${organization.id}/group/${row.name}` : null,
      ...(hasScim === 1 ? toScimAttributes(row) : {}),
      // The sandbox applies only the accesses that it has routes for.
      'organization-access': toAccess(row),
      permissions: toTeamPermissions(row, organization, may),
    },
    relationships: { organization: refer(ORGANIZATIONS, name), ...relationships },
  };
}

function toScimAttributes(row: TeamRow): Readonly<Record<string, unknown>> {
  return {
    'scim-linked': row.scim_group_name !== null,
    ...show(row, 'scim_group_name', 'scim_updated_at'),
    'scim-sync-paused': false,
  };
}

/** What the caller may do with a team: nothing where it is managed elsewhere. */
function toTeamPermissions(
  team: TeamRow,
  organization: OrganizationRow,
  mayDo: May,
): Readonly<Record<string, boolean>> {
  const isManaged = findManager(team, organization) !== undefined;
  const may: May = (operation) => !isManaged && mayDo(operation);
  const isOwners = team.name === OWNERS_TEAM;
  return {
    'can-update-membership': may('teams.change-members'),
    'can-destroy': may('teams.delete') && !isOwners,
    'can-update-organization-access': may('teams.change-access') && !isOwners,
    'can-update-api-token': may('teams.change'),
    'can-update-visibility': may('teams.change') && !isOwners,
    'can-update-name': may('teams.change') && !isOwners,
    'can-update-sso-team-id': may('teams.change') && !isOwners,
    'can-update-member-token-management': may('teams.change'),
    'can-view-api-token': may('teams.change'),
  };
}

export function toOrganization(
  row: OrganizationRow,
  current: FeatureSetRow | undefined,
  may: May,
  { rules, prefix }: Context,
): Resource {
  const plan = readAttributes(current);
  const self = `${prefix}/organizations/${encodeURIComponent(row.name)}`;
  const isEnterprise = rules.kind === 'enterprise';
  return {
    id: row.name,
    type: ORGANIZATIONS,
    attributes: {
      name: row.name,
      'external-id': row.id,
      ...show(row, 'email', 'created_at'),
      ...readSettings(row),
      'plan-expired': false,
      'plan-expires-at': null,
      'plan-is-enterprise': isEnterprise,
      'plan-is-trial': !isEnterprise && plan['identifier'] === 'trial',
      'plan-identifier': isEnterprise ? 'enterprise' : (plan['identifier'] ?? null),
      ...(isEnterprise ? {} : { 'is-unified': row.is_unified === 1 }),
      'saml-enabled': false,
      'two-factor-conformant': false,
      'is-in-degraded-mode': false,
      permissions: {
        'can-access-via-teams': true,
        'can-create-provider': may('providers.create'),
        'can-create-team': may('teams.create'),
        'can-destroy': may('organizations.delete'),
        'can-manage-custom-providers': may('providers.create'),
        'can-manage-org-public-providers': may('providers.create'),
        'can-manage-public-providers': may('providers.create'),
        'can-manage-subscription': may('plans.change'),
        'can-manage-users': may('memberships.invite'),
        'can-traverse': true,
        'can-update': may('organizations.change'),
        'can-update-api-token': may('organization-token.generate'),
        'can-update-authentication-token': may('organization-token.generate'),
        'can-view-authentication': may('organization-token.show'),
        'can-view-users': may('memberships.list'),
      },
    },
    relationships: {
      'entitlement-set': {
        data: { id: row.id, type: 'entitlement-sets' },
        links: { related: `${self}/entitlement-set` },
      },
      ...(isEnterprise ? {} : { subscription: { links: { related: `${self}/subscription` } } }),
    },
    links: { self },
  };
}

export function toProvider(
  row: ProviderRow,
  organization: string,
  prefix: string,
  may: May,
  versions: readonly Resource[],
): Resource {
  const address = [row.registry_name, row.namespace, row.name].map(encodeURIComponent).join('/');
  return {
    id: row.id,
    type: REGISTRY_PROVIDERS,
    attributes: {
      ...show(row, 'name', 'namespace', 'registry_name', 'created_at', 'updated_at'),
      permissions: { 'can-delete': may('providers.delete') },
    },
    relationships: {
      organization: refer(ORGANIZATIONS, organization),
      ...(row.registry_name === 'private' ? { [REGISTRY_PROVIDER_VERSIONS]: referAll(versions) } : {}),
    },
    links: { self: `${prefix}/organizations/${encodeURIComponent(organization)}/registry-providers/${address}` },
  };
}

/** The account that a token without a person acts as. The service has one for each such token. */
export function toServiceAccount(
  { holder, tokenId }: Caller,
  organization: string,
  team: string | undefined,
): UserFields & { username: string } {
  const username = holder === 'team' ? `api-team-${team}-${organization}` : `api-org-${organization}`;
  return {
    user_id: tokenId.replace(/^at-/, 'user-'),
    username,
    email: null,
    is_service_account: 1,
    auth_method: 'tfc',
    has_second_factor: 0,
  };
}
