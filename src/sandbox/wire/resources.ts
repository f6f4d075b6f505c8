/**
 * The resources of the four areas. Unknown attributes pass through everywhere. Assumed: the resources have some
 * attributes that the service's document does not show, such as scim-linked of a team.
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
export const ORGANIZATIONS = 'organizations';
export const TEAMS = 'teams';
export const TOKEN_POLICIES = 'organization-token-ttl-policies';
export const USERS = 'users';

/**
 * Assumed: a membership can have the status `inactive`, which the service's document does not list: the identity
 * provider has switched the person off.
 */
export type MembershipStatus = 'invited' | 'active' | 'inactive';

/** Names that are known of an object. Any value may stand there, or none: who needs a text checks that it is one. */
type Named<Name extends string> = { readonly [Each in Name]?: unknown };

export type RegistryName = 'public' | 'private';

export type AuditEvent = Named<'id' | 'timestamp' | 'type' | 'version'> & {
  readonly auth?: Named<'accessor_id' | 'description' | 'impersonator_id' | 'organization_id' | 'type'>;
  readonly request?: Named<'id'>;
  readonly resource?: Named<'action' | 'id' | 'meta' | 'type'>;
};

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
