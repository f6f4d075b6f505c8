import type { Holder } from './callers.ts';
import type { OrganizationRow } from './queries/organizations.ts';
import { OWNERS_TEAM, type TeamRow } from './queries/teams.ts';

/**
 * Assumed: the document's Team Management permissions are manage-membership, manage-teams and
 * manage-organization-access, which it does not list.
 */
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
 * Which rights allow what; to all other callers the answer is 404. Owners have every access. Generating and deleting
 * audit trail tokens, managing memberships and writing providers follow Authentication 1 to 3 of the service's
 * document. Assumed: the audit trail token opens the audit trail and nothing else.
 */
const PERMITTED = {
  // Assumed: every caller but the audit trail token can list the feature sets.
  'feature-sets.list': NOT_AUDIT_TRAIL,
  'feature-sets.list-eligible': MEMBERS,

  'audit-token.generate': ['owners', 'organization'],
  'audit-token.delete': ['owners', 'organization'],
  // Assumed: a caller who can replace the audit trail token can also see its metadata.
  'audit-token.show': ['owners', 'organization'],

  // Outside the service's document, with those of teams. Assumed: the organization token can be replaced, deleted and
  // seen by the callers who can do so with the audit trail token.
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

  // Outside the service's document. Assumed: the organization token can see the token policies, and only owners can
  // change them.
  'token-policies.list': ['owners', 'organization'],
  'token-policies.change': ['owners'],

  'memberships.invite': [...TEAM_MANAGEMENT, 'organization'],
  'memberships.remove': [...TEAM_MANAGEMENT, 'organization'],
  // Assumed: every member can see all members of the organization, whatever teams they are in.
  'memberships.list': MEMBERS,
  'memberships.show': MEMBERS,
  // Assumed: a token that belongs to no person has no memberships of its own, and gets an empty list of them.
  'memberships.list-own': NOT_AUDIT_TRAIL,

  // Assumed: the permission manage-providers is what the document calls Manage Private Registry. The organization token
  // doesn't have it, since the document names the owners team and its members alone.
  'providers.create': ['manage-providers'],
  'providers.delete': ['manage-providers'],
  // Assumed: the organization token can see what a member can see.
  'providers.list': MEMBERS,
  'providers.show': MEMBERS,
  // Assumed: every caller but the audit trail token can read the versions of public providers, as far as an
  // organization of the caller lists them.
  'public-registry.show': NOT_AUDIT_TRAIL,

  // Outside the service's document, with the plans. Assumed: any person can create an organization, and only its owners
  // can change it. In the sandbox an owner stands for the operator, who changes plans.
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
  // Assumed: a caller who can add providers can release versions of them, and a caller who can see providers can
  // install them, the organization token too.
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
 * Who decides elsewhere who is in the team, so that no caller does here; undefined where that is decided here. Assumed:
 * a team that SSO fills can be changed through the API, until a person logs in again, which undoes the change for them.
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
