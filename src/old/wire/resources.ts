import type { Relationship, Resource } from './json-api.ts';

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
/** The type of a platform in requests. Answers have another. */
export const REGISTRY_PROVIDER_PLATFORM_REQUEST = 'registry-provider-version-platforms';
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
export type Named<Name extends string> = { readonly [Each in Name]?: unknown };
type Related<Name extends string> = { readonly [Each in Name]?: Relationship };

export interface Membership extends Resource {
  readonly attributes?: Named<'email' | 'status' | 'created-at' | 'is-org-two-factor-required'>;
  readonly relationships?: Related<'organization' | 'scim-identity' | 'teams' | 'user'>;
}

export interface User extends Resource {
  readonly attributes?: Named<
    | 'auth-method'
    | 'avatar-url'
    | 'email'
    | 'is-scim-managed'
    | 'is-service-account'
    | 'permissions'
    | 'two-factor'
    | 'username'
  >;
}

export interface Team extends Resource {
  readonly attributes?: Named<
    | 'allow-member-token-management'
    | 'hcp-resource-name'
    | 'is-unified'
    | 'name'
    | 'non-service-users-count'
    | 'organization-access'
    | 'permissions'
    | 'scim-group-name'
    | 'scim-linked'
    | 'scim-sync-paused'
    | 'scim-updated-at'
    | 'sso-team-id'
    | 'users-count'
    | 'visibility'
  >;
  readonly relationships?: Related<'organization'>;
}

export interface Token extends Resource {
  readonly attributes?: Named<
    'created-at' | 'description' | 'expired-at' | 'is-ttl-rejected' | 'last-used-at' | 'token'
  >;
  readonly relationships?: Related<'created-by' | 'team'>;
}

export interface FeatureSet extends Resource {
  readonly attributes?: Named<
    | 'assessments'
    | 'audit-logging'
    | 'comparison-description'
    | 'cost'
    | 'cost-estimation'
    | 'default-agents-ceiling'
    | 'default-runs-ceiling'
    | 'description'
    | 'global-run-tasks'
    | 'identifier'
    | 'is-current'
    | 'is-free-tier'
    | 'module-tests-generation'
    | 'name'
    | 'no-code-modules'
    | 'plan'
    | 'policy-enforcement'
    | 'policy-limit'
    | 'policy-mandatory-enforcement-limit'
    | 'policy-set-limit'
    | 'private-networking'
    | 'private-policy-agents'
    | 'private-run-tasks'
    | 'private-vcs'
    | 'run-task-limit'
    | 'run-task-mandatory-enforcement-limit'
    | 'run-task-workspace-limit'
    | 'run-tasks'
    | 'self-serve-billing'
    | 'sentinel'
    | 'sso'
    | 'teams'
    | 'user-limit'
    | 'versioned-policy-set-limit'
  >;
}

export interface Provider extends Resource {
  readonly attributes?: Named<'created-at' | 'name' | 'namespace' | 'permissions' | 'registry-name' | 'updated-at'>;
  readonly relationships?: Related<'organization' | 'registry-provider-versions' | 'versions'>;
}

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

/** A version of a public provider. The registry may send more. */
export type PublicVersion = Named<'protocols'> & {
  readonly version: string;
  readonly platforms?: readonly Named<'arch' | 'os'>[];
};
