import type { Client } from '../api/client.ts';
import { type ProviderAddress, readProviders } from '../api/providers.ts';
import { formatAddress } from './address.ts';

/** The ids of the providers that an organization lists, by address. */
export interface ListedProviders {
  /** Undefined if it is not listed. */
  find(address: ProviderAddress): string | undefined;
}

export async function readListed(client: Client, org: string): Promise<ListedProviders> {
  const ids = new Map(
    (await readProviders(client, org)).map(({ id, attributes = {} }) => {
      const { 'registry-name': registry, namespace, name } = attributes;
      return [`${registry}/${namespace}/${name}`.toLowerCase(), id];
    }),
  );
  // Registries fold the case of addresses.
  return { find: (address) => ids.get(formatAddress(address).toLowerCase()) };
}
