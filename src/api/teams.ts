import type { Client } from './client.ts';
import { type Include, withInclude } from './include.ts';
import { findMember, isMissing, QUIETLY, type ReadOptions } from './memberships.ts';
import { createCall } from './operations.ts';
import { fetchPages, type ListOptions, readAll } from './pagination.ts';
import type { Resource } from './types.ts';

// Teams are outside the document. Their routes are those of go-tfe and the public documentation (facts).

/** A team in the words of messages and requests. */
export interface TeamReference {
  id: string;
  name: string;
}

export function listTeams(client: Client, org: string, options: ReadOptions): ListOptions<Resource> {
  const call = createCall('list-teams', { org });
  return { ...options, what: call.what, fetch: fetchPages(client, call) };
}

/** Undefined if the service lists no teams. */
export async function readTeams(client: Client, org: string): Promise<Resource[] | undefined> {
  try {
    return await readAll(listTeams(client, org, QUIETLY));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Memberships, also of people who have not accepted yet. */
export function listTeamMembers(
  client: Client,
  { id, name }: TeamReference,
  include: Include,
  options: ReadOptions,
): ListOptions<Resource> {
  const call = createCall('list-team-members', { id, team: name });
  return { ...options, what: call.what, fetch: withInclude(fetchPages(client, call), include) };
}

/** Puts a membership into a team, or takes it out. True if it did, undefined in a dry run. */
export async function changeTeamMember(
  client: Client,
  change: 'add' | 'remove',
  team: TeamReference,
  { id, person }: { id: string; person: string },
): Promise<true | undefined> {
  const params = { id: team.id, team: team.name, person };
  return client.write(createCall(`${change}-team-member`, params), {
    body: JSON.stringify({ data: [{ id, type: 'organization-memberships' }] }),
    read: () => true as const,
    async look() {
      const found = await findMember(client, id);
      const teams = found?.data.relationships?.teams?.data;
      // Someone who left the organization is in no team of it.
      const isIn = found ? (Array.isArray(teams) ? teams.some((one) => one.id === team.id) : undefined) : false;
      return isIn === undefined ? undefined : isIn === (change === 'add') && { value: true as const };
    },
  });
}
