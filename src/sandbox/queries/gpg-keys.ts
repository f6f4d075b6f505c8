import type { Range } from '../pagination.ts';
import type { Store } from '../store.ts';

export interface GpgKeyRow {
  readonly seq: number;
  readonly organization: number;
  /** The name of the organization. */
  readonly namespace: string;
  /** The last eight bytes of the fingerprint, as capital hexadecimal digits. */
  readonly key_id: string;
  readonly ascii_armor: string;
  readonly created_at: number;
  readonly updated_at: number;
}

const KEYS = `SELECT gpg_keys.*, organizations.name AS namespace
  FROM gpg_keys JOIN organizations ON organizations.seq = gpg_keys.organization`;

/** Assumed: the id of a key is compared without case. */
export function findGpgKey(store: Store, organization: number, keyId: string): GpgKeyRow | undefined {
  return store.first(`${KEYS} WHERE organization = ? AND key_id = ?`, organization, keyId.toUpperCase());
}

export function countGpgKeys(store: Store, organizations: readonly number[]): number {
  return store.count('gpg_keys WHERE organization IN (SELECT value FROM json_each(?))', JSON.stringify(organizations));
}

export function listGpgKeys(store: Store, organizations: readonly number[], range: Range): GpgKeyRow[] {
  const wanted = `${KEYS} WHERE organization IN (SELECT value FROM json_each(?)) ORDER BY gpg_keys.seq LIMIT ? OFFSET ?`;
  return store.all(wanted, JSON.stringify(organizations), range.limit, range.offset);
}

export function insertGpgKey(
  store: Store,
  key: {
    readonly organization: number;
    readonly keyId: string;
    readonly asciiArmor: string;
    readonly createdAt: number;
  },
): void {
  store.insert('gpg_keys', {
    organization: key.organization,
    key_id: key.keyId,
    ascii_armor: key.asciiArmor,
    created_at: key.createdAt,
    updated_at: key.createdAt,
  });
}

export function moveGpgKey(store: Store, seq: number, organization: number, now: number): void {
  store.run('UPDATE gpg_keys SET organization = ?, updated_at = ? WHERE seq = ?', organization, now, seq);
}

export function deleteGpgKey(store: Store, seq: number): void {
  store.run('DELETE FROM gpg_keys WHERE seq = ?', seq);
}
