import { assertFound, findMay, findOrganization } from '../access.ts';
import { createFlaw, readForm, text } from '../bodies.ts';
import { type Answer, type Call, NO_CONTENT, type Route, readQuery } from '../call.ts';
import { formatColumns, type Resource, refer, referAll } from '../documents.ts';
import { createProblem } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { answerList, answerOne, type Resources, readPage } from '../pages.ts';
import type { Operation } from '../permissions.ts';
import type { OrganizationRow, ProviderRow } from '../rows.ts';
import { contains, fold, NO_ROWS, type Store } from '../store.ts';
import { formatVersions, selectVersions } from './provider-versions.ts';

const ALL = '/organizations/:organization_name/registry-providers';
export const PROVIDER = `${ALL}/:registry_name/:namespace/:name`;

/** Clients of the service ask for them. */
const includes = ['registry-provider-versions'];

export const PROVIDERS: readonly Route[] = [
  ['GET', ALL, list, { documented: true, includes }],
  ['POST', ALL, create, { documented: true }],
  ['GET', PROVIDER, (call) => answer(call, findProvider(call, 'providers.show')), { documented: true, includes }],
  ['DELETE', PROVIDER, remove, { documented: true }],
  ['GET', '/registry-providers/:id', (call) => answer(call, findById(call)), { includes }],
];

const REGISTRY_NAMES = ['public', 'private'] as const;
/** A name is a segment of a path. */
const SEGMENT = /^[^/\s]+$/;

function list(call: Call): Answer {
  const organization = findOrganization(call, 'providers.list');
  const page = readPage(call);
  const registryName = readQuery(call, 'filter[registry_name]');
  const owner = readQuery(call, 'filter[organization_name]');
  const rows = call.store.select<ProviderRow>('*', 'providers', [
    ['organization = ?', organization.seq],
    registryName !== undefined && ['registry_name = ?', registryName],
    contains(readQuery(call, 'q'), 'name_folded', 'namespace_folded'),
  ]);
  const isEmpty = owner !== undefined && fold(owner) !== fold(organization.name);
  return answerList(call, page, isEmpty ? NO_ROWS : rows, (some) => formatProviders(call, organization, some));
}

function create(call: Call): Answer {
  const { store, ids, now } = call;
  const organization = findOrganization(call, 'providers.create');
  const address = readAddress(call, organization);
  assertCuration(organization, address.registry_name);
  if (findByAddress(call, organization, address) !== undefined) {
    throw createFlaw('attributes/name', 'Name has already been taken');
  }
  const id = ids.id('prov');
  insertProvider(store, { ...address, id, organization: organization.seq, created_at: now });
  recordEvent(call, organization, { type: 'registry_provider', action: 'create', id });
  return answer(call, { organization, provider: assertFound(findByAddress(call, organization, address)) }, 201);
}

interface Found {
  organization: OrganizationRow;
  provider: ProviderRow;
}

function answer(call: Call, { organization, provider }: Found, status?: number): Answer {
  return answerOne(call, formatProviders(call, organization, [provider]), status);
}

function remove(call: Call): Answer {
  const { organization, provider } = findProvider(call, 'providers.delete');
  call.store.remove('providers', provider.seq);
  recordEvent(call, organization, { type: 'registry_provider', action: 'destroy', id: provider.id });
  return NO_CONTENT;
}

/** Without curation every public address is refused, whether there is such a provider or not. */
function assertCuration(organization: OrganizationRow, registryName: string): void {
  if (registryName === 'public' && organization.curation === 0) {
    throw createProblem(403, 'Curation of public providers is disabled');
  }
}

type Address = Pick<ProviderRow, 'registry_name' | 'namespace' | 'name'>;

export function insertProvider(
  store: Store,
  provider: Address & Pick<ProviderRow, 'id' | 'organization' | 'created_at'>,
): void {
  const { namespace, name, created_at } = provider;
  const folded = { namespace_folded: fold(namespace), name_folded: fold(name) };
  store.insert('providers', { ...provider, ...folded, updated_at: created_at });
}

/** Names and namespaces are compared with their case. */
function findByAddress({ store }: Call, organization: OrganizationRow, address: Address): ProviderRow | undefined {
  const { registry_name, namespace, name } = address;
  const sql = 'SELECT * FROM providers WHERE organization = ? AND registry_name = ? AND namespace = ? AND name = ?';
  return store.first(sql, organization.seq, registry_name, namespace, name);
}

/** The provider whose address the path has. */
export function findProvider(call: Call, operation: Operation): Found {
  const organization = findOrganization(call, operation);
  const registry_name = assertFound(REGISTRY_NAMES.find((name) => name === call.param('registry_name')));
  assertCuration(organization, registry_name);
  const address = { registry_name, namespace: call.param('namespace'), name: call.param('name') };
  return { organization, provider: assertFound(findByAddress(call, organization, address)) };
}

function findById(call: Call): Found {
  const sql = 'SELECT * FROM providers WHERE id = ?';
  const provider = assertFound(call.store.first<ProviderRow>(sql, call.param('id')));
  const organization = findOrganization(call, 'providers.show', provider.organization);
  assertCuration(organization, provider.registry_name);
  return { organization, provider };
}

function readAddress(call: Call, organization: OrganizationRow): Address {
  const form = readForm(call, 'registry-providers', {
    name: text('Name', SEGMENT),
    namespace: text('Namespace', SEGMENT),
    'registry-name': text('Registry name'),
  });
  const { namespace, 'registry-name': given } = form.values;
  const registryName = REGISTRY_NAMES.find((known) => known === given);
  // A missing one is reported by two errors (facts).
  if (registryName === undefined) form.note('attributes/registry-name', 'Registry name is not included in the list');
  if (namespace !== undefined && registryName === 'private' && namespace !== organization.name) {
    form.note('attributes/namespace', `Namespace of a private provider must be ${organization.name}`);
  }
  const { name, ...rest } = form.check();
  return { registry_name: assertFound(registryName), namespace: rest.namespace, name };
}

function formatProviders(call: Call, organization: OrganizationRow, rows: readonly ProviderRow[]): Resources {
  const versions = selectVersions(call.store, rows).list();
  const resources = formatVersions(call, organization, rows, versions);
  const permissions = { 'can-delete': findMay(call, organization.seq)('providers.delete') };
  const data = rows.map((row): Resource => {
    const address = [row.registry_name, row.namespace, row.name].map(encodeURIComponent).join('/');
    const own = resources.filter((_, index) => versions[index]?.provider === row.seq);
    return {
      id: row.id,
      type: 'registry-providers',
      attributes: {
        ...formatColumns(row, 'name', 'namespace', 'registry_name', 'created_at', 'updated_at'),
        permissions,
      },
      relationships: {
        organization: refer('organizations', organization.name),
        ...(row.registry_name === 'private' ? { 'registry-provider-versions': referAll(own) } : {}),
      },
      links: {
        self: `${call.prefix}/organizations/${encodeURIComponent(organization.name)}/registry-providers/${address}`,
      },
    };
  });
  return { data, included: resources };
}
