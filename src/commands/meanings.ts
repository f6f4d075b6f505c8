/** What fields mean that several nouns print, by their path: in the words of the service's document, and when one is empty. */

export const ORGANIZATION_MEANINGS = {
  type: 'Kind of thing, as the service calls it',
  organization: 'The organization: its id, which is its name, and its type',
  'organization.id': 'Name of the organization',
  'organization.type': 'organizations, as the service calls it',
} as const;

export const ORGANIZATION_FIELDS = ['organization', 'organization.id', 'organization.type'] as const;

/** Of a row that says what became of a thing, or of an organization. */
export const RESULT_MEANINGS = {
  ...ORGANIZATION_MEANINGS,
  result: 'What became of it; failed and not-attempted changed nothing, unknown may have',
  changed: 'Whether this command changed it',
  error: 'Why it failed: code, message and what else is known; empty unless it failed',
  'error.code': 'Why it failed, in a word for programs; empty unless it failed',
  'error.message': 'Why it failed, as a sentence; empty unless it failed',
  'error.status': "HTTP status of the service's refusal; empty where the service did not refuse it",
  'error.next': 'Commands that help; empty where there are none',
} as const;

/** Of a team, but for its id and its name. */
export const TEAM_MEANINGS = {
  'users-count': 'How many active users are in it, service accounts too',
  'non-service-users-count': 'The same without service accounts',
  visibility: 'secret: only its members and owners see it; organization: everyone does',
  'sso-team-id': 'Name of the team at the identity provider; empty where there is none',
  'scim-linked': 'Whether the identity provider fills it by SCIM',
  'scim-group-name': 'Group that fills it by SCIM; empty where none does',
  'scim-updated-at': 'When SCIM changed it last; empty where it never did',
  'scim-sync-paused': 'Whether it is left as it is by SCIM for now',
  'is-unified': 'Whether it is managed in HCP',
  'hcp-resource-name': 'Name of the group in HCP that it is; empty where there is none',
  'allow-member-token-management': 'Whether its members may manage its tokens',
  'organization-access': 'What the team may do in the organization, each by name',
  permissions: 'What your token may do with the team, each by name',
} as const;

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

export const MEMBER_MEANINGS = {
  ...RESULT_MEANINGS,
  id: 'Id of the membership (ou-…)',
  email: 'Email address of the person; empty where the service hides it',
  status: 'invited until the invitation is accepted, then active; inactive where the identity provider switched it off',
  'created-at': 'When the person was invited or added',
  'is-org-two-factor-required':
    'Whether the organization requires two-factor authentication; empty but for invitations',
  user: 'The account: id, user name and what else the service sends',
  'user.id': 'Id of the account (user-…)',
  'user.type': 'users, as the service calls it',
  'user.avatar-url': 'Address of the picture of the account',
  'user.permissions': 'What your token may do with the account, each by name',
  'user.username': 'User name; empty for an invited person without an account',
  'user.email': 'Email address of the account; empty where the service shows it to others only',
  'user.two-factor': "Two-factor authentication of the account; empty where your token can't see it",
  'user.two-factor.enabled':
    "Whether two-factor authentication is on; empty where your token can't see it, and in reports for invited people",
  'user.two-factor.verified': "Whether two-factor authentication was confirmed; empty where your token can't see it",
  'user.is-service-account': 'Whether it is the account of a token, and no person',
  'user.auth-method': "How the person logs in, such as tfc or hcp_sso; empty where the service doesn't say",
  'scim-identity': 'The account at the identity provider that manages the person by SCIM: id and type; else empty',
  'scim-identity.id': 'Id of that account; else empty',
  'scim-identity.type': 'scim-identities, as the service calls it; else empty',
  teams: 'The teams of the person that your token can see: id, name and more',
  'teams.id': 'Ids of these teams (team-…)',
  'teams.name': 'Names of these teams; empty where the service sends none',
  'teams.type': 'teams, as the service calls them',
  ...Object.fromEntries(Object.entries(TEAM_MEANINGS).map(([name, meaning]) => [`teams.${name}`, meaning])),
} as const;

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

/** Whose token it is. */
export const OWNER_MEANINGS = {
  kind: 'Whose token it is: team, organization or audit-trail',
  team: 'The team whose token it is: id and name; empty for other kinds',
  'team.id': 'Id of that team (team-…); empty for other kinds',
  'team.type': 'teams, as the service calls it; empty for other kinds',
  'team.name': "Name of that team; empty for other kinds, or where it can't be read",
} as const;

/** Of a token, whose secret is never shown again. */
export const TOKEN_MEANINGS = {
  ...RESULT_MEANINGS,
  id: 'Id of the token (at-…); empty where there is none',
  'created-at': 'When it was created',
  'last-used-at': 'When it was last used; empty where it never was',
  'expired-at': 'When it expires; empty where it never does',
  description: 'What it was described as; empty for most',
  'created-by': 'Who created it: id and type',
  'created-by.id': 'Id of who created it',
  'created-by.type': 'Kind of who created it, such as users',
  source:
    'local-record where the service does not show the token, and this is what the last rotation noted; else empty',
} as const;
