export const CALLER_KINDS = [
  ...(['owner', 'owners-team', 'org-token', 'member', 'team-manager', 'registry-manager'] as const),
  ...(['audit-token', 'none'] as const),
] as const;
export type CallerKind = (typeof CALLER_KINDS)[number];

/** A request creates a `team-token`, for a team other than owners. */
export type TokenKind = Exclude<CallerKind, 'none'> | 'team-token';

/** Whose a token is. The kinds of users are names of ready-made people, whose rights follow from their teams. */
export type Holder = 'user' | 'team' | 'organization' | 'audit-trail';

const HOLDERS: { [kind in TokenKind]?: Holder } = {
  ...{ 'owners-team': 'team', 'team-token': 'team', 'org-token': 'organization', 'audit-token': 'audit-trail' },
};

export function findHolder(kind: TokenKind): Holder {
  return HOLDERS[kind] ?? 'user';
}

/** The text of a ready-made token. A user's has no organization: it serves all. */
export function formatReadyToken(kind: TokenKind, organization?: string): string {
  return organization === undefined ? `sandbox.${kind}` : `sandbox.${kind}.${organization}`;
}

export interface Caller {
  holder: Holder;
  /** Rate limits count by this: a user has one count over all organizations. */
  key: string;
  tokenId: string;
  tokenUsedAt: number | null;
  organization: number | null;
  team: number | null;
  user: { seq: number; id: string; name: string } | null;
}
