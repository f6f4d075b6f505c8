import type { Store } from '../rows.ts';
import { type OrganizationRow, readSettings } from './organizations.ts';

/** What an owner has set: how long the tokens of the organization may be valid, for each kind of token. */

export const TOKEN_TYPES = ['organization', 'team', 'user', 'audit_trails', 'metrics'] as const;

export type TokenType = (typeof TOKEN_TYPES)[number];

export interface TokenPolicyRow {
  readonly organization: number;
  readonly token_type: TokenType;
  readonly max_ttl_ms: number;
  readonly created_at: number;
  readonly updated_at: number;
}

export function listTokenPolicies(store: Store, organization: number): TokenPolicyRow[] {
  return store.all('SELECT * FROM token_policies WHERE organization = ?', organization);
}

/** Milliseconds; undefined where no owner has set it, or policies are off. */
export function findMaxTtl(store: Store, organization: OrganizationRow, type: TokenType): number | undefined {
  if (readSettings(organization)['max-ttl-enabled'] !== true) return undefined;
  return listTokenPolicies(store, organization.seq).find((row) => row.token_type === type)?.max_ttl_ms;
}

export function setMaxTtl(store: Store, organization: number, type: TokenType, maxTtl: number, now: number): void {
  store.run(
    `INSERT INTO token_policies (organization, token_type, max_ttl_ms, created_at, updated_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET max_ttl_ms = excluded.max_ttl_ms, updated_at = excluded.updated_at`,
    organization,
    type,
    maxTtl,
    now,
    now,
  );
}
