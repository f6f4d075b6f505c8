import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { catchNotFound } from './not-found.ts';
import { createCall, type Operation, ORG, operation } from './operations.ts';
import { findCreated, findDeleted } from './outcome.ts';
import { createList, type List } from './pagination.ts';
import type { Query, Resource } from './types.ts';

const PROVIDERS = `${ORG}/registry-providers`;
export const PROVIDER = `${PROVIDERS}/:registry/:namespace/:name`;
export const CAN_MANAGE_PROVIDERS = 'Owners, the owners team token and people with Manage Private Registry can.';
const NO_CURATION: Operation['refusals'] = {
  403: { code: 'forbidden', message: 'public provider curation is disabled in :org' },
};
const LIST_PROVIDERS = operation('GET', PROVIDERS, 'list the providers of :org', { isDocumented: true });
const SHOW_PROVIDER = operation('GET', PROVIDER, 'show :registry/:namespace/:name of :org', {
  isDocumented: true,
  refusals: NO_CURATION,
});
const CREATE_PROVIDER = operation('POST', PROVIDERS, 'add providers to :org', {
  isDocumented: true,
  who: CAN_MANAGE_PROVIDERS,
  refusals: NO_CURATION,
});
const DELETE_PROVIDER = operation('DELETE', PROVIDER, 'delete :registry/:namespace/:name from :org', {
  isDocumented: true,
  who: CAN_MANAGE_PROVIDERS,
  refusals: NO_CURATION,
});

export interface ProviderAddress {
  registry: 'public' | 'private';
  namespace: string;
  name: string;
}

export interface ProviderFilter {
  search?: string;
  registry?: string;
  owner?: string;
}

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

/** Undefined for a 404. */
export function findProvider(client: Client, org: string, address: ProviderAddress): Promise<Resource | undefined> {
  return catchNotFound(showProvider(client, org, address));
}

/** Undefined in a dry run. */
export async function createProvider(
  client: Client,
  org: string,
  address: ProviderAddress,
): Promise<Resource | undefined> {
  const { registry, namespace, name } = address;
  const attributes = { name, namespace, 'registry-name': registry };
  return client.write(createCall(CREATE_PROVIDER, { org }), {
    body: JSON.stringify({ data: { type: 'registry-providers', attributes } }),
    read: (response) => readResource(response).data,
    findOutcome: () => findCreated(findProvider(client, org, address)),
  });
}

/** True if the provider was deleted, undefined in a dry run. The caller has read the provider before. */
export async function deleteProvider(client: Client, org: string, address: ProviderAddress): Promise<true | undefined> {
  return client.write(createCall(DELETE_PROVIDER, { org, ...address }), {
    read: () => true as const,
    findOutcome: () => findDeleted(findProvider(client, org, address)),
  });
}
