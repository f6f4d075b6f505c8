import type { Client } from './client.ts';
import { createResourceList } from './lists.ts';
import type { PageOptions } from './page.ts';
import type { ListReading } from './pages.ts';

/** Feature sets (document: Endpoints, Feature sets). Without page parameters the service answers with all of them. */
export interface FeatureSets {
  list(page: PageOptions): ListReading;
  listEligible(organization: string, page: PageOptions): ListReading;
}

export function createFeatureSets(client: Client, warn: (text: string) => void): FeatureSets {
  return {
    list: (page) => createResourceList(client, { operation: 'list-feature-sets' }, { paginate: false, page, warn }),
    listEligible: (organization, page) =>
      createResourceList(
        client,
        { operation: 'list-organization-feature-sets', parameters: { organization } },
        { paginate: false, page, warn },
      ),
  };
}
