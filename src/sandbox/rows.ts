import type { TokenKind } from './callers.ts';

/** Rows of the tables, as they are selected. Flags are 0 or 1, times are milliseconds. */
interface Row {
  seq: number;
  id: string;
}

export interface OrganizationRow extends Row {
  name: string;
  email: string;
  created_at: number;
  /** Whether public providers may be curated. */
  curation: number;
  user_limit: number | null;
  note: string;
  /** JSON: what differs from the usual settings. */
  settings: string;
  active: number;
  invited: number;
  inactive: number;
  has_scim: number;
  /** Whether HCP manages people and teams. */
  is_unified: number;
}

export interface TeamRow extends Row {
  organization: number;
  name: string;
  visibility: string;
  /** JSON: the names of the accesses that the team has. */
  access: string;
  sso_team_id: string | null;
  /** The group that SCIM fills the team from. */
  scim_group_name: string | null;
  scim_updated_at: number | null;
  allow_member_token_management: number;
  /** Active members, service accounts among them. */
  users_count: number;
  service_accounts: number;
}

export interface UserFields {
  user_id: string;
  /** Null for a service account. */
  email: string | null;
  /** Null until the person has an account. */
  username: string | null;
  is_service_account: number;
  auth_method: string;
  has_second_factor: number;
}

/** `inactive`: the identity provider has switched the person off (facts). */
export const STATUSES = ['invited', 'active', 'inactive'] as const;
export type MembershipStatus = (typeof STATUSES)[number];

export interface MembershipRow extends Row, UserFields {
  organization: number;
  organization_name: string;
  has_scim: number;
  status: MembershipStatus;
  created_at: number;
  user: number;
  /** Null if SCIM does not manage it. */
  scim_identity: string | null;
  scim_status: string | null;
}

export interface TokenRow extends Omit<Row, 'seq'> {
  hash: string;
  kind: TokenKind;
  organization: number | null;
  team: number | null;
  user: number | null;
  created_at: number;
  expired_at: number | null;
  last_used_at: number | null;
  creator_type: string;
  creator_id: string;
  /** A team's token that has one stands beside the others of that team; null for the one token of a place. */
  description: string | null;
}

interface Dated extends Row {
  created_at: number;
  updated_at: number;
}

export interface ProviderRow extends Dated {
  organization: number;
  registry_name: 'public' | 'private';
  namespace: string;
  name: string;
}

export interface VersionRow extends Dated {
  provider: number;
  version: string;
  key_id: string;
  /** JSON: a list of texts, or null. */
  protocols: string;
}

export interface PlatformRow extends Row {
  version: number;
  os: string;
  arch: string;
  filename: string;
  shasum: string;
}

export interface GpgKeyRow extends Omit<Dated, 'id'> {
  organization: number;
  /** The name of the organization. */
  namespace: string;
  key_id: string;
  ascii_armor: string;
}

export interface FeatureSetRow {
  id: string;
  /** JSON */
  attributes: string;
}
