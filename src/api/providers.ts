import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { catchNotFound } from './not-found.ts';
import { createCall, DOCUMENTED, ORG, operation } from './operations.ts';
import { createList, type List } from './pagination.ts';
import type { Query, Resource } from './types.ts';
import { createResource, deleteResource } from './writes.ts';

const PROVIDERS = `${ORG}/registry-providers`;
export const PROVIDER = `${PROVIDERS}/:registry/:namespace/:name`;
export const CAN_MANAGE_PROVIDERS = 'Owners, the owners team token and people with Manage Private Registry can.';
const ONE = {
  ...DOCUMENTED,
  refusals: { 403: { code: 'forbidden', message: 'public provider curation is disabled in :org' } },
} as const;
const MANAGED = { ...ONE, who: CAN_MANAGE_PROVIDERS };
const LIST_PROVIDERS = operation('GET', PROVIDERS, 'list the providers of :org', DOCUMENTED);
const SHOW_PROVIDER = operation('GET', PROVIDER, 'show :registry/:namespace/:name of :org', ONE);
const CREATE_PROVIDER = operation('POST', PROVIDERS, 'add providers to :org', MANAGED);
const DELETE_PROVIDER = operation('DELETE', PROVIDER, 'delete :registry/:namespace/:name from :org', MANAGED);

export interface ProviderAddress {
  registry: 'public' | 'private';
  namespace: string;
  name: string;
}

type ProviderFilter = Partial<Record<'search' | 'registry' | 'owner', string>>;

export function listProviders(client: Client, org: string, { search, registry, owner }: ProviderFilter): List {
  const filter: Query = [
    ['q', search],
    ['filter[registry_name]', registry],
    ['filter[organization_name]', owner],
  ];
  return createList(client, createCall(LIST_PROVIDERS, { org }, filter));
}

export async function showProvider(client: Client, org: string, address: ProviderAddress): Promise<Resource> {
  return readResource(await client.read(createCall(SHOW_PROVIDER, { org, ...address }))).data;
}

export function findProvider(client: Client, org: string, address: ProviderAddress): Promise<Resource | undefined> {
  return catchNotFound(showProvider(client, org, address));
}

export async function createProvider(client: Client, org: string, address: ProviderAddress) {
  const { registry, namespace, name } = address;
  const attributes = { name, namespace, 'registry-name': registry };
  const data = { type: 'registry-providers', attributes };
  const call = createCall(CREATE_PROVIDER, { org });
  return createResource(client, call, data, () => findProvider(client, org, address));
}

/** True if the provider was deleted, undefined in a dry run. The caller has read the provider before. */
export async function deleteProvider(client: Client, org: string, address: ProviderAddress): Promise<true | undefined> {
  const call = createCall(DELETE_PROVIDER, { org, ...address });
  return deleteResource(client, call, () => findProvider(client, org, address));
}
