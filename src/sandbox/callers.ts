export const CALLER_KINDS = [
  'owner',
  'owners-team',
  'org-token',
  'member',
  'team-manager',
  'registry-manager',
  'audit-token',
  'none',
] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

export type StoredTokenKind = Exclude<CallerKind, 'none'> | 'team-token';

/** The other kinds are users, whose rights follow from their teams. */
export const PRINCIPAL_TYPES: { [kind in StoredTokenKind]?: Principal['type'] } = {
  'owners-team': 'team',
  'team-token': 'team',
  'org-token': 'organization',
  'audit-token': 'audit-trail',
};

export function formatSeedToken(kind: StoredTokenKind, organization?: string): string {
  return organization === undefined ? `sandbox.${kind}` : `sandbox.${kind}.${organization}`;
}

export interface Principal {
  type: 'user' | 'team' | 'organization' | 'audit-trail';
  /** Rate limits count by the key: a user has one count over all organizations. */
  key: string;
  tokenId: string;
  tokenUsedAt: number | null;
  organization: number | null;
  team: number | null;
  user: { seq: number; id: string; name: string } | null;
}
