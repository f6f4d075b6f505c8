import { ServiceError } from '../lib/errors.ts';
import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { QUIETLY, type ReadOptions } from './memberships.ts';
import { createCall } from './operations.ts';
import { fetchPages, type ListOptions, readAll } from './pagination.ts';
import type { Query, Resource } from './types.ts';

export interface ProviderAddress {
  registry: 'public' | 'private';
  namespace: string;
  name: string;
}

export interface ProviderFilter {
  search?: string | undefined;
  registry?: string | undefined;
  owner?: string | undefined;
}

/** How to list the providers of an organization, for `readPages`. */
export function listProviders(
  client: Client,
  org: string,
  { search, registry, owner }: ProviderFilter,
  options: ReadOptions,
): ListOptions<Resource> {
  const filter: Query = [
    ['q', search],
    ['filter[registry_name]', registry],
    ['filter[organization_name]', owner],
  ];
  const call = createCall('list-providers', { org }, filter);
  return { ...options, what: call.what, fetch: fetchPages(client, call) };
}

export async function readProviders(client: Client, org: string): Promise<Resource[]> {
  return readAll(listProviders(client, org, {}, QUIETLY));
}

export async function showProvider(client: Client, org: string, address: ProviderAddress): Promise<Resource> {
  return readResource(await client.read(createCall('show-provider', { org, ...address }))).data;
}

/** Undefined if the organization doesn't list it, or doesn't show it. */
export async function findProvider(
  client: Client,
  org: string,
  address: ProviderAddress,
): Promise<Resource | undefined> {
  return catchNotFound(showProvider(client, org, address));
}

/** The new provider. Undefined in a dry run. */
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
    look: () => lookForNew(findProvider(client, org, address)),
  });
}

/** True if it was deleted, undefined in a dry run. It was read before: if it is gone after an unclear end, it was deleted. */
export async function deleteProvider(client: Client, org: string, address: ProviderAddress): Promise<true | undefined> {
  return client.write(createCall('delete-provider', { org, ...address }), {
    read: () => true as const,
    look: () => lookForGone(findProvider(client, org, address)),
  });
}

/** Undefined for a 404. */
export async function catchNotFound<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}

/** The look after a creation without a clear answer. */
export async function lookForNew<T>(finding: Promise<T | undefined>): Promise<{ value: T } | false> {
  const value = await finding;
  return value !== undefined && { value };
}

/** The look after a deletion without a clear answer. */
export async function lookForGone(finding: Promise<unknown>): Promise<{ value: true } | false> {
  return (await finding) === undefined && { value: true };
}
