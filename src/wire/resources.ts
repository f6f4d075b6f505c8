import type { Relationship, Resource } from './json-api.ts';

/**
 * The resources of the four areas. Assumed: the attributes that the service's document does not show. Unknown ones pass
 * through everywhere.
 */

export const FEATURE_SETS = 'feature-sets';
export const AUTHENTICATION_TOKENS = 'authentication-tokens';
/** The request type of an audit trail token is singular, by the service's document. */
export const AUTHENTICATION_TOKEN_REQUEST = 'authentication-token';
export const ORGANIZATION_MEMBERSHIPS = 'organization-memberships';
export const GPG_KEYS = 'gpg-keys';
export const REGISTRY_PROVIDERS = 'registry-providers';
export const REGISTRY_PROVIDER_PLATFORMS = 'registry-provider-platforms';
export const REGISTRY_PROVIDER_VERSIONS = 'registry-provider-versions';
export const SCIM_IDENTITIES = 'scim-identities';
/** In requests. */
export const REGISTRY_PROVIDER_PLATFORM_REQUEST = 'registry-provider-version-platforms';
export const ORGANIZATIONS = 'organizations';
export const TEAMS = 'teams';
export const TOKEN_POLICIES = 'organization-token-ttl-policies';
export const USERS = 'users';

/** Assumed: `inactive`, which the service's document does not list: the identity provider has switched the person off. */
export type MembershipStatus = 'invited' | 'active' | 'inactive';

export interface Membership extends Resource {
  readonly attributes: {
    readonly status?: MembershipStatus | string;
    readonly email?: string | null;
    readonly [name: string]: unknown;
  };
  readonly relationships?: Readonly<Record<string, Relationship>>;
}

export type RegistryName = 'public' | 'private';

export interface AuditEvent {
  readonly id?: string;
  readonly type?: string;
  readonly timestamp?: string;
  readonly auth?: Readonly<Record<string, unknown>>;
  readonly request?: Readonly<Record<string, unknown>>;
  readonly resource?: Readonly<Record<string, unknown>>;
  readonly [name: string]: unknown;
}

/** A page of the audit trail: pagination in snake case, beside `data`. */
export interface AuditTrailDocument {
  readonly data: readonly AuditEvent[];
  readonly pagination?: {
    readonly current_page?: number | null;
    readonly page_size?: number | null;
    readonly prev_page?: number | null;
    readonly next_page?: number | null;
    readonly total_pages?: number | null;
    readonly total_count?: number | null;
  };
}
