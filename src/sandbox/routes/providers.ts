import type { Resource } from '../../wire/json-api.ts';
import { REGISTRY_PROVIDER_VERSIONS, REGISTRY_PROVIDERS, type RegistryName } from '../../wire/resources.ts';
import { isAllowed, requireOrganization, requirePresent } from '../access.ts';
import { recordEvent } from '../audit-events.ts';
import { toIncluded, toListDocument, toProvider } from '../documents.ts';
import { readPage, toRange } from '../pagination.ts';
import type { Operation } from '../permissions.ts';
import { createInvalid, createProblem, type Flaw } from '../problems.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import {
  countProviders,
  deleteProvider,
  findProvider,
  findProviderById,
  insertProvider,
  listProviders,
  type ProviderAddress,
  type ProviderFilter,
  type ProviderRow,
} from '../queries/providers.ts';
import { listVersionsOf } from '../queries/releases.ts';
import { toVersions } from '../release-documents.ts';
import { findTypeFlaws, type Members, readParameter, readText, toMembers } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, type Route } from '../route.ts';
import { fold } from '../store.ts';

const ALL = '/organizations/:organization_name/registry-providers';
const ONE = `${ALL}/:registry_name/:namespace/:name`;
const BY_ID = '/registry-providers/:provider_id';

/** Assumed: as clients of the service have it. */
const INCLUDES = [REGISTRY_PROVIDER_VERSIONS];

export const PROVIDER_ROUTES: readonly Route[] = [
  { method: 'GET', path: ALL, documented: true, includes: INCLUDES, handle: list },
  { method: 'POST', path: ALL, documented: true, handle: create },
  { method: 'GET', path: ONE, documented: true, includes: INCLUDES, handle: show },
  { method: 'DELETE', path: ONE, documented: true, handle: remove },
  { method: 'GET', path: BY_ID, documented: false, includes: INCLUDES, handle: showById },
];

const REGISTRY_NAMES: readonly RegistryName[] = ['public', 'private'];
/** A segment of a path, so neither a slash nor blanks. Assumed: everything else may stand in a name. */
const SEGMENT = /^[^/\s]+$/;

function list(context: Context): Answer {
  const { store, url } = context;
  const organization = requireOrganization(context, 'providers.list');
  const page = readPage(url);
  const filter: ProviderFilter = {
    search: readParameter(url, 'q'),
    // Assumed: a value that no provider has finds nothing.
    registryName: readParameter(url, 'filter[registry_name]'),
  };
  const owner = readParameter(url, 'filter[organization_name]');
  // Every record of this list is the organization's own. Assumed: so another name leaves nothing.
  const isEmpty = owner !== undefined && fold(owner) !== fold(organization.name);
  const total = isEmpty ? 0 : countProviders(store, organization.seq, filter);
  const rows = isEmpty ? [] : listProviders(store, organization.seq, filter, toRange(page));
  const { data, versions } = toResources(context, organization, rows);
  return { status: 200, body: toListDocument(url, page, total, data, toIncluded(context, versions)) };
}

function create(context: Context): Answer {
  const { store, ids, now } = context;
  const organization = requireOrganization(context, 'providers.create');
  const address = readProvider(context, organization);
  requireCuration(organization, address.registryName);
  // Assumed: 422 for one that exists.
  if (findProvider(store, organization.seq, address) !== undefined) {
    throw createInvalid([{ detail: 'Name has already been taken', pointer: '/data/attributes/name' }]);
  }
  insertProvider(store, { ...address, id: ids.id('prov'), organization: organization.seq, createdAt: now });
  const row = requirePresent(findProvider(store, organization.seq, address));
  recordEvent(context, organization, { type: 'registry_provider', action: 'create', id: row.id });
  return { status: 201, body: { data: toResources(context, organization, [row]).data[0] } };
}

function show(context: Context): Answer {
  const { organization, row } = requireProvider(context, 'providers.show');
  return answerWith(context, organization, row);
}

