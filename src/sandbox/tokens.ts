import { createHash } from 'node:crypto';
import { type Caller, findHolder } from './callers.ts';
import type { TokenRow } from './rows.ts';
import type { Store } from './store.ts';

/** The state has the hash of a token instead of its text: who reads the file cannot use it. */
export function hashToken(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

type NewToken = Pick<TokenRow, 'id' | 'kind' | 'created_at' | 'creator_type' | 'creator_id'> & Partial<TokenRow>;

export function insertToken(store: Store, text: string, token: NewToken): TokenRow {
  return store.insert('tokens', { ...token, hash: hashToken(text) });
}

export type TokenPlace = Pick<TokenRow, 'kind' | 'organization' | 'team'>;

export function findToken(store: Store, { kind, organization, team }: TokenPlace): TokenRow | undefined {
  const sql = 'SELECT * FROM tokens WHERE kind = ? AND organization IS ? AND team IS ? AND description IS NULL';
  return store.first(sql, kind, organization, team);
}

/** Whether the policy of an owner has ended it. The tokens of people are left alone. */
const IS_ENDED = `EXISTS (SELECT 1 FROM token_policies AS policy JOIN organizations ON organizations.seq = policy.organization
  WHERE policy.organization = tokens.organization AND organizations.settings ->> '$."max-ttl-enabled"' = 1
  AND policy.token_type = CASE tokens.kind WHEN 'audit-token' THEN 'audit_trails' WHEN 'org-token' THEN 'organization'
    WHEN 'owners-team' THEN 'team' WHEN 'team-token' THEN 'team' END
  AND tokens.created_at + policy.max_ttl_ms <= ?)`;

type CallerRow = TokenRow & { user_id: string | null; username: string | null };

export function findCaller(store: Store, column: 'hash' | 'id', value: string, now: number): Caller | undefined {
  const sql = `SELECT tokens.*, users.id AS user_id, users.username FROM tokens LEFT JOIN users ON users.seq = tokens.user
    WHERE tokens.${column} = ? AND (tokens.expired_at IS NULL OR tokens.expired_at > ?) AND NOT ${IS_ENDED}`;
  const row = store.first<CallerRow>(sql, value, now, now);
  if (row === undefined) return undefined;
  const { id: tokenId, kind, organization, team, last_used_at: tokenUsedAt, user: seq, user_id: id } = row;
  const user = seq === null || id === null ? null : { seq, id, name: row.username ?? '' };
  return { holder: findHolder(kind), key: id ?? tokenId, tokenId, tokenUsedAt, organization, team, user };
}
