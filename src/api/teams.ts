import { ServiceError } from '../lib/errors.ts';
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
  org: string,
  { id, name }: TeamReference,
  include: Include,
  options: ReadOptions,
): ListOptions<Resource> {
  const call = createCall('list-team-members', { id, team: name, org });
  return { ...options, what: call.what, fetch: withInclude(fetchPages(client, call), include) };
}

/** Puts a membership into a team, or takes it out. True if it did, false if it was so already, undefined in a dry run. */
export async function changeTeamMember(
  client: Client,
  change: 'add' | 'remove',
  team: TeamReference,
  { id, person, org }: { id: string; person: string; org: string },
): Promise<boolean | undefined> {
  /** Undefined if the service doesn't show it. */
  async function isDone(): Promise<boolean | undefined> {
    const teams = (await findMember(client, id))?.data.relationships?.teams?.data;
    return Array.isArray(teams) ? teams.some((one) => one.id === team.id) === (change === 'add') : undefined;
  }
  const params = { id: team.id, team: team.name, person, org };
  try {
    return await client.write<boolean>(createCall(`${change}-team-member`, params), {
      body: JSON.stringify({ data: [{ id, type: 'organization-memberships' }] }),
      read: () => true,
      async look() {
        const value = await isDone();
        return value && { value };
      },
    });
  } catch (error) {
    // Someone else may have done it meanwhile, which the service answers with 400 (facts).
    if (error instanceof ServiceError && error.status === 400 && (await isDone())) return false;
    throw error;
  }
}
