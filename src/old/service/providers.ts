import { orUndefined } from '../errors.ts';
import type { ProviderAddress } from '../resources/provider-address.ts';
import type { ResourceDocument } from '../wire/json-api.ts';
import { type Provider, REGISTRY_PROVIDERS } from '../wire/resources.ts';
import { findCreation, findRemoval } from './ambiguous-write.ts';
import { type Client, readNothing, readResource } from './client.ts';
import { createResourceList } from './lists.ts';
import type { PageOptions } from './page.ts';
import type { ListReading } from './pages.ts';

type ReadIntent = 'get' | 'create' | 'delete';

interface ProviderFilter {
  readonly search?: string | undefined;
  readonly registryName?: string | undefined;
  readonly organizationName?: string | undefined;
}

/** Providers of an organization's private registry (document: Endpoints, Registry providers). */
export function createProviders(client: Client, warn: (text: string) => void) {
  /** `intent` is what the reading is for: a refusal is explained as one of that. */
  const get = async (organization: string, address: ProviderAddress, intent: ReadIntent = 'get') => {
    const operation = intent === 'create' ? 'find-provider' : (`${intent}-provider` as const);
    return readResource(await client.read({ operation, parameters: { organization, ...address } }));
  };
  /** Undefined on 404, whatever that means there. */
  const find = (organization: string, address: ProviderAddress, intent?: ReadIntent) =>
    orUndefined(get(organization, address, intent));
  return {
    get,
    find,
    list(organization: string, filter: ProviderFilter, page: PageOptions): ListReading<Provider> {
      const query = [
        ['q', filter.search],
        ['filter[registry_name]', filter.registryName],
        ['filter[organization_name]', filter.organizationName],
      ] as const;
      const call = { operation: 'list-providers', parameters: { organization }, query } as const;
      return createResourceList(client, call, { paginate: true, page, warn });
    },
    /** Undefined in a dry run. */
    async create(organization: string, address: ProviderAddress): Promise<ResourceDocument | undefined> {
      const { registryName, namespace, name } = address;
      const attributes = { name, namespace, 'registry-name': registryName };
      const written = await client.write({
        operation: 'create-provider',
        parameters: { organization, ...address },
        body: { data: { type: REGISTRY_PROVIDERS, attributes } },
        read: readResource,
        findOutcome: () => findCreation(() => find(organization, address)),
      });
      return written?.value;
    },
    /** The caller has read this provider just before. False in a dry run. */
    async delete(organization: string, address: ProviderAddress): Promise<boolean> {
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
