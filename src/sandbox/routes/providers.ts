import * as v from 'valibot';
import { assertFound, authorizeOrganization, findPermissions, withOrganization } from '../access.ts';
import { createFieldError, parseAttributes, text } from '../bodies.ts';
import { type Context, type Reply, type Route, readQuery } from '../context.ts';
import { recordEvent } from '../events.ts';
import { type CompoundDocument, replyList, replyOne } from '../pages.ts';
import * as providers from '../providers.ts';
import { formatColumns, formatToMany, formatToOne } from '../resources.ts';
import type { OrganizationRow, ProviderRow } from '../rows.ts';
import { contains, fold, NO_ROWS } from '../store.ts';
import { formatVersions, removeRow } from './provider-versions.ts';

const COLLECTION = '/organizations/:organization_name/registry-providers';

const VERSIONS = 'registry-provider-versions';
/** Clients of the service use it (facts). */
const includes = [VERSIONS];

const documented = true;

export const PROVIDERS: Route[] = [
  { method: 'GET', path: COLLECTION, handle: withOrganization('providers.read', list), documented, includes },
  { method: 'POST', path: COLLECTION, handle: withOrganization('providers.manage', create), documented },
  { method: 'GET', path: providers.PROVIDER, handle: withOrganization('providers.read', show), documented, includes },
  { method: 'DELETE', path: providers.PROVIDER, handle: withOrganization('providers.manage', remove), documented },
  { method: 'GET', path: '/registry-providers/:id', handle: showById, includes },
];

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
  providers.assertCuration(organization, address.registry_name);
  if (providers.findByAddress(ctx, organization, address) !== undefined) {
    throw createFieldError('attributes/name', 'Name has already been taken');
  }
  const place = { id: ids.id('prov'), organization: organization.seq, created_at: now };
  const row = providers.insertProvider(store, { ...address, ...place });
  recordEvent(ctx, organization, { type: 'registry_provider', action: 'create', id: row.id });
  return replyOne(ctx, formatProviders(ctx, organization, [row]), 201);
}

function show(ctx: Context, organization: OrganizationRow): Reply {
  return replyOne(ctx, formatProviders(ctx, organization, [providers.findProviderRow(ctx, organization)]));
}

function showById(ctx: Context): Reply {
  const row = assertFound(ctx.store.first<ProviderRow>('SELECT * FROM providers WHERE id = ?', ctx.param('id')));
  const organization = authorizeOrganization(ctx, 'providers.read', row.organization);
  providers.assertCuration(organization, row.registry_name);
  return replyOne(ctx, formatProviders(ctx, organization, [row]));
}

function remove(ctx: Context, organization: OrganizationRow): Reply {
  return removeRow(ctx, organization, 'provider', providers.findProviderRow(ctx, organization));
}

function readAddress(ctx: Context, organization: OrganizationRow): providers.Address {
  const registryNames = v.picklist(providers.REGISTRY_NAMES, 'Registry name is not included in the list');
  const {
    'registry-name': registry_name,
    namespace,
    name,
  } = parseAttributes(ctx, 'registry-providers', {
    name: text('Name', SEGMENT),
    namespace: text('Namespace', SEGMENT),
    'registry-name': v.pipe(text('Registry name'), registryNames),
  });
  if (registry_name === 'public' || namespace === organization.name) return { registry_name, namespace, name };
  throw createFieldError('attributes/namespace', `Namespace of a private provider must be ${organization.name}`);
}

function formatProviders(ctx: Context, organization: OrganizationRow, rows: ProviderRow[]): CompoundDocument {
  const { seq, name } = organization;
  const versions = providers.selectVersions(ctx.store, rows).list();
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
