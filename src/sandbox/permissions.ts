import type { Holder } from './callers.ts';
import type { OrganizationRow } from './queries/organizations.ts';
import { OWNERS_TEAM, type TeamRow } from './queries/teams.ts';

/** The Team Management permissions. Assumed: these three; the service's document does not list them. */
const TEAM_MANAGEMENT = ['manage-membership', 'manage-teams', 'manage-organization-access'] as const;

/** What a team may be given, by the service's names for it: the organization access that its members have. */
export const ACCESSES = [
  ...TEAM_MANAGEMENT,
  'access-secret-teams',
  'delegate-policy-overrides',
  'manage-agent-pools',
  'manage-modules',
  'manage-policies',
  'manage-policy-overrides',
  'manage-projects',
  'manage-providers',
  'manage-public-modules',
  'manage-public-providers',
  'manage-registry-artifact-tags',
  'manage-registry-artifact-version-tags',
  'manage-registry-components',
  'manage-run-tasks',
  'manage-vcs-settings',
  'manage-workspaces',
  'read-projects',
  'read-workspaces',
] as const;

export type Access = (typeof ACCESSES)[number];

/** What a caller has, of which an operation asks for one: whose token it is, and what its teams are given. */
export type Right = Holder | 'member' | 'owners' | Access;

const MEMBERS = ['member', 'organization'] as const;
const NOT_AUDIT_TRAIL = ['user', 'team', 'organization'] as const;

/**
 * Which rights allow what; to all other callers the answer is 404. Owners have every access.
 * Generating and deleting audit trail tokens, managing memberships and writing providers follow Authentication 1 to 3
 * of the service's document. Assumed: that the audit trail token opens the audit trail and nothing else.
 */
const PERMITTED = {
  // Assumed: the feature sets are open to every other caller.
  'feature-sets.list': NOT_AUDIT_TRAIL,
  'feature-sets.list-eligible': MEMBERS,

  'audit-token.generate': ['owners', 'organization'],
  'audit-token.delete': ['owners', 'organization'],
  // Assumed: who may replace the token may also see what is known of it.
  'audit-token.show': ['owners', 'organization'],

  // Outside the service's document, with the next. Assumed: as with the audit trail token.
  'organization-token.generate': ['owners', 'organization'],
  'organization-token.delete': ['owners', 'organization'],
  'organization-token.show': ['owners', 'organization'],
  'owners-token.generate': ['owners'],
  'owners-token.delete': ['owners'],
  'owners-token.show': ['owners'],
  'team-token.generate': ['manage-teams', 'organization'],
  'team-token.delete': ['manage-teams', 'organization'],
  'team-token.show': ['manage-teams', 'organization'],
  // Those of owners are left out for who may not see these.
  'team-tokens.list': ['manage-teams', 'organization'],

  // Outside the service's document. Assumed: the organization token may see the policies; owners alone change them.
  'token-policies.list': ['owners', 'organization'],
  'token-policies.change': ['owners'],

  'memberships.invite': [...TEAM_MANAGEMENT, 'organization'],
  'memberships.remove': [...TEAM_MANAGEMENT, 'organization'],
  // Assumed: every member may see who else is one, whatever teams they are in.
  'memberships.list': MEMBERS,
  'memberships.show': MEMBERS,
  // Assumed: tokens that belong to no person have no memberships and get an empty list.
  'memberships.list-own': NOT_AUDIT_TRAIL,

  // Assumed: manage-providers is what the document calls Manage Private Registry. The organization token is none of these; the
  // document names the owners team and its members.
  'providers.create': ['manage-providers'],
  'providers.delete': ['manage-providers'],
  // Assumed: the organization token counts as a member for viewing.
  'providers.list': MEMBERS,
  'providers.show': MEMBERS,
  // Assumed: open like the lists; which providers it knows follows from the organizations of the caller.
  'public-registry.show': NOT_AUDIT_TRAIL,

  // Outside the service's document, with the plans. Assumed: any person can create an organization, and its owners alone
  // change it; who owns an organization stands for the operator, who changes plans.
  'organizations.list': NOT_AUDIT_TRAIL,
  'organizations.show': MEMBERS,
  'organizations.create': ['user'],
  'organizations.change': ['owners'],
  'organizations.delete': ['owners'],
  'plans.list': ['user'],
  'plans.change': ['owners'],

  // Outside the service's document, so Assumed throughout. Secret teams are shown to every member, too; and who manages
  // memberships may put anyone into any team, as by an invitation.
  'entitlements.show': MEMBERS,
  'subscription.show': MEMBERS,
  'teams.list': MEMBERS,
  'teams.show': MEMBERS,
  // Where the kind of service hides them.
  'teams.see-secret': ['access-secret-teams', 'organization'],
  'teams.create': ['manage-teams', 'organization'],
  'teams.change-members': [...TEAM_MANAGEMENT, 'organization'],
  'teams.change': ['manage-teams', 'organization'],
  'teams.change-access': ['manage-organization-access', 'organization'],
  'teams.delete': ['owners', 'organization'],
  // Who may write providers may release them. Assumed: and who sees providers may install them, the organization token too.
  'releases.show': MEMBERS,
  'releases.change': ['manage-providers'],
  'gpg-keys.show': MEMBERS,
  'gpg-keys.change': ['manage-providers'],
  'account.show': NOT_AUDIT_TRAIL,
  'audit-trail.read': ['organization', 'audit-trail'],
} as const satisfies Readonly<Record<string, readonly Right[]>>;

export type Operation = keyof typeof PERMITTED;

/** Whether the caller may do that in one organization. */
export type May = (operation: Operation) => boolean;

export function isPermitted(rights: ReadonlySet<Right>, operation: Operation): boolean {
  return PERMITTED[operation].some((right) => rights.has(right));
}

/** The access a team is given: what `/teams` shows, and what its members may do. */
export function toAccess(team: TeamRow): Readonly<Record<Access, boolean>> {
  const given = new Set(JSON.parse(team.access) as readonly string[]);
  const isOwners = team.name === OWNERS_TEAM;
  return Object.fromEntries(ACCESSES.map((name) => [name, isOwners || given.has(name)])) as Record<Access, boolean>;
}

/**
 * Who decides elsewhere who is in the team, so that no caller does here; undefined where that is decided here.
 * Assumed: a team that SSO fills can be changed, until a person's next login undoes it.
 */
export function findManager(
  team: Pick<TeamRow, 'scim_group_name'>,
  organization: Pick<OrganizationRow, 'is_unified'>,
): 'HCP' | 'SCIM' | undefined {
  if (organization.is_unified === 1) return 'HCP';
  return team.scim_group_name === null ? undefined : 'SCIM';
}

export function toTeamRights(teams: readonly TeamRow[]): ReadonlySet<Right> {
  const rights = new Set<Right>(['member']);
  for (const team of teams) {
    for (const [name, isGiven] of Object.entries(toAccess(team))) if (isGiven) rights.add(name as Access);
    if (team.name === OWNERS_TEAM) rights.add('owners');
  }
  return rights;
}
