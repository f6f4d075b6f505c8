import { FEATURE_SET_FIXTURES } from '../../src/sandbox/fixtures.ts';
import type { Names } from './names.ts';
import type { SentRequest } from './service.ts';

/**
 * What the demo organizations hold, with the ids that `createNames` gives: as the service sends it (documents and
 * resources), and as the json format shows it (records).
 */

export type Json = Record<string, unknown>;

export interface Provider {
  organization: string;
  registry: 'public' | 'private';
  namespace: string;
  name: string;
  id: string;
  createdAt: string;
}

const createDemoProvider =
  (organization: string) =>
  (address: string): Provider => {
    const [registry, namespace = '', name = ''] = address.split('/');
    return {
      organization,
      registry: registry === 'public' ? 'public' : 'private',
      namespace,
      name,
      id: `prov-${namespace}-${name}`,
      createdAt: '2026-10-22T09:00:00.000Z',
    };
  };

/** The providers of acme, in the order of its list. */
export const PROVIDERS: Provider[] = [
  'public/hashicorp/aws',
  'public/hashicorp/random',
  'public/integrations/github',
  'private/acme/internal-dns',
  'private/acme/inventory',
].map(createDemoProvider('acme'));

const GLOBEX = ['public/hashicorp/google', 'private/globex/reactor'];
export const GLOBEX_PROVIDERS: Provider[] = GLOBEX.map(createDemoProvider('globex'));

export function createProvider(provider: Provider): Json {
  const { organization, registry, namespace, name } = provider;
  const address = [registry, namespace, name].map(encodeURIComponent).join('/');
  return {
    id: provider.id,
    type: 'registry-providers',
    attributes: createProviderAttributes(provider),
    relationships: {
      organization: { data: { id: organization, type: 'organizations' } },
      ...(registry === 'private' ? { 'registry-provider-versions': { data: [] } } : {}),
    },
    links: { self: `/api/v2/organizations/${organization}/registry-providers/${address}` },
  };
}

function createProviderAttributes({ registry, namespace, name, createdAt }: Provider): Json {
  return {
    name,
    namespace,
    'registry-name': registry,
    'created-at': createdAt,
    'updated-at': createdAt,
    permissions: { 'can-delete': true },
  };
}

export function flattenProvider(provider: Provider): Json {
  return {
    id: provider.id,
    type: 'registry-providers',
    ...createProviderAttributes(provider),
    organization: { id: provider.organization, type: 'organizations' },
    ...(provider.registry === 'private' ? { 'registry-provider-versions': [] } : {}),
  };
}

const FEATURE_SET_IDS = ['fs-free', 'fs-trial', 'fs-standard', 'fs-standard-2', 'fs-plus', 'fs-premium'];

/** Every feature set, as the global list has it. */
export const FEATURE_SETS: Json[] = FEATURE_SET_FIXTURES.map(({ attributes }, index) => ({
  id: FEATURE_SET_IDS[index],
  type: 'feature-sets',
  attributes,
}));

/** What acme is eligible for; some limits differ from the global list. */
export const ELIGIBLE_FEATURE_SETS: Json[] = FEATURE_SET_FIXTURES.map(({ attributes, eligible }, index) => ({
  id: FEATURE_SET_IDS[index],
  type: 'feature-sets',
  attributes: { ...attributes, ...eligible },
}));

export function flattenFeatureSet({ id, type, attributes }: Json): Json {
  return { id, type, ...(attributes as Json) };
}

/** The whole document of one page of a list. `path` has the other parameters of the request, encoded. */
export function createPage(
  path: string,
  data: Json[],
  {
    number = 1,
    size = 20,
    total = data.length,
    ...more
  }: {
    number?: number;
    size?: number;
    total?: number;
    included?: Json[];
    meta?: Json;
  } = {},
): Json {
  const pages = Math.ceil(total / size);
  const previous = number > 1 && number <= pages ? number - 1 : null;
  const next = number < pages ? number + 1 : null;
  const link = (page: number | null): string | null =>
    page === null
      ? null
      : `http://127.0.0.1:PORT/api/v2${path}${path.includes('?') ? '&' : '?'}page%5Bnumber%5D=${page}&page%5Bsize%5D=${size}`;
  return {
    data,
    ...(more.included === undefined ? {} : { included: more.included }),
    links: {
      self: link(number),
      first: link(1),
      prev: link(previous),
      next: link(next),
      last: link(Math.max(1, pages)),
    },
    meta: {
      ...more.meta,
      pagination: {
        'current-page': number,
        'page-size': size,
        'prev-page': previous,
        'next-page': next,
        'total-pages': pages,
        'total-count': total,
      },
    },
  };
}

/** Requests as lines: method, path below the base URL, and the body if there was one. */
export function formatRequests(requests: SentRequest[], { plain }: Pick<Names, 'plain'>): string[] {
  return requests.map(({ method, path, body }) =>
    plain(`${method} ${path.replace(/^\/api\/v2/, '')}${body === '' ? '' : ` ${body}`}`),
  );
}

/** A result as the json format prints it. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
