import type { Holder } from './callers.ts';
import type { TeamRow } from './rows.ts';

/** The document's Team Management permissions, which it does not list (facts). */
const TEAM_MANAGEMENT = ['manage-membership', 'manage-teams', 'manage-organization-access'] as const;

/** What a team may be given, by the service's names for it (facts). The sandbox has routes for some of it alone. */
export const ACCESSES = `${TEAM_MANAGEMENT.join(' ')} access-secret-teams delegate-policy-overrides manage-agent-pools
  manage-modules manage-policies manage-policy-overrides manage-projects manage-providers manage-public-modules
  manage-public-providers manage-registry-artifact-tags manage-registry-artifact-version-tags manage-registry-components
  manage-run-tasks manage-vcs-settings manage-workspaces read-projects read-workspaces`.split(/\s+/);

/** What a caller has: whose token it is, and what its teams are given. Members of owners have every access. */
type Access = (typeof TEAM_MANAGEMENT)[number] | 'access-secret-teams' | 'manage-providers';
type Right = Holder | 'member' | 'owners' | Access;

const MEMBERS: Right[] = ['member', 'organization'];
const OWNERS: Right[] = ['owners', 'organization'];
const ANYONE: Right[] = ['user', 'team', 'organization'];
const MEMBER_MANAGERS: Right[] = [...TEAM_MANAGEMENT, 'organization'];
const TEAM_MANAGERS: Right[] = ['manage-teams', 'organization'];

/**
 * Which rights allow what; one is enough, and all other callers get 404. Tokens of the audit trail, memberships and providers
 * follow Authentication 1 to 3 of the service's document; the rest is not in it.
 */
const PERMITTED = {
  'account.read': ANYONE,
  'audit-token.manage': OWNERS,
  'audit-trail.read': ['organization', 'audit-trail'],
  'feature-sets.read': ANYONE,
  'memberships.read': MEMBERS,
  'memberships.read-own': ANYONE,
  'memberships.manage': MEMBER_MANAGERS,
  'organizations.list': ANYONE,
  'organizations.create': ['user'],
  'organizations.read': MEMBERS,
  'organizations.manage': ['owners'],
  'organization-token.manage': OWNERS,
  'owners-token.manage': ['owners'],
  'providers.read': MEMBERS,
  // The document's Manage Private Registry. The organization token is not among those that it names.
  'providers.manage': ['manage-providers'],
  'public-registry.read': ANYONE,
  'team-tokens.manage': TEAM_MANAGERS,
  'teams.read': MEMBERS,
  'teams.read-secret': ['access-secret-teams', 'organization'],
  'teams.manage': TEAM_MANAGERS,
  'teams.change-access': ['manage-organization-access', 'organization'],
  'teams.change-members': MEMBER_MANAGERS,
  'teams.delete': OWNERS,
  'token-policies.read': OWNERS,
  'token-policies.change': ['owners'],
} satisfies Record<string, Right[]>;

export type Operation = keyof typeof PERMITTED;

export type May = (operation: Operation) => boolean;

export function isPermitted(rights: ReadonlySet<string>, operation: Operation): boolean {
  return PERMITTED[operation].some((right) => rights.has(right));
}

/** The team whose members own the organization. */
export const OWNERS_TEAM = 'owners';

/** The access that a team is given: what `/teams` shows, and what its members may do. */
export function readAccess({ access, name }: TeamRow): Record<string, boolean> {
  const given = JSON.parse(access) as string[];
  return Object.fromEntries(ACCESSES.map((each) => [each, name === OWNERS_TEAM || given.includes(each)]));
}

export function listTeamRights(teams: readonly TeamRow[]): ReadonlySet<string> {
  const accesses = teams.flatMap((team) => Object.entries(readAccess(team)));
  const given = accesses.filter(([, isGiven]) => isGiven).map(([name]) => name);
  return new Set(['member', ...given, ...(teams.some(({ name }) => name === OWNERS_TEAM) ? ['owners'] : [])]);
}
