import type { Client } from '../api/client.ts';
import { flatten } from '../api/flatten.ts';
import { listProviders, type ProviderAddress } from '../api/providers.ts';
import { addAddress, formatAddress } from './address.ts';

/** Returns the id of a provider. Undefined if the organization does not list it. */
export type FindListed = (address: ProviderAddress) => string | undefined;

export async function readListed(client: Client, org: string): Promise<FindListed> {
  const ids = new Map(
    (await listProviders(client, org, {}).all()).map((provider) => [
      String(addAddress(flatten(provider)).address).toLowerCase(),
      provider.id,
    ]),
  );
  // Registries ignore the case of addresses.
  return (address) => ids.get(formatAddress(address).toLowerCase());
}
