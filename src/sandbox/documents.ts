import type { ListDocument, Resource } from '../wire/json-api.ts';
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
} from '../wire/resources.ts';
import type { Caller } from './callers.ts';
import { toIsoDate } from './iso-date.ts';
import type { Rules } from './kinds.ts';
import { type Page, toPageLinks, toPagination } from './pagination.ts';
import { findManager, isPermitted, type Operation, type Right, toAccess } from './permissions.ts';
import type { FeatureSetRow } from './queries/feature-sets.ts';
import type { MembershipRow, UserRow } from './queries/memberships.ts';
import { type OrganizationRow, readSettings } from './queries/organizations.ts';
import type { ProviderRow } from './queries/providers.ts';
import { OWNERS_TEAM, type TeamRow } from './queries/teams.ts';
import type { TokenPolicyRow } from './queries/token-policies.ts';
import type { TokenRow } from './queries/tokens.ts';
import type { Context } from './route.ts';

/**
 * Rows as JSON:API resources and documents. The service's document shows few of the attributes; the rest, the order of
 * lists and the members of documents are Assumed.
 */

export type Included = Readonly<Pick<ListDocument, 'included'>>;

/** Absent where the request asks for nothing beside the data. */
export function toIncluded({ include }: Context, resources: Iterable<Resource> = []): Included {
  return include.size === 0 ? {} : { included: [...resources] };
}

/** Without a page, members about pages are left out. */
export function toListDocument(
  url: URL,
  page: Page | undefined,
  total: number,
  data: readonly Resource[],
  more: Included & { readonly meta?: Readonly<Record<string, unknown>> } = {},
): ListDocument {
  const { meta, ...included } = more;
  if (page === undefined) return { data, ...included };
  const pagination = toPagination(page, total);
  return { data, ...included, links: toPageLinks(url, page, pagination), meta: { ...meta, pagination } };
}