function showById(context: Context): Answer {
  const row = requirePresent(findProviderById(context.store, context.params['provider_id'] ?? ''));
  const organization = requireOrganization(context, 'providers.show', row.organization);
  requireCuration(organization, row.registry_name);
  return answerWith(context, organization, row);
}

function answerWith(context: Context, organization: OrganizationRow, row: ProviderRow): Answer {
  const { data, versions } = toResources(context, organization, [row]);
  return { status: 200, body: { data: data[0], ...toIncluded(context, versions) } };
}

function remove(context: Context): Answer {
  const { organization, row } = requireProvider(context, 'providers.delete');
  deleteProvider(context.store, row.seq);
  recordEvent(context, organization, { type: 'registry_provider', action: 'destroy', id: row.id });
  return NO_CONTENT;
}

/** Assumed: where curation is disabled every public address is refused, whether there is such a provider or not. */
function requireCuration(organization: OrganizationRow, registryName: RegistryName): void {
  if (registryName === 'public' && organization.curation === 0) {
    throw createProblem(403, 'Curation of public providers is disabled');
  }
}

/** The provider that the path names. */
export function requireProvider(
  context: Context,
  operation: Operation,
): { organization: OrganizationRow; row: ProviderRow } {
  const { store, params } = context;
  const organization = requireOrganization(context, operation);
  const registryName = requirePresent(REGISTRY_NAMES.find((name) => name === params['registry_name']));
  requireCuration(organization, registryName);
  const address = { registryName, namespace: params['namespace'] ?? '', name: params['name'] ?? '' };
  return { organization, row: requirePresent(findProvider(store, organization.seq, address)) };
}

function toResources(
  context: Context,
  organization: OrganizationRow,
  rows: readonly ProviderRow[],
): { readonly data: readonly Resource[]; readonly versions: readonly Resource[] } {
  const canDelete = isAllowed(context, organization.seq, 'providers.delete');
  const seqs = rows.map(({ seq }) => seq);
  const versions = toVersions(context, organization, rows, listVersionsOf(context.store, seqs));
  const data = rows.map((row) => {
    const own = versions.filter(({ provider }) => provider === row.seq).map(({ resource }) => resource);
    return toProvider(row, organization.name, context.prefix, canDelete, own);
  });
  return { data, versions: versions.map(({ resource }) => resource) };
}

function readProvider(context: Context, organization: OrganizationRow): ProviderAddress {
  const data = toMembers(context.body()['data']);
  const attributes = toMembers(data['attributes']);
  const flaws = findTypeFlaws(data, REGISTRY_PROVIDERS);
  const name = readSegment(attributes, 'name', 'Name', flaws);
  const namespace = readSegment(attributes, 'namespace', 'Namespace', flaws);
  const registry = readText(attributes, 'registry-name', 'Registry name', flaws);
  const registryName = REGISTRY_NAMES.find((known) => known === registry);
  // Assumed: a missing one is reported twice: that it is blank, and that blank is not one of the two.
  if (registryName === undefined) {
    flaws.push({ detail: 'Registry name is not included in the list', pointer: '/data/attributes/registry-name' });
  }
  // Assumed: exactly the organization's name as it is stored, in the same case.
  if (namespace !== undefined && registryName === 'private' && namespace !== organization.name) {
    const detail = `Namespace of a private provider must be ${organization.name}`;
    flaws.push({ detail, pointer: '/data/attributes/namespace' });
  }
  if (name === undefined || namespace === undefined || registryName === undefined || flaws.length > 0) {
    throw createInvalid(flaws);
  }
  return { registryName, namespace, name };
}

function readSegment(attributes: Members, name: string, label: string, flaws: Flaw[]): string | undefined {
  const value = readText(attributes, name, label, flaws);
  if (value === undefined || SEGMENT.test(value)) return value;
  flaws.push({ detail: `${label} is invalid`, pointer: `/data/attributes/${name}` });
  return undefined;
}
