const KINDS = [
  'owner',
  'owners-team',
  'org-token',
  'member',
  'team-manager',
  'registry-manager',
  'audit-token',
  'none',
] as const;

export type CallerKind = (typeof KINDS)[number];
export const CALLER_KINDS: readonly CallerKind[] = KINDS;

/** No `team-token` is ready-made: a request creates it, for a team other than owners. */
export type TokenKind = Exclude<CallerKind, 'none'> | 'team-token';

/** Whose a token is. The kinds of users are only names of ready-made people: their rights follow from their teams. */
export type Holder = 'user' | 'team' | 'organization' | 'audit-trail';

export const HOLDERS: Readonly<Record<TokenKind, Holder>> = {
  owner: 'user',
  member: 'user',
  'team-manager': 'user',
  'registry-manager': 'user',
  'owners-team': 'team',
  'team-token': 'team',
  'org-token': 'organization',
  'audit-token': 'audit-trail',
};

/** The text of a ready-made token. `organization`: the one that it serves; absent for a user's, which serves all. */
export function toReadyMadeToken(kind: TokenKind, organization?: string): string {
  return organization === undefined ? `sandbox.${kind}` : `sandbox.${kind}.${organization}`;
}

export interface Caller {
  readonly holder: Holder;
  /** Rate limits count by this: a user has one count over all organizations. */
  readonly key: string;
  readonly tokenId: string;
  /** Milliseconds; null for a token that was never used. */
  readonly tokenUsedAt: number | null;
  /** The organization a team, organization or audit trail token belongs to; null for users. */
  readonly organization: number | null;
  /** The team of a team token; null for the owners team's. */
  readonly team: number | null;
  readonly user: { readonly seq: number; readonly id: string; readonly name: string } | null;
}
