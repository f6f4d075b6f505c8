import {
  createPage,
  createProvider,
  flattenProvider,
  GLOBEX_PROVIDERS,
  type Json,
  PROVIDERS,
  type Provider,
} from '../../support/demo.ts';
import { createPageRows, type Row } from './row.ts';

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

const providers = (some: Provider[]): Json[] => some.map(createProvider);
const records = (some: Provider[]): Json[] => some.map(toRecord);

function toAddress({ registry, namespace, name }: Provider): string {
  return `${registry}/${namespace}/${name}`;
}

function toRecord(provider: Provider): Json {
  return { ...flattenProvider(provider), address: toAddress(provider) };
}

function find(address: string): Provider {
  const found = [...PROVIDERS, ...GLOBEX_PROVIDERS].find((provider) => toAddress(provider) === address);
  if (found === undefined) throw new Error(`the demo has no provider ${address}`);
  return found;
}

/** A filter of the list; what the command adds comes after it. */
function toListRow(parameter: string, given: string, value: string, found: Provider[], options: string): Row {
  const path = `${OF_ACME}?${encodeURIComponent(parameter)}=${value}`;
  return {
    operation: LIST,
    parameters: [parameter],
    given,
    ask: { path },
    answer: { status: 200, body: createPage(path, providers(found)) },
    argv: `providers list ${options}`,
    requests: [`GET ${path}&page%5Bsize%5D=100`],
    prints: records(found),
  };
}

/** A new provider, after the command has read what is there already. */
function toCreateRow(given: string, parameters: string[], made: string, argv: string): Row {
  const [organization = '', registry, namespace = '', name = ''] = made.split('/');
  const path = `/organizations/${organization}/registry-providers`;
  const provider: Provider = {
    organization,
    registry: registry === 'private' ? 'private' : 'public',
    namespace,
    name,
    id: 'prov-1',
    createdAt: '2026-11-21T09:00:00.000Z',
  };
  const body = {
    data: { type: 'registry-providers', attributes: { name, namespace, 'registry-name': registry } },
  };
  const { id, type, organization: owner, ...rest } = toRecord(provider);
  return {
    operation: CREATE,
    parameters,
    given,
    ask: { path, body },
    answer: { status: 201, body: { data: createProvider(provider) } },
    argv: `providers create ${argv}`,
    requests: [`GET ${path}?page%5Bsize%5D=100`, `POST ${path} ${JSON.stringify(body)}`],
    prints: [{ id, type, address: rest['address'], organization: owner, changed: true, ...rest, result: 'created' }],
  };
}

/** Of a private one its versions are read too, outside the document, and whether Terraform can install it is said. */
function toGetRow(given: string, address: string, list: string, argv: string): Row {
  const path = `${list}/${address}`;
  const isPrivate = address.startsWith('private/');
  return {
    operation: GET,
    parameters: ADDRESS_PARAMETERS,
    given,
    ask: { path },
    answer: { status: 200, body: { data: createProvider(find(address)) } },
    argv: `providers get ${argv}`,
    requests: [`GET ${path}`, ...(isPrivate ? [`GET ${path}/versions?page%5Bsize%5D=100`] : [])],
    prints: {
      ...toRecord(find(address)),
      ...(isPrivate ? { ready: false, missing: ['version'] } : {}),
    },
  };
}

function toDeleteRow(given: string, address: string, list: string, argv: string): Row {
  const path = `${list}/${address}`;
  return {
    operation: DELETE,
    parameters: ADDRESS_PARAMETERS,
    given,
    ask: { path },
    answer: { status: 204 },
    argv: `providers delete ${argv} --yes`,
    requests: [`GET ${list}?page%5Bsize%5D=100`, `DELETE ${path}`],
    prints: [
      {
        id: find(address).id,
        type: 'registry-providers',
        address,
        organization: { id: list.split('/')[2], type: 'organizations' },
        changed: true,
        result: 'deleted',
      },
    ],
  };
}

const FILTERED = `${OF_ACME}?q=in&filter%5Bregistry_name%5D=private&filter%5Borganization_name%5D=acme`;

export const PROVIDER_ROWS: Row[] = [
  ...(
    [
      ['acme', OF_ACME, PROVIDERS],
      ['globex', OF_GLOBEX, GLOBEX_PROVIDERS],
    ] as const
  ).map(([given, path, some]) => ({
    operation: LIST,
    parameters: [':organization_name'],
    given,
    ask: { path },
    answer: { status: 200, body: createPage(path, providers(some)) },
    argv: `providers list --org ${given}`,
    requests: [`GET ${path}?page%5Bsize%5D=100`],
    prints: records(some),
  })),
  toListRow('q', 'part of a name', 'in', PROVIDERS.slice(2), '--search in'),
  toListRow('q', 'part of a namespace', 'corp', PROVIDERS.slice(0, 2), '-s corp'),
  toListRow('filter[registry_name]', 'public', 'public', PROVIDERS.slice(0, 3), '--registry public'),
  toListRow('filter[registry_name]', 'private', 'private', PROVIDERS.slice(3), '--registry private'),
  toListRow('filter[organization_name]', 'the organization itself', 'acme', PROVIDERS, '--owner acme'),
  toListRow('filter[organization_name]', 'another organization', 'globex', [], '--owner globex'),
  ...createPageRows({
    operation: LIST,
    path: OF_ACME,
    argv: 'providers list',
    data: providers(PROVIDERS),
    records: records(PROVIDERS),
  }),
  {
    operation: LIST,
    parameters: ['q', 'filter[registry_name]', 'filter[organization_name]'],
    given: 'all of them',
    ask: { path: FILTERED },
    answer: { status: 200, body: createPage(FILTERED, providers(PROVIDERS.slice(3))) },
    argv: 'providers list -s in --registry private --owner acme',
    requests: [`GET ${FILTERED}&page%5Bsize%5D=100`],
    prints: records(PROVIDERS.slice(3)),
  },

  toCreateRow(
    'acme, a public one',
    [':organization_name', ...BODY_PARAMETERS],
    'acme/public/hashicorp/null',
    'public/hashicorp/null',
  ),
  toCreateRow('private', ['data.attributes.registry-name'], 'acme/private/acme/billing', 'private/acme/billing'),
  toCreateRow('globex', [':organization_name'], 'globex/private/globex/turbine', 'turbine --org globex'),
  toCreateRow('of another namespace', BODY_PARAMETERS, 'acme/public/integrations/gitlab', 'public/integrations/gitlab'),
  toCreateRow(
    'with characters that paths encode',
    ['data.attributes.name', 'data.attributes.namespace'],
    'acme/public/größe/50%25+?#',
    'public/größe/50%25+?#',
  ),

  toGetRow('public', 'public/hashicorp/aws', OF_ACME, 'public/hashicorp/aws'),
  toGetRow('private', 'private/acme/inventory', OF_ACME, 'private/acme/inventory'),
  toGetRow('of globex', 'private/globex/reactor', OF_GLOBEX, 'reactor --org globex'),

  toDeleteRow('public', 'public/hashicorp/aws', OF_ACME, 'public/hashicorp/aws'),
  toDeleteRow('private', 'private/acme/inventory', OF_ACME, 'private/acme/inventory'),
  toDeleteRow('of globex', 'public/hashicorp/google', OF_GLOBEX, 'public/hashicorp/google --org globex'),
];
