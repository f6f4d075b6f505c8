import { OrgctlError, ServiceError } from '../lib/errors.ts';
import { isObject, type JsonObject, parseJson } from '../lib/json.ts';
import { isSameName } from '../lib/text.ts';
import type { Client } from './client.ts';
import { isResource, readResource } from './error-document.ts';
import { isRefusedInclude } from './include.ts';
import { CAN_MANAGE_MEMBERS, type MemberReference } from './memberships.ts';
import { catchNotFound, isNotFound, isRefused } from './not-found.ts';
import { type Call, createCall, ORG, operation } from './operations.ts';
import { createList, createListOf, type List } from './pagination.ts';
import type { Resource } from './types.ts';
import { deleteResource, type IsDone, updateResource } from './writes.ts';

// Teams are outside the document. Their routes are those of go-tfe and the public documentation (facts).

const CAN_MANAGE_TEAMS = 'Owners, the organization token and people who manage teams can.';
const TEAM_MEMBERS = '/teams/:id/relationships/organization-memberships';
const LIST_TEAMS = operation('GET', `${ORG}/teams`, 'list the teams of :org');
const SHOW_TEAM = operation('GET', '/teams/:id', 'show team :team');
const CREATE_TEAM = operation('POST', `${ORG}/teams`, 'create team :team in :org', { who: CAN_MANAGE_TEAMS });
const UPDATE_TEAM = operation('PATCH', '/teams/:id', 'change team :team', { who: CAN_MANAGE_TEAMS });
const DELETE_TEAM = operation('DELETE', '/teams/:id', 'delete team :team', { who: 'Owners can.' });
const LIST_TEAM_MEMBERS = operation('GET', TEAM_MEMBERS, 'list the members of team :team');
const CHANGE_TEAM_MEMBERS = {
  add: operation('POST', TEAM_MEMBERS, 'add :person to :team', { who: CAN_MANAGE_MEMBERS }),
  remove: operation('DELETE', TEAM_MEMBERS, 'remove :person from :team', { who: CAN_MANAGE_MEMBERS }),
};

/** What a team may be granted in its organization (facts). */
export const ACCESSES = `manage-membership manage-teams manage-organization-access access-secret-teams manage-policies
  manage-policy-overrides delegate-policy-overrides manage-workspaces manage-vcs-settings manage-agent-pools
  manage-run-tasks manage-projects read-projects read-workspaces manage-providers manage-modules manage-public-providers
  manage-public-modules manage-registry-components manage-registry-artifact-tags
  manage-registry-artifact-version-tags`.split(/\s+/);

/** A team, for messages and requests. */
export interface TeamReference {
  id: string;
  name: string;
}

export function listTeams(client: Client, org: string): List {
  return createList(client, createCall(LIST_TEAMS, { org }));
}

/** Undefined if the service lists no teams. */
export function findTeams(client: Client, org: string): Promise<Resource[] | undefined> {
  return catchNotFound(listTeams(client, org).all());
}

/** Throws ServiceError, also for a team that the caller may not see. */
export async function showTeam(client: Client, org: string, { id, name }: TeamReference): Promise<Resource> {
  const response = await client.read(createCall(SHOW_TEAM, { id, team: name, org }));
  return readResource(response, (team) => team.id === id).data;
}

/**
 * Undefined in a dry run. `attributes` have a name that no team of the organization has. `team` is undefined if the answer
 * doesn't show it. `refusal`: the service refused the team, and created it without its access all the same (facts).
 */
export function createTeam(client: Client, org: string, attributes: { name: string } & JsonObject) {
  const isNew = (team: Resource): boolean => isSameName(String(team.attributes?.name), attributes.name);
  const call = createCall(CREATE_TEAM, { org, team: attributes.name });
  return client.write<{ team: Resource | undefined; refusal?: OrgctlError }>(call, {
    body: JSON.stringify({ data: { type: 'teams', attributes } }),
    read(response) {
      // A success is proof, whatever the answer lacks.
      const document = parseJson(response.text || '{}');
      return { team: isObject(document) && !isResource(document.data) ? undefined : readResource(response).data };
    },
    unclearStatus: 422,
    async findOutcome(error) {
      const listed = (await listTeams(client, org).all()).find(isNew);
      if (!listed) return false;
      // Lists may show less of a team (facts).
      const reading = showTeam(client, org, { id: listed.id, name: attributes.name });
      const team = (await catchNotFound(reading)) ?? listed;
      return { value: { team, refusal: error instanceof ServiceError && error.status === 422 ? error : undefined } };
    },
  });
}

