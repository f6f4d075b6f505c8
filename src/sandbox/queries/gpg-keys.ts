import { type Condition, isOneOf, type Selection, type Store } from '../rows.ts';

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

function select(store: Store, ...conditions: readonly Condition[]): Selection<GpgKeyRow> {
  const from = 'gpg_keys JOIN organizations ON organizations.seq = gpg_keys.organization';
  return store.select('gpg_keys.*, organizations.name AS namespace', from, conditions, 'gpg_keys.seq');
}

/** Assumed: the ids of signing keys are compared without case. */
export function findGpgKey(store: Store, organization: number, keyId: string): GpgKeyRow | undefined {
  return select(store, ['organization = ?', organization], ['key_id = ?', keyId.toUpperCase()]).first();
}

export function selectGpgKeys(store: Store, organizations: readonly number[]): Selection<GpgKeyRow> {
  return select(store, isOneOf('organization', organizations));
}
