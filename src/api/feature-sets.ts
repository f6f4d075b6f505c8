import type { Client } from './client.ts';
import { createCall } from './operations.ts';
import { createList, type ListOptions, type ReadOptions, readAll } from './pagination.ts';
import type { Resource } from './types.ts';

/** The feature sets of the service, or those that an organization may choose. */
export function listFeatureSets(client: Client, org: string | undefined, options?: ReadOptions): ListOptions<Resource> {
  const call =
    org === undefined ? createCall('list-feature-sets') : createCall('list-organization-feature-sets', { org });
  // The document says that the list is whole if no page is asked for.
  return { ...createList(client, call, options), isPaginated: false };
}

export async function readFeatureSets(client: Client, org: string | undefined): Promise<Resource[]> {
  return readAll(listFeatureSets(client, org));
}
