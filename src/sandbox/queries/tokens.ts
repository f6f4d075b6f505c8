import { createHash } from 'node:crypto';
import { type Caller, HOLDERS, type TokenKind } from '../callers.ts';
import type { Store } from '../rows.ts';
import { OWNERS_TEAM } from './teams.ts';

export interface TokenRow {
  readonly hash: string;
  readonly id: string;
  readonly kind: TokenKind;
  readonly organization: number | null;
  /** The team of a `team-token`. */
  readonly team: number | null;
  readonly user: number | null;
  readonly created_at: number;
  readonly expired_at: number | null;
  readonly last_used_at: number | null;
  readonly creator_type: string;
  readonly creator_id: string;
}

/** A place has one token at a time. */
export type TokenPlace = Pick<TokenRow, 'kind' | 'organization' | 'team'>;

type NewToken = Pick<TokenRow, 'id' | 'kind' | 'created_at' | 'creator_type' | 'creator_id'> &
  Partial<TokenRow> & { readonly text: string };

interface CallerRow extends TokenPlace, Pick<TokenRow, 'id' | 'user'> {
  readonly user_id: string | null;
  readonly username: string | null;
}

/** The state has the hash of a token instead of its text: the token cannot be used with it. */
export function toHash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/**
 * The caller a token stands for, found by its hash or its id; undefined when it is unknown or has expired.
 * Assumed: a limit that an owner sets ends older tokens of the organization at once, and leaves those of people alone.
 */
export function findCaller(
  store: Store,
  token: { readonly hash: string } | { readonly id: string },
  now: number,
): Caller | undefined {
  const [column, value] = 'id' in token ? ['id', token.id] : ['hash', token.hash];
  const row = store.first<CallerRow>(
    `SELECT tokens.id, tokens.kind, tokens.organization, tokens.team, tokens.user, users.id AS user_id, users.username
     FROM tokens LEFT JOIN users ON users.seq = tokens.user
     WHERE tokens.${column} = ? AND (tokens.expired_at IS NULL OR tokens.expired_at > ?)
       AND NOT EXISTS (SELECT 1 FROM token_policies AS policy
         JOIN organizations ON organizations.seq = policy.organization
         WHERE policy.organization = tokens.organization
         AND json_extract(organizations.settings, '$."max-ttl-enabled"') = 1
         AND policy.token_type = CASE tokens.kind
           WHEN 'audit-token' THEN 'audit_trails' WHEN 'org-token' THEN 'organization'
           WHEN 'owners-team' THEN 'team' WHEN 'team-token' THEN 'team' END
         AND tokens.created_at + policy.max_ttl_ms <= ?)`,
    value,
    now,
    now,
  );
  if (row === undefined) return undefined;
  const user =
    row.user === null || row.user_id === null ? null : { seq: row.user, id: row.user_id, name: row.username ?? '' };
  return {
    holder: HOLDERS[row.kind],
    key: user === null ? row.id : user.id,
    tokenId: row.id,
    organization: row.organization,
    team: row.team,
    user,
  };
}

export function findToken(store: Store, { kind, organization, team }: TokenPlace): TokenRow | undefined {
  const sql = 'SELECT * FROM tokens WHERE kind = ? AND organization IS ? AND team IS ?';
  return store.first(sql, kind, organization, team);
}

/** The id of the team that has the token; undefined where no team has it. */
export function findTeamOfToken(store: Store, id: string): string | undefined {
  const sql = `SELECT teams.id FROM tokens JOIN teams ON teams.organization = tokens.organization
     AND (teams.seq = tokens.team OR (tokens.kind = 'owners-team' AND teams.name = ?))
     WHERE tokens.id = ?`;
  return store.first<{ id: string }>(sql, OWNERS_TEAM, id)?.id;
}

export function listTokens(store: Store): TokenRow[] {
  return store.all('SELECT * FROM tokens');
}

export function insertToken(store: Store, { text, ...row }: NewToken): void {
  store.insert('tokens', { ...row, hash: toHash(text) });
}

export function deleteToken(store: Store, id: string): void {
  store.run('DELETE FROM tokens WHERE id = ?', id);
}

export function touchToken(store: Store, id: string, now: number): void {
  store.run('UPDATE tokens SET last_used_at = ? WHERE id = ?', now, id);
}
