import { type Client, readResource } from './client.ts';
import { createResourceList } from './lists.ts';
import type { PageOptions } from './page.ts';
import type { ListReading } from './pages.ts';

/** The name of the team whose members own the organization. */
export const OWNERS_TEAM = 'owners';

export type Teams = ReturnType<typeof createTeams>;

/** Teams, so that their names can stand for their ids. Outside the document, so Assumed throughout. */
export function createTeams(client: Client, warn: (text: string) => void) {
  return {
    list(organization: string, page: PageOptions): ListReading {
      const call = { operation: 'list-teams', parameters: { organization } } as const;
      return createResourceList(client, call, { paginate: true, page, warn });
    },
    /** The name of the organization that a team is of; undefined where the service does not say. */
    async findOrganization(id: string): Promise<string | undefined> {
      const { data } = readResource(await client.read({ operation: 'show-team', parameters: { id } }));
      const organization = data.relationships?.['organization']?.data;
      return organization !== null && organization !== undefined && 'id' in organization ? organization.id : undefined;
    },
  };
}
