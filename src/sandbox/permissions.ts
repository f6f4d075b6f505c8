import type { Principal } from './context.ts';
import type { TeamRow } from './rows.ts';

/** The document has the name Team Management, without a list. Each of these accesses needs the ones before it (facts). */
export const TEAM_MANAGEMENT = ['manage-membership', 'manage-teams', 'manage-organization-access'] as const;

/** The service's names (facts). The sandbox has routes for some of them. */
export const ACCESSES = `${TEAM_MANAGEMENT.join(' ')} access-secret-teams delegate-policy-overrides manage-agent-pools
  manage-modules manage-policies manage-policy-overrides manage-projects manage-providers manage-public-modules
  manage-public-providers manage-registry-artifact-tags manage-registry-artifact-version-tags manage-registry-components
  manage-run-tasks manage-vcs-settings manage-workspaces read-projects read-workspaces`.split(/\s+/);

type Access = (typeof TEAM_MANAGEMENT)[number] | 'access-secret-teams' | 'manage-providers';
type Right = Principal['type'] | 'member' | 'owners' | Access;

const MEMBERS: Right[] = ['member', 'organization'];
const OWNERS: Right[] = ['owners', 'organization'];
const MEMBER_MANAGERS: Right[] = [...TEAM_MANAGEMENT, 'organization'];
const TEAM_MANAGERS: Right[] = ['manage-teams', 'organization'];

/** A single right is enough. The audit trail's token, memberships and providers follow Authentication 1 to 3 of the document. */
const PERMISSIONS = {
  'audit-token.manage': OWNERS,
  'audit-trail.read': ['organization', 'audit-trail'],
  'memberships.read': MEMBERS,
  'memberships.manage': MEMBER_MANAGERS,
  'organizations.create': ['user'],
  'organizations.read': MEMBERS,
  'organizations.manage': ['owners'],
  'organization-token.manage': OWNERS,
  'owners-token.manage': ['owners'],
  'providers.read': MEMBERS,
  // Manage Private Registry in the document, which does not name the organization token.
  'providers.manage': ['manage-providers'],
  // This belongs to no organization.
  'service.read': ['user', 'team', 'organization'],
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

export type Permission = keyof typeof PERMISSIONS;

export const OWNERS_TEAM = 'owners';

export function isPermitted(rights: Set<string>, permission: Permission): boolean {
  return PERMISSIONS[permission].some((right) => rights.has(right));
}

export function listPermissions(rights: Set<string>): Set<Permission> {
  const all = Object.keys(PERMISSIONS) as Permission[];
  return new Set(all.filter((permission) => isPermitted(rights, permission)));
}

export function readAccess({ access, name }: TeamRow): Record<string, boolean> {
  const granted = JSON.parse(access) as string[];
  return Object.fromEntries(ACCESSES.map((each) => [each, name === OWNERS_TEAM || granted.includes(each)]));
}

export function listTeamRights(teams: TeamRow[]): Set<string> {
  const accesses = teams.flatMap((team) => Object.entries(readAccess(team)));
  const granted = accesses.filter(([, isGranted]) => isGranted).map(([name]) => name);
  return new Set(['member', ...granted, ...(teams.some(({ name }) => name === OWNERS_TEAM) ? ['owners'] : [])]);
}
