import { ServiceError } from '../errors.ts';
import { findOrganization } from '../resources/organization.ts';
import type { Membership, Team, User } from '../wire/resources.ts';
import { type Client, readResource } from './client.ts';
import type { Include } from './include.ts';
import { createResourceList } from './lists.ts';
import type { PageOptions } from './page.ts';
import type { ListReading } from './pages.ts';
import { prepareTeamChange, type TeamChange, type TeamMember } from './team-change.ts';

/** Teams and who is in them. Outside the document, which refers to their API, so Assumed throughout. */
export function createTeams(client: Client, warn: (text: string) => void) {
  const show = async (id: string): Promise<Team> =>
    readResource(await client.read({ operation: 'show-team', parameters: { id } })).data;
  return {
    list(organization: string, page: PageOptions): ListReading<Team> {
      const call = { operation: 'list-teams', parameters: { organization } } as const;
      return createResourceList(client, call, { paginate: true, page, warn });
    },
    show,
    /** The name of the organization that a team is of; undefined where the service does not say. */
    findOrganization: async (id: string): Promise<string | undefined> => findOrganization(await show(id)),
    /** Memberships, also of people who have not accepted yet. */
    listMembers({ id, name = id }: TeamReference, include: Include, page: PageOptions): ListReading<Membership> {
      const call = { operation: 'list-team-members', parameters: { id, team: name } } as const;
      return createResourceList(client, call, { paginate: true, include, page, warn });
    },
    /** The users of those who are in a team, as far as the service sends them along with it. */
    async listUsers(id: string): Promise<readonly User[]> {
      try {
        const query = [['include', 'users']] as const;
        return readResource(await client.read({ operation: 'show-team', parameters: { id }, query })).included ?? [];
      } catch (error) {
        if (error instanceof ServiceError) return [];
        throw error;
      }
    },
    /**
     * Adds memberships to a team, or takes them out, many with one request. Sends nothing by itself: the request that a
     * membership is in leaves when it is first asked for.
     */
    prepareChange: (change: TeamChange, members: readonly TeamMember[]) => prepareTeamChange(client, change, members),
  };
}

interface TeamReference {
  readonly id: string;
  readonly name?: string | undefined;
}
