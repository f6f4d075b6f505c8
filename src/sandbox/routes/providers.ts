import { assertFound, authorizeOrganization, findPermissions } from '../access.ts';
import { createFieldError, readResource, text } from '../bodies.ts';
import { type Context, type Reply, type Route, readQuery } from '../context.ts';
import { createHttpError } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { type CompoundDocument, replyList, replyOne } from '../pages.ts';
import { formatColumns, formatToMany, formatToOne } from '../resources.ts';
import type { OrganizationRow, ProviderRow } from '../rows.ts';
import { contains, fold, NO_ROWS, type Store } from '../store.ts';
import { formatVersions, removeRow, selectVersions } from './provider-versions.ts';

const COLLECTION = '/organizations/:organization_name/registry-providers';
export const PROVIDER = `${COLLECTION}/:registry_name/:namespace/:name`;

const documented = true;
const VERSIONS = 'registry-provider-versions';
/** Clients of the service use it (facts). */
const includes = [VERSIONS];

export const PROVIDERS: Route[] = [
  ['GET', COLLECTION, 'providers.read', list, { documented, includes }],
  ['POST', COLLECTION, 'providers.manage', create, { documented }],
  ['GET', PROVIDER, 'providers.read', show, { documented, includes }],
  ['DELETE', PROVIDER, 'providers.manage', remove, { documented }],
  ['GET', '/registry-providers/:id', undefined, showById, { includes }],
];

const REGISTRY_NAMES = ['public', 'private'] as const;
const SEGMENT = /^[^/\s]+$/;

function list(ctx: Context, organization: OrganizationRow): Reply {
  const registryName = readQuery(ctx, 'filter[registry_name]');
  const owner = readQuery(ctx, 'filter[organization_name]');
  const rows = ctx.store.select<ProviderRow>('*', 'providers', [
    ['organization = ?', organization.seq],
    registryName !== undefined && ['registry_name = ?', registryName],
    contains(readQuery(ctx, 'q'), 'name_folded', 'namespace_folded'),
  ]);
  const isEmpty = owner !== undefined && fold(owner) !== fold(organization.name);
  return replyList(ctx, isEmpty ? NO_ROWS : rows, (page) => formatProviders(ctx, organization, page));
}

function create(ctx: Context, organization: OrganizationRow): Reply {
  const { store, ids, now } = ctx;
  const address = readAddress(ctx, organization);
  assertCuration(organization, address.registry_name);
  if (findByAddress(ctx, organization, address) !== undefined) {
    throw createFieldError('attributes/name', 'Name has already been taken');
  }
  const place = { id: ids.id('prov'), organization: organization.seq, created_at: now };
  const row = insertProvider(store, { ...address, ...place });
  recordEvent(ctx, organization, { type: 'registry_provider', action: 'create', id: row.id });
  return replyOne(ctx, formatProviders(ctx, organization, [row]), 201);
}

function show(ctx: Context, organization: OrganizationRow): Reply {
  return replyOne(ctx, formatProviders(ctx, organization, [findProviderRow(ctx, organization)]));
}

function showById(ctx: Context): Reply {
  const row = assertFound(ctx.store.first<ProviderRow>('SELECT * FROM providers WHERE id = ?', ctx.param('id')));
  const organization = authorizeOrganization(ctx, 'providers.read', row.organization);
  assertCuration(organization, row.registry_name);
  return replyOne(ctx, formatProviders(ctx, organization, [row]));
}

function remove(ctx: Context, organization: OrganizationRow): Reply {
  return removeRow(ctx, organization, 'provider', findProviderRow(ctx, organization));
}

function assertCuration(organization: OrganizationRow, registryName: string): void {
  if (registryName === 'public' && organization.curation === 0) {
    throw createHttpError(403, 'Curation of public providers is disabled');
  }
}

type Address = Pick<ProviderRow, 'registry_name' | 'namespace' | 'name'>;
type NewProvider = Address & Pick<ProviderRow, 'id' | 'organization' | 'created_at'>;

export function insertProvider(store: Store, provider: NewProvider): ProviderRow {
  const { namespace, name, created_at } = provider;
  const folded = { namespace_folded: fold(namespace), name_folded: fold(name) };
  return store.insert('providers', { ...provider, ...folded, updated_at: created_at });
}

function findByAddress({ store }: Context, { seq }: OrganizationRow, address: Address): ProviderRow | undefined {
  const sql = 'SELECT * FROM providers WHERE organization = ? AND registry_name = ? AND namespace = ? AND name = ?';
  return store.first(sql, seq, address.registry_name, address.namespace, address.name);
}

export function findProviderRow(ctx: Context, organization: OrganizationRow): ProviderRow {
  const registry_name = assertFound(REGISTRY_NAMES.find((name) => name === ctx.param('registry_name')));
  assertCuration(organization, registry_name);
  const address = { registry_name, namespace: ctx.param('namespace'), name: ctx.param('name') };
  return assertFound(findByAddress(ctx, organization, address));
}

function readAddress(ctx: Context, organization: OrganizationRow): Address {
  const { values, addError, validate } = readResource(ctx, 'registry-providers', {
    name: text('Name', SEGMENT),
    namespace: text('Namespace', SEGMENT),
    'registry-name': text('Registry name'),
  });
  const registryName = REGISTRY_NAMES.find((known) => known === values['registry-name']);
  if (registryName === undefined) addError('attributes/registry-name', 'Registry name is not included in the list');
  if (values.namespace !== undefined && registryName === 'private' && values.namespace !== organization.name) {
    addError('attributes/namespace', `Namespace of a private provider must be ${organization.name}`);
  }
  const { name, namespace } = validate();
  return { registry_name: assertFound(registryName), namespace, name };
}

function formatProviders(ctx: Context, organization: OrganizationRow, rows: ProviderRow[]): CompoundDocument {
  const { seq, name } = organization;
  const versions = selectVersions(ctx.store, rows).list();
  const permissions = { 'can-delete': findPermissions(ctx, seq).has('providers.manage') };
  const self = `${ctx.prefix}/organizations/${encodeURIComponent(name)}/registry-providers`;
  const data = rows.map((row) => {
    const address = [row.registry_name, row.namespace, row.name].map(encodeURIComponent).join('/');
    const columns = formatColumns(row, 'name', 'namespace', 'registry_name', 'created_at', 'updated_at');
    const own = versions.filter(({ provider }) => provider === row.seq);
    const related = row.registry_name === 'private' && { [VERSIONS]: formatToMany(VERSIONS, own) };
    const relationships = { organization: formatToOne('organizations', name), ...related };
    const links = { self: `${self}/${address}` };
    return { id: row.id, type: 'registry-providers', attributes: { ...columns, permissions }, relationships, links };
  });
  return { data, included: formatVersions(ctx, organization, versions) };
}
