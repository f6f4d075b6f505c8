import {
  GLOBEX_PROVIDERS,
  type Json,
  PROVIDERS,
  type Provider,
  toPage,
  toProvider,
  toProviderRecord,
} from '../../support/demo.ts';
import type { Row } from './row.ts';

const LIST = 'GET /organizations/:organization_name/registry-providers';
const CREATE = 'POST /organizations/:organization_name/registry-providers';
const ADDRESS = ':organization_name/registry-providers/:registry_name/:namespace/:name';
const GET = `GET /organizations/${ADDRESS}`;
const DELETE = `DELETE /organizations/${ADDRESS}`;
const OF_ACME = '/organizations/acme/registry-providers';
const OF_GLOBEX = '/organizations/globex/registry-providers';
const ADDRESS_PARAMETERS = [':organization_name', ':registry_name', ':namespace', ':name'];
const BODY_PARAMETERS = [
  'data.type',
  'data.attributes.name',
  'data.attributes.namespace',
  'data.attributes.registry-name',
];

const NOT_USABLE = 'is listed now, and cannot be used until it has a version, a platform and its release files';

const providers = (some: readonly Provider[]): readonly Json[] => some.map(toProvider);
const records = (some: readonly Provider[]): readonly Json[] => some.map(toProviderRecord);

function find(address: string): Provider {
  const found = [...PROVIDERS, ...GLOBEX_PROVIDERS].find(
    ({ registry, namespace, name }) => `${registry}/${namespace}/${name}` === address,
  );
  if (found === undefined) throw new Error(`the demo has no provider ${address}`);
  return found;
}

/** A filter of the list; what the command adds comes after it. */
function toListRow(parameter: string, given: string, query: string, found: readonly Provider[], options: string): Row {
  return {
    operation: LIST,
    parameters: [parameter],
    given,
    ask: { path: `${OF_ACME}?${query}` },
    answer: { status: 200, body: toPage(`${OF_ACME}?${query}`, providers(found)) },
    argv: `providers list ${options}`,
    requests: [`GET ${OF_ACME}?${query}&page%5Bsize%5D=100`],
    prints: records(found),
  };
}

/** A new provider, after the command has looked whether it is there already. */
function toCreateRow(
  given: string,
  parameters: readonly string[],
  made: Pick<Provider, 'organization' | 'registry' | 'namespace' | 'name'>,
  argv: string,
): Row {
  const { organization, registry, namespace, name } = made;
  const path = `/organizations/${organization}/registry-providers`;
  const provider: Provider = { ...made, id: 'prov-1', createdAt: '2026-11-21T09:00:00.000Z' };
  const body = {
    data: { type: 'registry-providers', attributes: { name, namespace, 'registry-name': registry } },
  };
  const address = [registry, namespace, name].map(encodeURIComponent).join('/');
  return {
    operation: CREATE,
    parameters,
    given,
    ask: { path, body },
    answer: { status: 201, body: { data: toProvider(provider) } },
    argv: `providers create ${argv}`,
    requests: [`GET ${path}/${address}`, `POST ${path} ${JSON.stringify(body)}`],
    prints: [
      {
        ...toProviderRecord(provider),
        address: `${registry}/${namespace}/${name}`,
        changed: true,
        result: 'created',
      },
    ],
    ...(registry === 'private'
      ? { says: [JSON.stringify({ note: { message: `${registry}/${namespace}/${name} ${NOT_USABLE}` } })] }
      : {}),
  };
}

function toGetRow(given: string, address: string, path: string, argv: string): Row {
  return {
    operation: GET,
    parameters: ADDRESS_PARAMETERS,
    given,
    ask: { path },
    answer: { status: 200, body: { data: toProvider(find(address)) } },
    argv: `providers get ${argv}`,
    requests: [`GET ${path}`],
    prints: toProviderRecord(find(address)),
  };
}

function toDeleteRow(given: string, address: string, path: string, argv: string): Row {
  return {
    operation: DELETE,
    parameters: ADDRESS_PARAMETERS,
    given,
    ask: { path },
    answer: { status: 204 },
    argv: `providers delete ${argv} --yes`,
    requests: [`GET ${path}`, `DELETE ${path}`],
    prints: [{ id: find(address).id, type: 'registry-providers', address, changed: true, result: 'deleted' }],
  };
}