/** Returns what `updateResource` returns. */
export function updateTeam(client: Client, org: string, team: TeamReference, attributes: JsonObject, isDone: IsDone) {
  const call = createCall(UPDATE_TEAM, { id: team.id, team: team.name, org });
  return updateResource(client, call, { id: team.id, type: 'teams', attributes }, isDone);
}

/** True if the team was deleted, false if it was gone, undefined in a dry run. The caller has read the team before. */
export async function deleteTeam(client: Client, org: string, team: TeamReference): Promise<boolean | undefined> {
  const find = async () => (await listTeams(client, org).all()).find(({ id }) => id === team.id);
  try {
    return await deleteResource(client, createCall(DELETE_TEAM, { id: team.id, team: team.name, org }), find);
  } catch (error) {
    if (!isNotFound(error) || (await find())) throw error;
    return false;
  }
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
async function findTeamMembers(client: Client, params: { id: string; team: string; org: string }) {
  const call = createCall(SHOW_TEAM, params, [['include', 'users,organization-memberships']]);
  const reading = client.read(call).then((response) => readResource(response, ({ id }) => id === params.id));
  const team = await catchNotFound(reading, (error) => isRefused(error) || isRefusedInclude(error));
  const listed = team?.data.relationships?.['organization-memberships']?.data;
  if (!team || !Array.isArray(listed)) return undefined;
  const ids = new Set(listed.map((membership) => membership.id));
  const included = team.included ?? [];
  const items = included.filter(({ id, type }) => type === 'organization-memberships' && ids.has(id));
  return items.length === ids.size ? { items, included, total: undefined } : undefined;
}

export type TeamVerb = keyof typeof CHANGE_TEAM_MEMBERS;

/**
 * Adds people of one organization to a team, or removes them, in one request. Returns by id for whom this did not happen, and
 * why. Undefined in a dry run.
 */
export function changeTeamMembers(client: Client, verb: TeamVerb, team: TeamReference, people: MemberReference[]) {
  const data = people.map(({ id }) => ({ id, type: 'organization-memberships' }));
  return client.write(createTeamCall(verb, team, people), {
    body: JSON.stringify({ data }),
    read: () => new Map<string, OrgctlError>(),
    async findOutcome(reason) {
      const done = await findChanged(client, verb, team, people);
      if (!done) return undefined;
      if (done.size === 0) return false;
      const fail = (person: MemberReference): OrgctlError => {
        const message = `this did not happen: ${createTeamCall(verb, team, [person]).action}`;
        return new OrgctlError('unavailable', message, { code: reason.code, reasons: [reason.message], cause: reason });
      };
      const others = people.filter(({ id }) => !done.has(id));
      return { value: new Map(others.map((person) => [person.id, fail(person)])) };
    },
    isRepeatable: true,
  });
}

export function createTeamCall(verb: TeamVerb, { id, name }: TeamReference, people: MemberReference[]): Call {
  const [first] = people;
  const isOne = people.length === 1 && first;
  const person = isOne ? first.person : `${people.length} people`;
  const call = createCall(CHANGE_TEAM_MEMBERS[verb], { id, team: name, person, org: first?.org ?? '' });
  return isOne ? call : { ...call, people: people.map((one) => one.person) };
}

/** The ids of those for whom a reading shows the change. Undefined if the service doesn't show who is in the team. */
export async function findChanged(client: Client, verb: TeamVerb, team: TeamReference, people: MemberReference[]) {
  const members = await catchNotFound(listTeamMembers(client, people[0]?.org ?? '', team).all());
  const inTeam = new Set(members?.map(({ id }) => id));
  const isChanged = ({ id }: MemberReference): boolean => inTeam.has(id) === (verb === 'add');
  return members && new Set(people.filter(isChanged).map(({ id }) => id));
}
