import type { RegistryName } from '../../wire/resources.ts';
import type { Caller } from '../callers.ts';
import type { Range } from '../pagination.ts';
import { allOf, fold, type Store } from '../store.ts';

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

export interface ProviderFilter {
  readonly search?: string | undefined;
  readonly registryName?: string | undefined;
}

/** Assumed: compared exactly, for the service is not known to fold the case of names and namespaces. */
export function findProvider(store: Store, organization: number, address: ProviderAddress): ProviderRow | undefined {
  const sql = 'SELECT * FROM providers WHERE organization = ? AND registry_name = ? AND namespace = ? AND name = ?';
  return store.first(sql, organization, address.registryName, address.namespace, address.name);
}

export function findProviderById(store: Store, id: string): ProviderRow | undefined {
  return store.first('SELECT * FROM providers WHERE id = ?', id);
}

/** Compared without case; where several differ in case alone, the one that is written so, else the oldest. */
export function findPrivateProvider(store: Store, organization: number, name: string): ProviderRow | undefined {
  const sql = `SELECT * FROM providers WHERE organization = ? AND registry_name = 'private' AND name_folded = ?
    ORDER BY name <> ?, seq LIMIT 1`;
  return store.first(sql, organization, fold(name), name);
}

/** Whether an organization of the caller's lists the public provider, compared without case. */
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

export function countProviders(store: Store, organization: number, filter: ProviderFilter = {}): number {
  const { where, values } = toCondition(organization, filter);
  return store.count(`providers WHERE ${where}`, ...values);
}

export function listProviders(store: Store, organization: number, filter: ProviderFilter, range: Range): ProviderRow[] {
  const { where, values } = toCondition(organization, filter);
  const sql = `SELECT * FROM providers WHERE ${where} ORDER BY seq LIMIT ? OFFSET ?`;
  return store.all(sql, ...values, range.limit, range.offset);
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

export function deleteProvider(store: Store, seq: number): void {
  store.run('DELETE FROM providers WHERE seq = ?', seq);
}

function toCondition(organization: number, { registryName, search }: ProviderFilter): ReturnType<typeof allOf> {
  const part = fold(search ?? '');
  return allOf(
    ['organization = ?', organization],
    registryName !== undefined && ['registry_name = ?', registryName],
    search !== undefined && ['(instr(name_folded, ?) > 0 OR instr(namespace_folded, ?) > 0)', part, part],
  );
}
