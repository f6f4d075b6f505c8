import { createHash } from 'node:crypto';
import type { StoredTokenKind } from './callers.ts';
import type { Principal } from './context.ts';
import { findUserRow } from './people.ts';
import type { TokenRow } from './rows.ts';
import type { Store } from './store.ts';

/** The state has only hashes: nobody who reads the file can use a token. */
export function hashToken(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

type NewToken = Pick<TokenRow, 'id' | 'kind' | 'created_at' | 'creator_type' | 'creator_id'> & Partial<TokenRow>;

export function insertToken(store: Store, text: string, token: NewToken): TokenRow {
  return store.insert('tokens', { ...token, hash: hashToken(text) });
}

export type TokenSlot = Pick<TokenRow, 'kind' | 'organization' | 'team'>;

export function findTokenRow(store: Store, { kind, organization, team }: TokenSlot): TokenRow | undefined {
  const sql = 'SELECT * FROM tokens WHERE kind = ? AND organization IS ? AND team IS ? AND description IS NULL';
  return store.first(sql, kind, organization, team);
}

/** Policies do not apply to the tokens of users. */
const EXPIRED_BY_POLICY = `EXISTS (SELECT 1 FROM token_policies AS policy JOIN organizations ON organizations.seq = policy.organization
  WHERE policy.organization = tokens.organization AND organizations.settings ->> '$."max-ttl-enabled"' = 1
  AND policy.token_type = CASE tokens.kind WHEN 'audit-token' THEN 'audit_trails' WHEN 'org-token' THEN 'organization'
    WHEN 'owners-team' THEN 'team' WHEN 'team-token' THEN 'team' END
  AND tokens.created_at + policy.max_ttl_ms <= ?)`;

/** The other kinds are users, whose rights follow from their teams. */
const PRINCIPAL_TYPES: { [kind in StoredTokenKind]?: Principal['type'] } = {
  'owners-team': 'team',
  'team-token': 'team',
  'org-token': 'organization',
  'audit-token': 'audit-trail',
};

export function findCaller(store: Store, column: 'hash' | 'id', value: string, now: number): Principal | undefined {
  const sql = `SELECT * FROM tokens
    WHERE ${column} = ? AND (expired_at IS NULL OR expired_at > ?) AND NOT ${EXPIRED_BY_POLICY}`;
  const row = store.first<TokenRow>(sql, value, now, now);
  if (row === undefined) return undefined;
  const { id: tokenId, kind, organization, team } = row;
  const user = findUserRow(store, row.user) ?? null;
  const key = user?.user_id ?? tokenId;
  return { type: PRINCIPAL_TYPES[kind] ?? 'user', key, tokenId, organization, team, user };
}
