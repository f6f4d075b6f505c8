import { REGISTRY_PROVIDERS, type RegistryName } from '../../wire/resources.ts';
import { isAllowed, requireOrganization, requirePresent } from '../access.ts';
import { recordEvent } from '../audit-events.ts';
import { toListDocument, toProvider } from '../documents.ts';
import { readPage, toOffset } from '../pagination.ts';
import type { Operation } from '../permissions.ts';
import { createForbidden, createInvalid, type Flaw } from '../problems.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import {
  countProviders,
  deleteProvider,
  findProvider,
  insertProvider,
  listProviders,
  type ProviderAddress,
  type ProviderFilter,
  type ProviderRow,
} from '../queries/providers.ts';
import { readParameter } from '../query.ts';
import { findTypeFlaws, type Members, readText, toMembers } from '../request-body.ts';
import { type Answer, type Context, NO_CONTENT, type Route } from '../route.ts';

const ALL = '/organizations/:organization_name/registry-providers';
const ONE = `${ALL}/:registry_name/:namespace/:name`;

/** Assumed: as clients of the service have it; the sandbox's private providers have no versions yet. */
const INCLUDES = ['registry-provider-versions'];

export const PROVIDER_ROUTES: readonly Route[] = [
  { method: 'GET', path: ALL, documented: true, includes: INCLUDES, handle: list },
  { method: 'POST', path: ALL, documented: true, handle: create },
  { method: 'GET', path: ONE, documented: true, includes: INCLUDES, handle: show },
  { method: 'DELETE', path: ONE, documented: true, handle: remove },
];

const REGISTRY_NAMES: readonly RegistryName[] = ['public', 'private'];
/** A segment of a path, so neither a slash nor blanks. Assumed: everything else may stand in a name. */
const SEGMENT = /^[^/\s]+$/;

function list(context: Context): Answer {
  const { store, url } = context;
  const organization = requireAccess(context, 'providers.list');
  const page = readPage(url);
  const filter: ProviderFilter = {
    search: readParameter(url, 'q'),
    // Assumed: a value that no provider has finds nothing.
    registryName: readParameter(url, 'filter[registry_name]'),
  };
  const owner = readParameter(url, 'filter[organization_name]');
  // Every record of this list is the organization's own. Assumed: so another name leaves nothing.
  const elsewhere = owner !== undefined && owner.toLowerCase() !== organization.name.toLowerCase();
  const total = elsewhere ? 0 : countProviders(store, organization.seq, filter);
  const rows = elsewhere ? [] : listProviders(store, organization.seq, filter, page.size, toOffset(page));
  const canDelete = isAllowed(context, organization.seq, 'providers.delete');
  const data = rows.map((row) => toProvider(row, organization.name, context.prefix, canDelete));
  return { status: 200, body: toListDocument(url, page, total, data, toIncluded(context)) };
}

function create(context: Context): Answer {
  const { store, ids, now } = context;
  const organization = requireAccess(context, 'providers.create');
  const address = readProvider(context, organization);
  requireCuration(organization, address.registryName);
  // Assumed: 422 for one that is there.
  if (findProvider(store, organization.seq, address) !== undefined) {
    throw createInvalid([{ detail: 'Name has already been taken', pointer: '/data/attributes/name' }]);
  }
  insertProvider(store, { ...address, id: ids.id('prov'), organization: organization.seq, createdAt: now });
  const row = requirePresent(findProvider(store, organization.seq, address));
  recordEvent(context, organization, { type: 'registry_provider', action: 'create', id: row.id });
  return { status: 201, body: { data: toResource(context, organization, row) } };
}

function show(context: Context): Answer {
  const organization = requireAccess(context, 'providers.show');
  const data = toResource(context, organization, requireProvider(context, organization));
  return { status: 200, body: { data, ...toIncluded(context) } };
}

function remove(context: Context): Answer {
  const organization = requireAccess(context, 'providers.delete');
  const row = requireProvider(context, organization);
  deleteProvider(context.store, row.seq);
  recordEvent(context, organization, { type: 'registry_provider', action: 'destroy', id: row.id });
  return NO_CONTENT;
}

function requireAccess(context: Context, operation: Operation): OrganizationRow {
  return requireOrganization(context, context.params['organization_name'] ?? '', operation);
}

/** Assumed: where curation is disabled every public address is refused, whether there is such a provider or not. */
function requireCuration(organization: OrganizationRow, registryName: RegistryName): void {
  if (registryName === 'public' && organization.curation === 0) {
    throw createForbidden('Curation of public providers is disabled');
  }
}

function requireProvider({ store, params }: Context, organization: OrganizationRow): ProviderRow {
  const registryName = requirePresent(REGISTRY_NAMES.find((name) => name === params['registry_name']));
  requireCuration(organization, registryName);
  const address = { registryName, namespace: params['namespace'] ?? '', name: params['name'] ?? '' };
  return requirePresent(findProvider(store, organization.seq, address));
}

function toResource(context: Context, organization: OrganizationRow, row: ProviderRow): ReturnType<typeof toProvider> {
  const canDelete = isAllowed(context, organization.seq, 'providers.delete');
  return toProvider(row, organization.name, context.prefix, canDelete);
}

function toIncluded({ include }: Context): { included?: [] } {
  return include.size === 0 ? {} : { included: [] };
}

function readProvider(context: Context, organization: OrganizationRow): ProviderAddress {
  const data = toMembers(context.body()['data']);
  const attributes = toMembers(data['attributes']);
  const name = readSegment(attributes, 'name', 'Name');
  const namespace = readSegment(attributes, 'namespace', 'Namespace');
  const registryName = readRegistryName(attributes);
  const flaws = [
    ...findTypeFlaws(data, REGISTRY_PROVIDERS),
    ...[name, namespace, registryName].flatMap((part) => ('flaws' in part ? part.flaws : [])),
  ];
  // Assumed: exactly the organization's name as it is stored, in the same case.
  if ('text' in namespace && registryName.text === 'private' && namespace.text !== organization.name) {
    flaws.push({
      detail: `Namespace of a private provider must be ${organization.name}`,
      pointer: '/data/attributes/namespace',
    });
  }
  if ('flaws' in name || 'flaws' in namespace || registryName.text === undefined || flaws.length > 0) {
    throw createInvalid(flaws);
  }
  return { registryName: registryName.text, namespace: namespace.text, name: name.text };
}

function readSegment(attributes: Members, name: string, label: string): { text: string } | { flaws: Flaw[] } {
  const value = readText(attributes, name, label);
  return 'flaws' in value || SEGMENT.test(value.text)
    ? value
    : { flaws: [{ detail: `${label} is invalid`, pointer: `/data/attributes/${name}` }] };
}

/** Assumed: a missing one is told twice: that it is blank, and that blank is not one of the two. */
function readRegistryName(attributes: Members): { text: RegistryName | undefined; flaws: Flaw[] } {
  const value = readText(attributes, 'registry-name', 'Registry name');
  const text = 'text' in value ? REGISTRY_NAMES.find((name) => name === value.text) : undefined;
  const flaws = 'flaws' in value ? [...value.flaws] : [];
  if (text === undefined) {
    flaws.push({ detail: 'Registry name is not included in the list', pointer: '/data/attributes/registry-name' });
  }
  return { text, flaws };
}