export const PROVIDER_ROWS: readonly Row[] = [
  {
    operation: LIST,
    parameters: [':organization_name'],
    given: 'acme',
    ask: { path: OF_ACME },
    answer: { status: 200, body: toPage(OF_ACME, providers(PROVIDERS)) },
    argv: 'providers list',
    requests: [`GET ${OF_ACME}?page%5Bsize%5D=100`],
    prints: records(PROVIDERS),
  },
  {
    operation: LIST,
    parameters: [':organization_name'],
    given: 'globex',
    ask: { path: OF_GLOBEX },
    answer: { status: 200, body: toPage(OF_GLOBEX, providers(GLOBEX_PROVIDERS)) },
    argv: 'providers list --org globex',
    requests: [`GET ${OF_GLOBEX}?page%5Bsize%5D=100`],
    prints: records(GLOBEX_PROVIDERS),
  },
  toListRow('q', 'part of a name', 'q=in', PROVIDERS.slice(2), '--search in'),
  toListRow('q', 'part of a namespace', 'q=corp', PROVIDERS.slice(0, 2), '-s corp'),
  toListRow(
    'filter[registry_name]',
    'public',
    'filter%5Bregistry_name%5D=public',
    PROVIDERS.slice(0, 3),
    '--registry public',
  ),
  toListRow(
    'filter[registry_name]',
    'private',
    'filter%5Bregistry_name%5D=private',
    PROVIDERS.slice(3),
    '--registry private',
  ),
  toListRow(
    'filter[organization_name]',
    'the organization itself',
    'filter%5Borganization_name%5D=acme',
    PROVIDERS,
    '--owner acme',
  ),
  toListRow(
    'filter[organization_name]',
    'another organization',
    'filter%5Borganization_name%5D=globex',
    [],
    '--owner globex',
  ),
  {
    operation: LIST,
    parameters: ['page[number]'],
    given: '1, with 20 a page',
    ask: { path: `${OF_ACME}?page%5Bnumber%5D=1` },
    answer: { status: 200, body: toPage(OF_ACME, providers(PROVIDERS)) },
    argv: 'providers list --page 1',
    requests: [`GET ${OF_ACME}?page%5Bnumber%5D=1`],
    prints: records(PROVIDERS),
  },
  {
    operation: LIST,
    parameters: ['page[size]'],
    given: '2: the first page of the service, every page of the command',
    ask: { path: `${OF_ACME}?page%5Bsize%5D=2` },
    answer: { status: 200, body: toPage(OF_ACME, providers(PROVIDERS.slice(0, 2)), { size: 2, total: 5 }) },
    argv: 'providers list --page-size 2',
    requests: [
      `GET ${OF_ACME}?page%5Bsize%5D=2`,
      `GET ${OF_ACME}?page%5Bnumber%5D=2&page%5Bsize%5D=2`,
      `GET ${OF_ACME}?page%5Bnumber%5D=3&page%5Bsize%5D=2`,
    ],
    prints: records(PROVIDERS),
  },
  {
    operation: LIST,
    parameters: ['page[number]', 'page[size]'],
    given: '3 and 2',
    ask: { path: `${OF_ACME}?page%5Bnumber%5D=3&page%5Bsize%5D=2` },
    answer: {
      status: 200,
      body: toPage(OF_ACME, providers(PROVIDERS.slice(4)), { number: 3, size: 2, total: 5 }),
    },
    argv: 'providers list --page 3 --page-size 2',
    requests: [`GET ${OF_ACME}?page%5Bnumber%5D=3&page%5Bsize%5D=2`],
    prints: records(PROVIDERS.slice(4)),
  },
  {
    operation: LIST,
    parameters: ['q', 'filter[registry_name]', 'filter[organization_name]'],
    given: 'all of them',
    ask: { path: `${OF_ACME}?q=in&filter%5Bregistry_name%5D=private&filter%5Borganization_name%5D=acme` },
    answer: {
      status: 200,
      body: toPage(
        `${OF_ACME}?q=in&filter%5Bregistry_name%5D=private&filter%5Borganization_name%5D=acme`,
        providers(PROVIDERS.slice(3)),
      ),
    },
    argv: 'providers list -s in --registry private --owner acme',
    requests: [
      `GET ${OF_ACME}?q=in&filter%5Bregistry_name%5D=private&filter%5Borganization_name%5D=acme&page%5Bsize%5D=100`,
    ],
    prints: records(PROVIDERS.slice(3)),
  },

  toCreateRow(
    'acme, a public one',
    [':organization_name', ...BODY_PARAMETERS],
    { organization: 'acme', registry: 'public', namespace: 'hashicorp', name: 'null' },
    'public/hashicorp/null',
  ),
  toCreateRow(
    'private',
    ['data.attributes.registry-name'],
    { organization: 'acme', registry: 'private', namespace: 'acme', name: 'billing' },
    'private/acme/billing',
  ),
  toCreateRow(
    'globex',
    [':organization_name'],
    { organization: 'globex', registry: 'private', namespace: 'globex', name: 'turbine' },
    'turbine --org globex',
  ),
  toCreateRow(
    'spelled out by options',
    BODY_PARAMETERS,
    { organization: 'acme', registry: 'public', namespace: 'integrations', name: 'gitlab' },
    '--registry public --namespace integrations --name gitlab',
  ),
  toCreateRow(
    'with characters that paths encode',
    ['data.attributes.name', 'data.attributes.namespace'],
    { organization: 'acme', registry: 'public', namespace: 'größe', name: '50%25+?#' },
    'public/größe/50%25+?#',
  ),

  toGetRow('public', 'public/hashicorp/aws', `${OF_ACME}/public/hashicorp/aws`, 'public/hashicorp/aws'),
  toGetRow('private', 'private/acme/inventory', `${OF_ACME}/private/acme/inventory`, 'private/acme/inventory'),
  toGetRow('of globex', 'private/globex/reactor', `${OF_GLOBEX}/private/globex/reactor`, 'reactor --org globex'),

  toDeleteRow('public', 'public/hashicorp/aws', `${OF_ACME}/public/hashicorp/aws`, 'public/hashicorp/aws'),
  toDeleteRow('private', 'private/acme/inventory', `${OF_ACME}/private/acme/inventory`, 'private/acme/inventory'),
  toDeleteRow(
    'of globex',
    'public/hashicorp/google',
    `${OF_GLOBEX}/public/hashicorp/google`,
    '--registry public --namespace hashicorp --name google --org globex',
  ),
];
