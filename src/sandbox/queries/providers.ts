import type { Caller } from '../callers.ts';
import { type Condition, contains, fold, type Selection, type Store } from '../rows.ts';
import type { RegistryName } from '../wire/resources.ts';

export interface ProviderRow {
  readonly seq: number;
  readonly id: string;
  readonly organization: number;
  readonly registry_name: RegistryName;
  readonly namespace: string;
  readonly name: string;
  readonly created_at: number;
  readonly updated_at: number;
}

export interface ProviderAddress {
  readonly registryName: RegistryName;
  readonly namespace: string;
  readonly name: string;
}

interface ProviderFilter {
  readonly search?: string | undefined;
  readonly registryName?: string | undefined;
}

/** Assumed: names and namespaces of providers are compared with their case. */
export function findProvider(
  store: Store,
  organization: number,
  { registryName, namespace, name }: ProviderAddress,
): ProviderRow | undefined {
  const address: Condition = ['registry_name = ? AND namespace = ? AND name = ?', registryName, namespace, name];
  return store.select<ProviderRow>('*', 'providers', [['organization = ?', organization], address]).first();
}

export function findProviderById(store: Store, id: string): ProviderRow | undefined {
  return store.select<ProviderRow>('*', 'providers', [['id = ?', id]]).first();
}

/** Names are compared without case. Of several, the one with exactly this name is found, else the oldest. */
export function findPrivateProvider(store: Store, organization: number, name: string): ProviderRow | undefined {
  const sql = `SELECT * FROM providers WHERE organization = ? AND registry_name = 'private' AND name_folded = ?
    ORDER BY name <> ?, seq LIMIT 1`;
  return store.first(sql, organization, fold(name), name);
}

/** Whether an organization of the caller lists the public provider. Names are compared without case. */
export function isCurated(store: Store, caller: Caller, namespace: string, name: string): boolean {
  const count = store.count(
    `providers WHERE registry_name = 'public' AND namespace_folded = ? AND name_folded = ? AND organization IN
       (SELECT organization FROM memberships WHERE user = ? AND status = 'active' UNION SELECT ?)`,
    fold(namespace),
    fold(name),
    caller.user?.seq ?? null,
    caller.organization,
  );
  return count > 0;
}

export function selectProviders(
  store: Store,
  organization: number,
  { registryName, search }: ProviderFilter = {},
): Selection<ProviderRow> {
  return store.select('*', 'providers', [
    ['organization = ?', organization],
    registryName !== undefined && ['registry_name = ?', registryName],
    contains(search, 'name_folded', 'namespace_folded'),
  ]);
}

export function insertProvider(
  store: Store,
  provider: ProviderAddress & { readonly id: string; readonly organization: number; readonly createdAt: number },
): void {
  const { id, organization, registryName, namespace, name, createdAt } = provider;
  store.insert('providers', {
    id,
    organization,
    registry_name: registryName,
    namespace,
    namespace_folded: fold(namespace),
    name,
    name_folded: fold(name),
    created_at: createdAt,
    updated_at: createdAt,
  });
}
