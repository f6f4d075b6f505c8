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

export function formatSeedToken(kind: StoredTokenKind, organization?: string): string {
  return organization === undefined ? `sandbox.${kind}` : `sandbox.${kind}.${organization}`;
}
