import type { CallerKind } from './callers.ts';

/**
 * Which callers may do what in an organization they belong to; everyone else is told 404.
 * Generating and deleting audit trail tokens, managing memberships and writing providers follow
 * Authentication 1 to 3 of the service's document. Being in the organization at all is checked in access.ts.
 */
const PERMITTED = {
  // Assumed: the feature sets are open to every caller but the audit trail token, which only reads the audit trail.
  'feature-sets.list': ['owner', 'owners-team', 'org-token', 'member', 'team-manager', 'registry-manager'],
  'feature-sets.list-eligible': ['owner', 'owners-team', 'org-token', 'member', 'team-manager', 'registry-manager'],

  'audit-token.generate': ['owner', 'owners-team', 'org-token'],
  'audit-token.delete': ['owner', 'owners-team', 'org-token'],
  // Assumed: who may replace the token may also see what is known of it.
  'audit-token.show': ['owner', 'owners-team', 'org-token'],

  'memberships.invite': ['owner', 'owners-team', 'org-token', 'team-manager'],
  'memberships.remove': ['owner', 'owners-team', 'org-token', 'team-manager'],
  // Assumed: every member may see who else is one.
  'memberships.list': ['owner', 'owners-team', 'org-token', 'member', 'team-manager', 'registry-manager'],
  'memberships.show': ['owner', 'owners-team', 'org-token', 'member', 'team-manager', 'registry-manager'],
  // Assumed: tokens that belong to no person have no memberships and get an empty list.
  'memberships.list-own': ['owner', 'owners-team', 'org-token', 'member', 'team-manager', 'registry-manager'],

  'providers.create': ['owner', 'owners-team', 'registry-manager'],
  'providers.delete': ['owner', 'owners-team', 'registry-manager'],
  // Assumed: the organization token counts as a member for viewing.
  'providers.list': ['owner', 'owners-team', 'org-token', 'member', 'team-manager', 'registry-manager'],
  'providers.show': ['owner', 'owners-team', 'org-token', 'member', 'team-manager', 'registry-manager'],

  // Outside the service's document, so Assumed throughout.
  'teams.list': ['owner', 'owners-team', 'org-token', 'member', 'team-manager', 'registry-manager'],
  'account.show': ['owner', 'owners-team', 'org-token', 'member', 'team-manager', 'registry-manager'],
  'public-registry.show': ['owner', 'owners-team', 'org-token', 'member', 'team-manager', 'registry-manager'],
  'audit-trail.read': ['org-token', 'audit-token'],
} as const satisfies Readonly<Record<string, readonly CallerKind[]>>;

export type Operation = keyof typeof PERMITTED;

export function isPermitted(kind: CallerKind, operation: Operation): boolean {
  const kinds: readonly CallerKind[] = PERMITTED[operation];
  return kinds.includes(kind);
}