export function toFeatureSet(row: FeatureSetRow): Resource {
  return { id: row.id, type: FEATURE_SETS, attributes: JSON.parse(row.attributes) as Record<string, unknown> };
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

/** Of the plan only what limits or allows; where there are no plans everything is allowed. */
export function toEntitlementSet(
  organization: OrganizationRow,
  current: FeatureSetRow | undefined,
  { kind }: Rules,
): Resource {
  const hasPlans = kind !== 'enterprise';
  const attributes = current === undefined ? {} : (JSON.parse(current.attributes) as Record<string, unknown>);
  const entitled = Object.entries(attributes).flatMap(([name, value]): [string, unknown][] => {
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
      organization: { data: { id: organization.name, type: ORGANIZATIONS } },
      'feature-set': { data: { id: current.id, type: FEATURE_SETS } },
    },
  };
}

/** The secret is part of the answer to its creation and of no other. */
export function toAuthenticationToken(row: TokenRow, secret: string | null, team?: string): Resource {
  return {
    id: row.id,
    type: AUTHENTICATION_TOKENS,
    attributes: {
      'created-at': toIsoDate(row.created_at),
      'last-used-at': row.last_used_at === null ? null : toIsoDate(row.last_used_at),
      description: null,
      token: secret,
      'expired-at': row.expired_at === null ? null : toIsoDate(row.expired_at),
    },
    relationships: {
      'created-by': { data: { id: row.creator_id, type: row.creator_type } },
      team: { data: team === undefined ? null : { id: team, type: TEAMS } },
    },
  };
}

export function toTokenPolicy(organization: string, row: Omit<TokenPolicyRow, 'organization'>): Resource {
  return {
    id: organization.replace(/^org-/, `ttl-${row.token_type.replace('_', '-')}-`),
    type: TOKEN_POLICIES,
    attributes: {
      'token-type': row.token_type,
      'max-ttl-ms': row.max_ttl_ms,
      'created-at': toIsoDate(row.created_at),
      'updated-at': toIsoDate(row.updated_at),
    },
  };
}

export function toMembership(row: MembershipRow, teams: readonly TeamRow[]): Resource {
  return {
    id: row.id,
    type: ORGANIZATION_MEMBERSHIPS,
    attributes: { status: row.status, ...toEmail(row), 'created-at': toIsoDate(row.created_at) },
    relationships: {
      teams: { data: teams.map(({ id }) => ({ id, type: TEAMS })) },
      user: { data: { id: row.user_id, type: USERS } },
      organization: { data: { id: row.organization_name, type: ORGANIZATIONS } },
      ...(row.has_scim === 1
        ? {
            'scim-identity': {
              data: row.scim_identity === null ? null : { id: row.scim_identity, type: SCIM_IDENTITIES },
            },
          }
        : {}),
    },
  };
}

/** Undefined for a membership that SCIM does not manage. */
export function toScimIdentity({ scim_identity: id, scim_status: status }: MembershipRow): Resource | undefined {
  return id === null ? undefined : { id, type: SCIM_IDENTITIES, attributes: { status } };
}

/** Assumed: a service account has no address, and none is shown. */
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

/** `rights`: what the caller has in the organization. */
export function toTeam(
  row: TeamRow,
  organization: OrganizationRow,
  rights: ReadonlySet<Right>,
  relationships: Resource['relationships'] = {},
): Resource {
  const { name, has_scim: hasScim, is_unified: isUnified } = organization;
  return {
    id: row.id,
    type: TEAMS,
    attributes: {
      name: row.name,
      'sso-team-id': row.sso_team_id,
      'users-count': row.users_count,
      'non-service-users-count': row.users_count - row.service_accounts,
      visibility: row.visibility,
      'allow-member-token-management': row.allow_member_token_management === 1,
      'is-unified': isUnified === 1,
      'hcp-resource-name': isUnified === 1 ? `iam/organization/${organization.id}/group/${row.name}` : null,
      ...(hasScim === 1 ? toScimAttributes(row) : {}),
      // The sandbox applies those that it has routes for.
      'organization-access': toAccess(row),
      permissions: toTeamPermissions(row, organization, rights),
    },
    relationships: {
      organization: { data: { id: name, type: ORGANIZATIONS } },
      ...relationships,
    },
  };
}

function toScimAttributes(row: TeamRow): Readonly<Record<string, unknown>> {
  return {
    'scim-linked': row.scim_group_name !== null,
    'scim-group-name': row.scim_group_name,
    'scim-updated-at': row.scim_updated_at === null ? null : toIsoDate(row.scim_updated_at),
    'scim-sync-paused': false,
  };
}

/** What the caller may do with a team. Who manages it elsewhere is asked before who the caller is. */
function toTeamPermissions(
  team: TeamRow,
  organization: OrganizationRow,
  rights: ReadonlySet<Right>,
): Readonly<Record<string, boolean>> {
  const isManaged = findManager(team, organization) !== undefined;
  const may = (operation: Operation): boolean => !isManaged && isPermitted(rights, operation);
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

/** `may`: what the caller may do there. */
export function toOrganization(
  row: OrganizationRow,
  current: FeatureSetRow | undefined,
  may: (operation: Operation) => boolean,
  { rules, prefix }: Context,
): Resource {
  const plan = current === undefined ? {} : (JSON.parse(current.attributes) as Record<string, unknown>);
  const self = `${prefix}/organizations/${encodeURIComponent(row.name)}`;
  const isEnterprise = rules.kind === 'enterprise';
  return {
    id: row.name,
    type: ORGANIZATIONS,
    attributes: {
      name: row.name,
      'external-id': row.id,
      email: row.email,
      'created-at': toIsoDate(row.created_at),
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
  canDelete: boolean,
  versions: readonly Pick<Resource, 'id' | 'type'>[] = [],
): Resource {
  const address = [row.registry_name, row.namespace, row.name].map(encodeURIComponent).join('/');
  return {
    id: row.id,
    type: REGISTRY_PROVIDERS,
    attributes: {
      name: row.name,
      namespace: row.namespace,
      'registry-name': row.registry_name,
      'created-at': toIsoDate(row.created_at),
      'updated-at': toIsoDate(row.updated_at),
      permissions: { 'can-delete': canDelete },
    },
    relationships: {
      organization: { data: { id: organization, type: ORGANIZATIONS } },
      ...(row.registry_name === 'private'
        ? { [REGISTRY_PROVIDER_VERSIONS]: { data: versions.map(({ id, type }) => ({ id, type })) } }
        : {}),
    },
    links: { self: `${prefix}/organizations/${encodeURIComponent(organization)}/registry-providers/${address}` },
  };
}

/** The account that a token without a person acts as: the service has one for each. */
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
