/** Who may be on the other end of a request, by the token it carries. */

export type CallerKind =
  | 'owner'
  | 'owners-team'
  | 'org-token'
  | 'member'
  | 'team-manager'
  | 'registry-manager'
  | 'audit-token'
  | 'none';

export const CALLER_KINDS: readonly CallerKind[] = [
  'owner',
  'owners-team',
  'org-token',
  'member',
  'team-manager',
  'registry-manager',
  'audit-token',
  'none',
];

/** A caller with a token that is known and has not expired. */
export interface Caller {
  readonly kind: Exclude<CallerKind, 'none'>;
  /** Rate limits count by this: a user has one count over all organizations. */
  readonly key: string;
  readonly tokenId: string;
  /** The organization a team, organization or audit trail token belongs to; null for users. */
  readonly organization: number | null;
  readonly user: { readonly seq: number; readonly id: string; readonly name: string } | null;
}
