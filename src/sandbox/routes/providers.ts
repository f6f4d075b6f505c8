import { findMay, ofOrganization, requireOrganization, requirePresent, requireWithin, type Within } from '../access.ts';
import { answerList, answerOne, NO_ROWS, type Resources } from '../answers.ts';
import { recordEvent } from '../audit-events.ts';
import { toProvider } from '../documents.ts';
import { readPage } from '../pagination.ts';
import type { Operation } from '../permissions.ts';
import { createProblem } from '../problems.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import {
  findProvider,
  findProviderById,
  insertProvider,
  type ProviderAddress,
  type ProviderRow,
  selectProviders,
} from '../queries/providers.ts';
import { selectVersions } from '../queries/releases.ts';
import { toVersions } from '../release-documents.ts';
import { type Form, readForm, readParameter } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, ORGANIZATION, type Route, routesAbout } from '../route.ts';
import { fold } from '../rows.ts';
import { REGISTRY_PROVIDER_VERSIONS, REGISTRY_PROVIDERS, type RegistryName } from '../wire/resources.ts';

const ALL = `${ORGANIZATION}/registry-providers`;
export const PROVIDER = `${ALL}/:registry_name/:namespace/:name`;

/** Assumed: a list of providers can include their versions, for which clients of the service ask. */
const INCLUDES = [REGISTRY_PROVIDER_VERSIONS];

const ofProvider = routesAbout(requireProvider);

export const PROVIDER_ROUTES: readonly Route[] = [
  ofOrganization('GET', ALL, 'providers.list', list, { documented: true, includes: INCLUDES }),
  ofOrganization('POST', ALL, 'providers.create', create, { documented: true }),
  ofProvider('GET', PROVIDER, 'providers.show', show, { documented: true, includes: INCLUDES }),
  ofProvider('DELETE', PROVIDER, 'providers.delete', remove, { documented: true }),
  routesAbout(requireProviderById)('GET', '/registry-providers/:provider_id', 'providers.show', show, {
    includes: INCLUDES,
  }),
];

const REGISTRY_NAMES: readonly RegistryName[] = ['public', 'private'];
/** A name is a segment of a path. Assumed: the name of a provider can have every character but a slash and blanks. */
const SEGMENT = /^[^/\s]+$/;

function list(context: Context, organization: OrganizationRow): Answer {
  const { store, url } = context;
  const page = readPage(url);
  const filter = {
    search: readParameter(url, 'q'),
    // Assumed: filtering providers by a registry name that none of them has gives an empty list.
    registryName: readParameter(url, 'filter[registry_name]'),
  };
  const owner = readParameter(url, 'filter[organization_name]');
  // Assumed: filtering an organization's providers by the name of another organization gives an empty list.
  const isEmpty = owner !== undefined && fold(owner) !== fold(organization.name);
  const rows = isEmpty ? NO_ROWS : selectProviders(store, organization.seq, filter);
  return answerList(context, page, rows, (some) => toResources(context, organization, some));
}

function create(context: Context, organization: OrganizationRow): Answer {
  const { store, ids, now } = context;
  const form = readForm(context, REGISTRY_PROVIDERS);
  const address = readAddress(form, organization);
  requireCuration(organization, address.registryName);
  // Assumed: adding a provider that is listed already is answered with 422.
  if (findProvider(store, organization.seq, address) !== undefined) {
    throw form.refuse('attributes/name', 'Name has already been taken');
  }
  insertProvider(store, { ...address, id: ids.id('prov'), organization: organization.seq, createdAt: now });
  const row = requirePresent(findProvider(store, organization.seq, address));
  recordEvent(context, organization, { type: 'registry_provider', action: 'create', id: row.id });
  return answerOne(context, toResources(context, organization, [row]), 201);
}

function show(context: Context, { organization, row }: Within<ProviderRow>): Answer {
  return answerOne(context, toResources(context, organization, [row]));
}

function remove(context: Context, { organization, row }: Within<ProviderRow>): Answer {
  context.store.remove('providers', row.seq);
  recordEvent(context, organization, { type: 'registry_provider', action: 'destroy', id: row.id });
  return NO_CONTENT;
}

/**
 * Assumed: where public provider curation is disabled every public address is refused, whether there is such a provider
 * or not.
 */
function requireCuration(organization: OrganizationRow, registryName: RegistryName): void {
  if (registryName === 'public' && organization.curation === 0) {
    throw createProblem(403, 'Curation of public providers is disabled');
  }
}

/** The provider whose address the path has. */
export function requireProvider(context: Context, operation: Operation): Within<ProviderRow> {
  const { store, params } = context;
  const organization = requireOrganization(context, operation);
  const registryName = requirePresent(REGISTRY_NAMES.find((name) => name === params['registry_name']));
  requireCuration(organization, registryName);
  const address = { registryName, namespace: params['namespace'] ?? '', name: params['name'] ?? '' };
  return { organization, row: requirePresent(findProvider(store, organization.seq, address)) };
}

function requireProviderById(context: Context, operation: Operation): Within<ProviderRow> {
  const found = requireWithin(context, operation, findProviderById(context.store, context.params['provider_id'] ?? ''));
  requireCuration(found.organization, found.row.registry_name);
  return found;
}

function toResources(context: Context, organization: OrganizationRow, rows: readonly ProviderRow[]): Resources {
  const may = findMay(context, organization.seq);
  const seqs = rows.map(({ seq }) => seq);
  const versions = toVersions(context, organization, rows, selectVersions(context.store, seqs).list());
  const data = rows.map((row) => {
    const own = versions.filter(({ provider }) => provider === row.seq).map(({ resource }) => resource);
    return toProvider(row, organization.name, context.prefix, may, own);
  });
  return { data, included: versions.map(({ resource }) => resource) };
}

/** Throws 422. */
function readAddress(form: Form, organization: OrganizationRow): ProviderAddress {
  const name = form.text('name', 'Name', SEGMENT);
  const namespace = form.text('namespace', 'Namespace', SEGMENT);
  const registry = form.text('registry-name', 'Registry name');
  const registryName = REGISTRY_NAMES.find((known) => known === registry);
  // Assumed: a missing registry name is reported by two errors: it is blank, and blank is not one of the two names.
  if (registryName === undefined) form.note('attributes/registry-name', 'Registry name is not included in the list');
  // Assumed: the namespace of a private provider is the organization's name as it is stored, in the same case.
  if (namespace !== '' && registryName === 'private' && namespace !== organization.name) {
    form.note('attributes/namespace', `Namespace of a private provider must be ${organization.name}`);
  }
  form.check();
  return { registryName: requirePresent(registryName), namespace, name };
}
