import type { JsonObject } from '../lib/json.ts';
import type { StoredTokenKind } from './callers.ts';

/** Rows of the tables, as they are selected. Flags are 0 or 1, times are in milliseconds. */

type Numbers<Names extends string> = Record<Names, number>;
type Texts<Names extends string> = Record<Names, string>;
type Nullable<Names extends string, Value = string> = Record<Names, Value | null>;

type Row = Numbers<'seq'> & Texts<'id'>;
type Dated = Row & Numbers<'created_at' | 'updated_at'>;

/** `settings`: JSON, without the defaults. `is_unified`: whether HCP manages people and teams. */
export type OrganizationRow = Row &
  Texts<'name' | 'email' | 'note' | 'settings'> &
  Numbers<'created_at' | 'curation' | 'active' | 'invited' | 'inactive' | 'has_scim' | 'is_unified'> &
  Nullable<'user_limit', number>;

/** `access`: JSON, names of accesses. `users_count`: active members and service accounts. */
export type TeamRow = Row &
  Texts<'name' | 'access'> & { visibility: 'secret' | 'organization' } & Numbers<
    'organization' | 'allow_member_token_management' | 'users_count' | 'service_accounts'
  > &
  Nullable<'sso_team_id' | 'scim_group_name'> &
  Nullable<'scim_updated_at', number>;

/** A service account has no email. A person without an account has no username. */
export type UserFields = Texts<'user_id' | 'auth_method'> &
  Nullable<'email' | 'username'> &
  Numbers<'is_service_account' | 'has_second_factor'>;

export type UserRow = UserFields & Numbers<'seq'>;

/** `inactive`: the identity provider has switched the person off (facts). */
export const STATUSES = ['invited', 'active', 'inactive'] as const;
export type MembershipStatus = (typeof STATUSES)[number];

export type MembershipRow = Row &
  UserFields &
  Texts<'organization_id' | 'organization_name'> &
  Numbers<'organization' | 'has_scim' | 'created_at' | 'user'> &
  Nullable<'scim_identity' | 'scim_status'> & { status: MembershipStatus };

/** A team can have many tokens with descriptions. Each owner has one token without a description. */
export type TokenRow = Texts<'id' | 'hash' | 'creator_type' | 'creator_id'> &
  Numbers<'created_at'> &
  Nullable<'organization' | 'team' | 'user' | 'expired_at' | 'last_used_at', number> &
  Nullable<'description'> & { kind: StoredTokenKind };

export type ProviderRow = Dated &
  Numbers<'organization'> &
  Texts<'namespace' | 'name'> & { registry_name: 'public' | 'private' };

export type VersionRow = Dated & Numbers<'provider'> & Texts<'version' | 'key_id' | 'protocols' | 'provider_id'>;

export type PlatformRow = Row & Numbers<'version'> & Texts<'os' | 'arch' | 'filename' | 'shasum'>;

export type GpgKeyRow = Omit<Dated, 'id'> & Numbers<'organization'> & Texts<'namespace' | 'key_id' | 'ascii_armor'>;

export type FeatureSetRow = Texts<'id' | 'attributes'>;

export function readAttributes(row: FeatureSetRow | undefined): JsonObject {
  return JSON.parse(row?.attributes ?? '{}') as JsonObject;
}

/** In the sandbox only `max-ttl-enabled` and `user-tokens-enabled` have an effect. */
export const DEFAULT_SETTINGS = {
  'collaborator-auth-policy': 'password',
  'default-execution-mode': 'remote',
  'session-timeout': null,
  'session-remember': null,
  'owners-team-saml-role-id': null,
  'allow-force-delete-workspaces': false,
  'assessments-enforced': false,
  'cost-estimation-enabled': false,
  'fair-run-queuing-enabled': true,
  'max-ttl-enabled': false,
  'stacks-enabled': false,
  'user-tokens-enabled': true,
  'aggregated-commit-status-enabled': true,
  'speculative-plan-management-enabled': true,
  'send-passing-statuses-for-untriggered-speculative-plans': false,
};

export function readSettings({ settings }: OrganizationRow): JsonObject {
  return { ...DEFAULT_SETTINGS, ...(JSON.parse(settings) as JsonObject) };
}
