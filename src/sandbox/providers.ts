import { assertFound } from './access.ts';
import type { Context } from './context.ts';
import { createHttpError } from './errors.ts';
import type { OrganizationRow, PlatformRow, ProviderRow, VersionRow } from './rows.ts';
import { fold, isOneOf, type Store } from './store.ts';

/** `findProviderRow` reads the parameters. */
export const PROVIDER = '/organizations/:organization_name/registry-providers/:registry_name/:namespace/:name';

export const REGISTRY_NAMES = ['public', 'private'] as const;

export function assertCuration(organization: OrganizationRow, registryName: string): void {
  if (registryName === 'public' && organization.curation === 0) {
    throw createHttpError(403, 'Curation of public providers is disabled');
  }
}

export type Address = Pick<ProviderRow, 'registry_name' | 'namespace' | 'name'>;
type NewProvider = Address & Pick<ProviderRow, 'id' | 'organization' | 'created_at'>;

export function insertProvider(store: Store, provider: NewProvider): ProviderRow {
  const { namespace, name, created_at } = provider;
  const folded = { namespace_folded: fold(namespace), name_folded: fold(name) };
  return store.insert('providers', { ...provider, ...folded, updated_at: created_at });
}

export function findByAddress({ store }: Context, { seq }: OrganizationRow, address: Address): ProviderRow | undefined {
  const sql = 'SELECT * FROM providers WHERE organization = ? AND registry_name = ? AND namespace = ? AND name = ?';
  return store.first(sql, seq, address.registry_name, address.namespace, address.name);
}

export function findProviderRow(ctx: Context, organization: OrganizationRow): ProviderRow {
  const registry_name = assertFound(REGISTRY_NAMES.find((name) => name === ctx.param('registry_name')));
  assertCuration(organization, registry_name);
  const address = { registry_name, namespace: ctx.param('namespace'), name: ctx.param('name') };
  return assertFound(findByAddress(ctx, organization, address));
}

export function findPrivate(ctx: Context, organization: OrganizationRow): ProviderRow {
  const provider = findProviderRow(ctx, organization);
  if (provider.registry_name === 'private') return provider;
  throw createHttpError(403, 'Versions are not available for public providers');
}

const FROM = 'provider_versions JOIN providers ON providers.seq = provider_versions.provider';
const COLUMNS = 'provider_versions.*, providers.id AS provider_id';

export function findVersionRow(store: Store, { seq }: ProviderRow, version: string): VersionRow | undefined {
  return store.first(`SELECT ${COLUMNS} FROM ${FROM} WHERE provider = ? AND version = ?`, seq, version);
}

export function findPlatformRow(store: Store, { seq }: VersionRow, os: string, arch: string): PlatformRow | undefined {
  return store.first('SELECT * FROM provider_platforms WHERE version = ? AND os = ? AND arch = ?', seq, os, arch);
}

export function selectVersions(store: Store, providers: ProviderRow[]) {
  const seqs = providers.map(({ seq }) => seq);
  return store.select<VersionRow>(COLUMNS, FROM, [isOneOf('provider', seqs)], 'provider_versions.seq');
}

export function selectPlatforms(store: Store, versions: VersionRow[]) {
  const seqs = versions.map(({ seq }) => seq);
  return store.select<PlatformRow>('*', 'provider_platforms', [isOneOf('version', seqs)]);
}
