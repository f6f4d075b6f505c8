/** Fields that several nouns print. */

export const ORGANIZATION_FIELDS = ['organization', 'organization.id', 'organization.type'] as const;

/** What a team has that no default column shows. */
export const TEAM_FIELDS = [
  'sso-team-id',
  'scim-linked',
  'scim-group-name',
  'scim-updated-at',
  'scim-sync-paused',
  'is-unified',
  'hcp-resource-name',
  'non-service-users-count',
  'allow-member-token-management',
  'organization-access',
  'permissions',
] as const;

/** What a member has that no default column shows. */
export const ACCOUNT_FIELDS = [
  'user',
  'user.id',
  'user.type',
  'user.email',
  'user.two-factor',
  'user.two-factor.enabled',
  'user.two-factor.verified',
  'user.is-service-account',
  'user.auth-method',
  'user.avatar-url',
  'user.permissions',
  'teams',
  'teams.id',
  'teams.type',
  'scim-identity',
  'scim-identity.id',
  'scim-identity.type',
] as const;

/** Of the teams of a member all that a team has. */
export const FIELDS_OF_TEAMS = (['users-count', 'visibility', ...TEAM_FIELDS] as const).map(
  (name) => `teams.${name}` as const,
);
