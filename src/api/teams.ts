import { ServiceError } from '../lib/errors.ts';
import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { isRefusedInclude } from './include.ts';
import { findMember } from './memberships.ts';
import { catchNotFound, isRefused } from './not-found.ts';
import { createCall } from './operations.ts';
import { createList, type ListOptions, type Page, type ReadOptions, readAll, readPages } from './pagination.ts';
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

/** Yields memberships with their users, also of people who have not accepted their invitation yet. */
export async function* readTeamMembers(
  client: Client,
  org: string,
  { id, name }: TeamReference,
  options: ReadOptions = {},
): AsyncGenerator<Page> {
  const params = { id, team: name, org };
  const isWhole = options.page === undefined && options.pageSize === undefined;
  const found = isWhole ? await findTeamMembers(client, params) : undefined;
  // A service may ignore the include, and its list may ignore it too (facts).
  if (found) yield found;
  else yield* readPages(createList(client, createCall('list-team-members', params), options, { own: ['user'] }));
}

/** Undefined if the service doesn't show the team with its members. */
async function findTeamMembers(client: Client, params: { id: string; team: string; org: string }) {
  const call = createCall('show-team', params, [['include', 'users,organization-memberships']]);
  const reading = client.read(call).then(readResource);
  const team = await catchNotFound(reading, (error) => isRefused(error) || isRefusedInclude(error));
  const listed = team?.data.relationships?.['organization-memberships']?.data;
  if (!team || !Array.isArray(listed)) return undefined;
  const ids = new Set(listed.map((membership) => membership.id));
  const included = team.included ?? [];
  const items = included.filter(({ id, type }) => type === 'organization-memberships' && ids.has(id));
  return items.length === ids.size ? { items, included, total: undefined } : undefined;
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
