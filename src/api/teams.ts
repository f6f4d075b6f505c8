import { ServiceError } from '../lib/errors.ts';
import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { isRefusedInclude } from './include.ts';
import { CAN_MANAGE_MEMBERS, findMember } from './memberships.ts';
import { catchNotFound, isRefused } from './not-found.ts';
import { createCall, ORG, operation } from './operations.ts';
import { createList, createListOf, type List, type Page } from './pagination.ts';
import type { Resource } from './types.ts';

// Teams are outside the document. Their routes are those of go-tfe and the public documentation (facts).

const TEAM_MEMBERS = '/teams/:id/relationships/organization-memberships';
const LIST_TEAMS = operation('GET', `${ORG}/teams`, 'list the teams of :org');
const SHOW_TEAM = operation('GET', '/teams/:id', 'show team :team');
const LIST_TEAM_MEMBERS = operation('GET', TEAM_MEMBERS, 'list the members of team :team');
const CHANGE_TEAM_MEMBER = {
  add: operation('POST', TEAM_MEMBERS, 'add :person to :team', { who: CAN_MANAGE_MEMBERS }),
  remove: operation('DELETE', TEAM_MEMBERS, 'remove :person from :team', { who: CAN_MANAGE_MEMBERS }),
};

/** A team, for messages and requests. */
export interface TeamReference {
  id: string;
  name: string;
}

export function listTeams(client: Client, org: string): List {
  return createList(client, createCall(LIST_TEAMS, { org }));
}

/** Undefined if the service lists no teams. */
export function readTeams(client: Client, org: string): Promise<Resource[] | undefined> {
  return catchNotFound(listTeams(client, org).all());
}

/** The memberships with their users, also of people who have not accepted their invitation yet. */
export function listTeamMembers(client: Client, org: string, { id, name }: TeamReference): List {
  const params = { id, team: name, org };
  const list = createList(client, createCall(LIST_TEAM_MEMBERS, params), { include: { own: ['user'] } });
  return createListOf(async function* (options) {
    const isWhole = options?.page === undefined && options?.pageSize === undefined;
    const found = isWhole ? await findTeamMembers(client, params) : undefined;
    // A service may ignore the include, and its list may ignore it too (facts).
    if (found) yield found;
    else yield* list.pages(options);
  });
}

/** Undefined if the service doesn't show the team with its members. */
async function findTeamMembers(
  client: Client,
  params: { id: string; team: string; org: string },
): Promise<Page | undefined> {
  const call = createCall(SHOW_TEAM, params, [['include', 'users,organization-memberships']]);
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
    return await client.write<boolean>(createCall(CHANGE_TEAM_MEMBER[change], params), {
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
