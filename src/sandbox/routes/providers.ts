import { assertFound, findMay, findOrganization } from '../access.ts';
import { createFlaw, readForm, text } from '../bodies.ts';
import { type Answer, type Call, type Route, readQuery } from '../call.ts';
import { formatColumns, refer, referAll } from '../documents.ts';
import { createProblem } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { answerList, answerOne, type Resources } from '../pages.ts';
import type { OrganizationRow, ProviderRow } from '../rows.ts';
import { contains, fold, NO_ROWS, type Store } from '../store.ts';
import { formatVersions, removeRow, selectVersions } from './provider-versions.ts';

const ALL = '/organizations/:organization_name/registry-providers';
export const PROVIDER = `${ALL}/:registry_name/:namespace/:name`;

const documented = true;
const VERSIONS = 'registry-provider-versions';
/** Clients of the service ask for them (facts). */
const includes = [VERSIONS];

export const PROVIDERS: readonly Route[] = [
  ['GET', ALL, 'providers.read', list, { documented, includes }],
  ['POST', ALL, 'providers.manage', create, { documented }],
  ['GET', PROVIDER, 'providers.read', show, { documented, includes }],
  ['DELETE', PROVIDER, 'providers.manage', remove, { documented }],
  ['GET', '/registry-providers/:id', undefined, showById, { includes }],
];

const REGISTRY_NAMES = ['public', 'private'] as const;
const SEGMENT = /^[^/\s]+$/;

function list(call: Call, organization: OrganizationRow): Answer {
  const registryName = readQuery(call, 'filter[registry_name]');
  const owner = readQuery(call, 'filter[organization_name]');
  const rows = call.store.select<ProviderRow>('*', 'providers', [
    ['organization = ?', organization.seq],
    registryName !== undefined && ['registry_name = ?', registryName],
    contains(readQuery(call, 'q'), 'name_folded', 'namespace_folded'),
  ]);
  const isEmpty = owner !== undefined && fold(owner) !== fold(organization.name);
  return answerList(call, isEmpty ? NO_ROWS : rows, (some) => formatProviders(call, organization, some));
}

function create(call: Call, organization: OrganizationRow): Answer {
  const { store, ids, now } = call;
  const address = readAddress(call, organization);
  assertCuration(organization, address.registry_name);
  if (findByAddress(call, organization, address) !== undefined) {
    throw createFlaw('attributes/name', 'Name has already been taken');
  }
  const place = { id: ids.id('prov'), organization: organization.seq, created_at: now };
  const row = insertProvider(store, { ...address, ...place });
  recordEvent(call, organization, { type: 'registry_provider', action: 'create', id: row.id });
  return answerOne(call, formatProviders(call, organization, [row]), 201);
}

function show(call: Call, organization: OrganizationRow): Answer {
  return answerOne(call, formatProviders(call, organization, [findProvider(call, organization)]));
}

function showById(call: Call): Answer {
  const row = assertFound(call.store.first<ProviderRow>('SELECT * FROM providers WHERE id = ?', call.param('id')));
  const organization = findOrganization(call, 'providers.read', row.organization);
  assertCuration(organization, row.registry_name);
  return answerOne(call, formatProviders(call, organization, [row]));
}

function remove(call: Call, organization: OrganizationRow): Answer {
  return removeRow(call, organization, 'provider', findProvider(call, organization));
}

/** Without curation every public address is refused, whether there is such a provider or not. */
function assertCuration(organization: OrganizationRow, registryName: string): void {
  if (registryName === 'public' && organization.curation === 0) {
    throw createProblem(403, 'Curation of public providers is disabled');
  }
}

type Address = Pick<ProviderRow, 'registry_name' | 'namespace' | 'name'>;
type NewProvider = Address & Pick<ProviderRow, 'id' | 'organization' | 'created_at'>;

export function insertProvider(store: Store, provider: NewProvider): ProviderRow {
  const { namespace, name, created_at } = provider;
  const folded = { namespace_folded: fold(namespace), name_folded: fold(name) };
  return store.insert('providers', { ...provider, ...folded, updated_at: created_at });
}

/** Names and namespaces are compared with their case. */
function findByAddress({ store }: Call, { seq }: OrganizationRow, address: Address): ProviderRow | undefined {
  const sql = 'SELECT * FROM providers WHERE organization = ? AND registry_name = ? AND namespace = ? AND name = ?';
  return store.first(sql, seq, address.registry_name, address.namespace, address.name);
}

export function findProvider(call: Call, organization: OrganizationRow): ProviderRow {
  const registry_name = assertFound(REGISTRY_NAMES.find((name) => name === call.param('registry_name')));
  assertCuration(organization, registry_name);
  const address = { registry_name, namespace: call.param('namespace'), name: call.param('name') };
  return assertFound(findByAddress(call, organization, address));
}

function readAddress(call: Call, organization: OrganizationRow): Address {
  const { values, note, check } = readForm(call, 'registry-providers', {
    name: text('Name', SEGMENT),
    namespace: text('Namespace', SEGMENT),
    'registry-name': text('Registry name'),
  });
  const registryName = REGISTRY_NAMES.find((known) => known === values['registry-name']);
  if (registryName === undefined) note('attributes/registry-name', 'Registry name is not included in the list');
  if (values.namespace !== undefined && registryName === 'private' && values.namespace !== organization.name) {
    note('attributes/namespace', `Namespace of a private provider must be ${organization.name}`);
  }
  const { name, namespace } = check();
  return { registry_name: assertFound(registryName), namespace, name };
}

function formatProviders(call: Call, organization: OrganizationRow, rows: readonly ProviderRow[]): Resources {
  const { seq, name } = organization;
  const versions = selectVersions(call.store, rows).list();
  const permissions = { 'can-delete': findMay(call, seq)('providers.manage') };
  const self = `${call.prefix}/organizations/${encodeURIComponent(name)}/registry-providers`;
  const data = rows.map((row) => {
    const address = [row.registry_name, row.namespace, row.name].map(encodeURIComponent).join('/');
    const columns = formatColumns(row, 'name', 'namespace', 'registry_name', 'created_at', 'updated_at');
    const own = versions.filter(({ provider }) => provider === row.seq);
    const related = row.registry_name === 'private' && { [VERSIONS]: referAll(VERSIONS, own) };
    const relationships = { organization: refer('organizations', name), ...related };
    const links = { self: `${self}/${address}` };
    return { id: row.id, type: 'registry-providers', attributes: { ...columns, permissions }, relationships, links };
  });
  return { data, included: formatVersions(call, organization, versions) };
}
