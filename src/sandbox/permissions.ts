import type { Holder } from './callers.ts';
import type { TeamRow } from './rows.ts';

/** The document's Team Management permissions, which it does not list (facts). */
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

/** What a caller has: whose token it is, and what its teams are given. Members of owners have every access. */
export type Right = Holder | 'member' | 'owners' | Access;

const MEMBERS = ['member', 'organization'] as const;
const OWNERS = ['owners', 'organization'] as const;
const ANYONE = ['user', 'team', 'organization'] as const;
const MEMBER_MANAGERS = [...TEAM_MANAGEMENT, 'organization'] as const;
const TEAM_MANAGERS = ['manage-teams', 'organization'] as const;
/** The document's Manage Private Registry. The organization token is not among those that it names. */
const PROVIDER_MANAGERS = ['manage-providers'] as const;

/**
 * Which rights allow what; one is enough, and all other callers get 404. Tokens of the audit trail, memberships and providers
 * follow Authentication 1 to 3 of the service's document; the rest is not in it.
 */
const PERMITTED = {
  'feature-sets.list': ANYONE,
  'feature-sets.list-eligible': MEMBERS,
  'entitlements.show': MEMBERS,
  'subscription.show': MEMBERS,
  'plans.list': ['user'],
  'plans.change': ['owners'],

  'audit-token.generate': OWNERS,
  'audit-token.delete': OWNERS,
  'audit-token.show': OWNERS,
  'organization-token.generate': OWNERS,
  'organization-token.delete': OWNERS,
  'organization-token.show': OWNERS,
  'owners-token.generate': ['owners'],
  'owners-token.delete': ['owners'],
  'owners-token.show': ['owners'],
  'team-token.generate': TEAM_MANAGERS,
  'team-token.delete': TEAM_MANAGERS,
  'team-token.show': TEAM_MANAGERS,
  'team-tokens.list': TEAM_MANAGERS,
  'token-policies.list': OWNERS,
  'token-policies.change': ['owners'],
  'audit-trail.read': ['organization', 'audit-trail'],

  'memberships.invite': MEMBER_MANAGERS,
  'memberships.remove': MEMBER_MANAGERS,
  'memberships.list': MEMBERS,
  'memberships.show': MEMBERS,
  'memberships.list-own': ANYONE,

  'providers.create': PROVIDER_MANAGERS,
  'providers.delete': PROVIDER_MANAGERS,
  'providers.list': MEMBERS,
  'providers.show': MEMBERS,
  'releases.show': MEMBERS,
  'releases.change': PROVIDER_MANAGERS,
  'gpg-keys.show': MEMBERS,
  'gpg-keys.change': PROVIDER_MANAGERS,
  'public-registry.show': ANYONE,

  'organizations.list': ANYONE,
  'organizations.show': MEMBERS,
  'organizations.create': ['user'],
  'organizations.change': ['owners'],
  'organizations.delete': ['owners'],
  'account.show': ANYONE,

  'teams.list': MEMBERS,
  'teams.show': MEMBERS,
  'teams.see-secret': ['access-secret-teams', 'organization'],
  'teams.create': TEAM_MANAGERS,
  'teams.change': TEAM_MANAGERS,
  'teams.change-access': ['manage-organization-access', 'organization'],
  'teams.change-members': MEMBER_MANAGERS,
  'teams.delete': OWNERS,
} as const satisfies Record<string, readonly Right[]>;

export type Operation = keyof typeof PERMITTED;

/** Whether the caller may do that in one organization. */
export type May = (operation: Operation) => boolean;

export function isPermitted(rights: ReadonlySet<Right>, operation: Operation): boolean {
  return PERMITTED[operation].some((right) => rights.has(right));
}

/** The team whose members own the organization. */
export const OWNERS_TEAM = 'owners';

/** The access that a team is given: what `/teams` shows, and what its members may do. */
export function readAccess({ access, name }: TeamRow): Record<Access, boolean> {
  const given = new Set(JSON.parse(access) as string[]);
  const isGiven = (each: string): boolean => name === OWNERS_TEAM || given.has(each);
  return Object.fromEntries(ACCESSES.map((each) => [each, isGiven(each)])) as Record<Access, boolean>;
}

export function listTeamRights(teams: readonly TeamRow[]): ReadonlySet<Right> {
  const rights = new Set<Right>(['member']);
  for (const team of teams) {
    if (team.name === OWNERS_TEAM) rights.add('owners');
    const access = readAccess(team);
    for (const name of ACCESSES) if (access[name]) rights.add(name);
  }
  return rights;
}
