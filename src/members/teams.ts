import type { Client } from '../api/client.ts';
import { listMembers } from '../api/memberships.ts';
import { readDecoration } from '../api/not-found.ts';
import { listTeams, readTeams } from '../api/teams.ts';
import type { Resource } from '../api/types.ts';
import { UsageError } from '../lib/errors.ts';
import { assertVisible } from '../lib/input-text.ts';
import type { JsonObject } from '../lib/json.ts';
import { isSameName, suggest } from '../lib/text.ts';
import { OWNERS } from './member.ts';

export const TEAM_ID = /^(id:)?team-\w+$/;

export interface Team {
  id: string;
  /** The id if the service gives no name. */
  name: string;
  /** Undefined if that can't be known. */
  isOwners: boolean | undefined;
  /** HCP or an identity provider manages the team or who is in it (facts). */
  isManaged: boolean;
}

/** Who manages the team itself (facts). Undefined also for a team of an identity provider's group alone. */
export function findManager(attributes: JsonObject): string | undefined {
  if (attributes['is-unified'] === true) return 'HCP';
  return attributes['scim-linked'] === true ? 'an identity provider' : undefined;
}

export function parseTeam({ id, attributes = {} }: Resource): Team {
  const name = typeof attributes.name === 'string' ? attributes.name : id;
  const isSso = Boolean(attributes['sso-team-id']);
  return { id, name, isOwners: isSameName(name, OWNERS), isManaged: isSso || findManager(attributes) !== undefined };
}

/** Unknown is not safe. */
export function mayBeOwners({ isOwners }: Team): boolean {
  return isOwners !== false;
}

/** Undefined if the service lists no teams. */
export async function readKnownTeams(client: Client, org: string): Promise<Team[] | undefined> {
  return (await readTeams(client, org))?.map(parseTeam);
}

/** Undefined if the service lists no teams, and `texts` are ids. Throws ServiceError for other texts. */
export async function readTeamsFor(client: Client, org: string, texts: string[]): Promise<Team[] | undefined> {
  if (texts.every((text) => TEAM_ID.test(text))) return readKnownTeams(client, org);
  return (await listTeams(client, org).all()).map(parseTeam);
}

export type FindTeam = (text: string) => Team;

/** `teams`: undefined if the service lists none. The finder throws UsageError. */
export async function readTeamFinder(client: Client, org: string) {
  const teams = await readKnownTeams(client, org);
  const ownersId = teams ? undefined : await readDecoration(findOwnersId(client, org));
  return { teams, findTeam: createTeamFinder(org, teams, ownersId) };
}

/** Undefined if the list of members shows no team of that name. */
async function findOwnersId(client: Client, org: string): Promise<string | undefined> {
  const list = listMembers(client, org, { status: 'active' }, { own: ['teams'] });
  for await (const { included } of list.pages({ mode: 'stream' })) {
    const owners = included.find(({ type, attributes }) => type === 'teams' && attributes?.name === OWNERS);
    if (owners) return owners.id;
  }
  return undefined;
}

/** `known` is undefined if the service lists no teams; only ids work then. The finder throws UsageError. */
export function createTeamFinder(org: string, known: Team[] | undefined, ownersId?: string): FindTeam {
  const match = createTeamMatcher(known ?? []);
  return (text) => {
    assertVisible(text);
    const { value } = parseReference(text);
    if (!known && TEAM_ID.test(text)) {
      const isOwners = ownersId === undefined ? undefined : value === ownersId;
      return { id: value, name: value, isOwners, isManaged: false };
    }
    if (!known) {
      throw new UsageError(`can't look up team '${text}': the teams of ${org} can't be listed`, {
        hint: 'Name teams by id (team-…).',
      });
    }
    const matches = match(text);
    const [team, other] = matches;
    if (team && !other) return team;
    if (other) {
      throw new UsageError(`${matches.length} teams of ${org} are called '${value}'`, {
        reasons: matches.map(({ id, name }) => `${id}: ${name}`),
        hint: 'Name one by its id.',
      });
    }
    const names = known.map(({ name }) => name);
    throw new UsageError(`${org} has no team '${value}'`, {
      hint: suggest(value, names) ?? (names.length > 0 ? `Teams: ${names.slice(0, 20).join(', ')}.` : undefined),
    });
  };
}

/** Several teams match if their names differ in case alone. */
export function createTeamMatcher(known: Team[]): (text: string) => Team[] {
  const ids = new Map(known.map((team) => [team.id, team]));
  const names = indexNames(known);
  return (text) => {
    const { prefix, value } = parseReference(text);
    const byId = prefix === 'name' ? undefined : ids.get(value);
    if (byId || prefix === 'id') return byId ? [byId] : [];
    return names.get(value.toLowerCase()) ?? [];
  };
}

/** Teams by name in lower case. */
export function indexNames(teams: Team[]): Map<string, Team[]> {
  const index = new Map<string, Team[]>();
  for (const team of teams) {
    const name = team.name.toLowerCase();
    const others = index.get(name) ?? [];
    others.push(team);
    index.set(name, others);
  }
  return index;
}

function parseReference(text: string): { prefix: string | undefined; value: string } {
  const [, prefix, rest = ''] = /^(?:(id|name):)?(.*)$/s.exec(text) ?? [];
  return { prefix, value: rest.trim() };
}
