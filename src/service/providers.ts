import type { ResourceDocument } from '../wire/json-api.ts';
import { type CreateProviderRequest, REGISTRY_PROVIDERS, type RegistryName } from '../wire/resources.ts';
import { findRemoval, orUndefined } from './ambiguous-write.ts';
import { type Client, readNothing, readResource } from './client.ts';
import { createResourceList } from './lists.ts';
import type { PageOptions } from './page.ts';
import type { ListReading } from './pages.ts';

/** Providers of an organization's private registry (document: Endpoints, Registry providers). */
export interface Providers {
  list(organization: string, filter: ProviderFilter, page: PageOptions): ListReading;
  /** `intent` is what the reading is for: a refusal is explained as one of that. */
  get(organization: string, address: ProviderAddress, intent?: ReadIntent): Promise<ResourceDocument>;
  /** Undefined on 404, whatever that means there. */
  find(organization: string, address: ProviderAddress, intent?: ReadIntent): Promise<ResourceDocument | undefined>;
  create(organization: string, address: ProviderAddress): Promise<ResourceDocument | undefined>;
  /** The caller has read this provider just before. False in a dry run. */
  delete(organization: string, address: ProviderAddress): Promise<boolean>;
}

type ReadIntent = 'get' | 'create' | 'delete';

interface ProviderFilter {
  readonly search?: string | undefined;
  readonly registryName?: string | undefined;
  readonly organizationName?: string | undefined;
}

export interface ProviderAddress {
  readonly registryName: RegistryName;
  readonly namespace: string;
  readonly name: string;
}

export function toAddressText(address: ProviderAddress): string {
  return `${address.registryName}/${address.namespace}/${address.name}`;
}

export function createProviders(client: Client, warn: (text: string) => void): Providers {
  const get: Providers['get'] = async (organization, address, intent = 'get') => {
    const operation = intent === 'create' ? 'find-provider' : (`${intent}-provider` as const);
    return readResource(await client.read({ operation, parameters: { organization, ...address } }));
  };
  const find: Providers['find'] = (organization, address, intent) => orUndefined(get(organization, address, intent));
  return {
    get,
    find,
    list: (organization, filter, page) =>
      createResourceList(
        client,
        {
          operation: 'list-providers',
          parameters: { organization },
          query: [
            ['q', filter.search],
            ['filter[registry_name]', filter.registryName],
            ['filter[organization_name]', filter.organizationName],
          ],
        },
        { paginate: true, page, warn },
      ),
    async create(organization, address) {
      const body: CreateProviderRequest = {
        data: {
          type: REGISTRY_PROVIDERS,
          attributes: { name: address.name, namespace: address.namespace, 'registry-name': address.registryName },
        },
      };
      const written = await client.write({
        operation: 'create-provider',
        parameters: { organization, ...address },
        body,
        read: readResource,
        async findOutcome() {
          const found = await find(organization, address);
          return found === undefined ? { happened: false } : { happened: true, value: found };
        },
      });
      return written?.value;
    },
    async delete(organization, address) {
      const written = await client.write({
        operation: 'delete-provider',
        parameters: { organization, ...address },
        read: readNothing,
        findOutcome: () => findRemoval(() => get(organization, address)),
      });
      return written !== undefined;
    },
  };
}
