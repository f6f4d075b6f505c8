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

/** A place has one token without a description at a time. */
export type TokenPlace = Pick<TokenRow, 'kind' | 'organization' | 'team'>;

export function findToken(store: Store, { kind, organization, team }: TokenPlace): TokenRow | undefined {
  const sql = 'SELECT * FROM tokens WHERE kind = ? AND organization IS ? AND team IS ? AND description IS NULL';
  return store.first(sql, kind, organization, team);
}

/**
 * The caller a token stands for; undefined when it is unknown or has expired. A policy that an owner sets ends older tokens
 * of the organization at once, and leaves the tokens of people alone.
 */
export function findCaller(store: Store, column: 'hash' | 'id', value: string, now: number): Caller | undefined {
  const row = store.first<TokenRow & { user_id: string | null; username: string | null }>(
    `SELECT tokens.*, users.id AS user_id, users.username
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
  const { id, kind, organization, team, user, user_id: userId, username } = row;
  return {
    holder: findHolder(kind),
    key: userId ?? id,
    tokenId: id,
    tokenUsedAt: row.last_used_at,
    organization,
    team,
    user: user === null || userId === null ? null : { seq: user, id: userId, name: username ?? '' },
  };
}
