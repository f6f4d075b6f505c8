import type { Client } from './client.ts';
import { createCall } from './operations.ts';
import { fetchPages, type ListOptions, type PageOptions, readAll } from './pagination.ts';
import type { Resource } from './types.ts';

/** How to list the feature sets of the service, or those that an organization may choose, for `readPages`. */
export function listFeatureSets(
  client: Client,
  org: string | undefined,
  options: PageOptions & Pick<ListOptions<Resource>, 'mode' | 'warn'>,
): ListOptions<Resource> {
  const call =
    org === undefined ? createCall('list-feature-sets') : createCall('list-organization-feature-sets', { org });
  // By the document the list is whole if no page is asked for.
  return { ...options, what: call.what, fetch: fetchPages(client, call), isPaginated: false };
}

export async function readFeatureSets(client: Client, org: string | undefined): Promise<Resource[]> {
  return readAll(listFeatureSets(client, org, { mode: 'buffer', warn: () => undefined }));
}
