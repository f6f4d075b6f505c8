import { ServiceError } from '../lib/errors.ts';
import type { Client } from './client.ts';
import type { Include } from './include.ts';
import { findMember } from './memberships.ts';
import { catchNotFound } from './not-found.ts';
import { createCall } from './operations.ts';
import { createList, type ListOptions, type ReadOptions, readAll } from './pagination.ts';
import type { Resource } from './types.ts';

// Teams are outside the document. Their routes are those of go-tfe and the public documentation (facts).

/** A team, for messages and requests. */
export interface TeamReference {
  id: string;
  name: string;
}

export function listTeams(client: Client, org: string, options?: ReadOptions): ListOptions<Resource> {
  return createList(client, createCall('list-teams', { org }), options);
}

/** Undefined if the service lists no teams. */
export function readTeams(client: Client, org: string): Promise<Resource[] | undefined> {
  return catchNotFound(readAll(listTeams(client, org)));
}

/** Lists memberships, also of people who have not accepted their invitation yet. */
export function listTeamMembers(
  client: Client,
  org: string,
  { id, name }: TeamReference,
  include: Include,
  options?: ReadOptions,
): ListOptions<Resource> {
  return createList(client, createCall('list-team-members', { id, team: name, org }), options, include);
}

/** True if the team changed, false if there was nothing to change, undefined in a dry run. */
export async function changeTeamMember(
  client: Client,
  change: 'add' | 'remove',
  team: TeamReference,
  { id, person, org }: { id: string; person: string; org: string },
): Promise<boolean | undefined> {
  /** Undefined if the service doesn't show the teams of the membership. */
  async function isDone(): Promise<boolean | undefined> {
    const teams = (await findMember(client, id))?.data.relationships?.teams?.data;
    return Array.isArray(teams) ? teams.some((member) => member.id === team.id) === (change === 'add') : undefined;
  }
  const params = { id: team.id, team: team.name, person, org };
  try {
    return await client.write<boolean>(createCall(`${change}-team-member`, params), {
      body: JSON.stringify({ data: [{ id, type: 'organization-memberships' }] }),
      read: () => true,
      async findOutcome() {
        const value = await isDone();
        return value && { value };
      },
      isRepeatable: true,
    });
  } catch (error) {
    // Someone else may have done it already, which the service answers with 400 (facts).
    if (error instanceof ServiceError && error.status === 400 && (await isDone())) return false;
    throw error;
  }
}
