import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { catchNotFound } from './not-found.ts';
import { createCall } from './operations.ts';
import { findCreated, findDeleted } from './outcome.ts';
import { createList, type ListOptions, type ReadOptions, readAll } from './pagination.ts';
import type { Query, Resource } from './types.ts';

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

export function listProviders(
  client: Client,
  org: string,
  { search, registry, owner }: ProviderFilter,
  options?: ReadOptions,
): ListOptions<Resource> {
  const filter: Query = [
    ['q', search],
    ['filter[registry_name]', registry],
    ['filter[organization_name]', owner],
  ];
  return createList(client, createCall('list-providers', { org }, filter), options);
}

export async function readProviders(client: Client, org: string): Promise<Resource[]> {
  return readAll(listProviders(client, org, {}));
}

export async function showProvider(client: Client, org: string, address: ProviderAddress): Promise<Resource> {
  return readResource(await client.read(createCall('show-provider', { org, ...address }))).data;
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
  return client.write(createCall('create-provider', { org }), {
    body: JSON.stringify({ data: { type: 'registry-providers', attributes } }),
    read: (response) => readResource(response).data,
    findOutcome: () => findCreated(findProvider(client, org, address)),
  });
}

/** True if the provider was deleted, undefined in a dry run. The caller has read the provider before. */
export async function deleteProvider(client: Client, org: string, address: ProviderAddress): Promise<true | undefined> {
  return client.write(createCall('delete-provider', { org, ...address }), {
    read: () => true as const,
    findOutcome: () => findDeleted(findProvider(client, org, address)),
  });
}
