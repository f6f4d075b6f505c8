import type { Client } from './client.ts';
import { createResourceList } from './lists.ts';
import type { PageOptions } from './page.ts';
import type { ListReading } from './pages.ts';

/** The name of the team whose members own the organization. */
export const OWNERS_TEAM = 'owners';

/** Teams, so that their names can stand for their ids. Outside the document, so Assumed throughout. */
export interface Teams {
  list(organization: string, page: PageOptions): ListReading;
}

export function createTeams(client: Client, warn: (text: string) => void): Teams {
  return {
    list: (organization, page) =>
      createResourceList(
        client,
        { operation: 'list-teams', parameters: { organization } },
        { paginate: true, page, warn },
      ),
  };
}
