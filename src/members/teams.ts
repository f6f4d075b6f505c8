import type { Client } from '../api/client.ts';
import { listMembers } from '../api/memberships.ts';
import { catchNotFound, readDecoration } from '../api/not-found.ts';
import { listTeams } from '../api/teams.ts';
import type { Resource } from '../api/types.ts';
import { UsageError } from '../lib/errors.ts';
import { assertVisible } from '../lib/input-text.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import { isSameName, suggest } from '../lib/text.ts';
import { OWNERS } from './member.ts';

export interface Team {
  id: string;
  /** The id if the service gives no name. */
  name: string;
  /** Undefined if that can't be known. */
  isOwners: boolean | undefined;
  /** HCP or an identity provider manages the team or who is in it (facts). */
  isManaged: boolean;
}

/** Who manages the team itself (facts). Undefined also if an identity provider manages only its members. */
export function findManager(attributes: JsonObject): string | undefined {
  if (attributes['is-unified'] === true) return 'HCP';
  return attributes['scim-linked'] === true ? 'an identity provider' : undefined;
}

/** What the team may do in the organization. Undefined if that isn't shown. */
export function readAccess({ 'organization-access': access }: JsonObject): JsonObject | undefined {
  return isObject(access) ? access : undefined;
}

export function parseTeam({ id, attributes = {} }: Resource): Team {
  const name = typeof attributes.name === 'string' ? attributes.name : id;
  const isSso = Boolean(attributes['sso-team-id']);
  return { id, name, isOwners: isSameName(name, OWNERS), isManaged: isSso || findManager(attributes) !== undefined };
}

export function isTeamId(text: string): boolean {
  return /^team-\w+$/.test(text);
}

/** A team that can't be told from owners counts as owners. */
export function mayBeOwners({ isOwners }: Team): boolean {
  return isOwners !== false;
}

/** The teams of an organization, by what people call them. */
export interface Teams {
  org: string;
  /** Undefined if the service lists none; only ids work then. */
  listed: Team[] | undefined;
  /** Undefined for an unknown team. Throws UsageError for a name of several, and for one that can't be looked up. */
  find(text: string): Team | undefined;
  /** As `find`, but throws UsageError for an unknown team. */
  get(text: string): Team;
}

/** Throws ServiceError if the service lists no teams, and the command `needsList`. */
export async function readTeams(client: Client, org: string, { needsList = false } = {}): Promise<Teams> {
  const reading = listTeams(client, org).all();
  const listed = await (needsList ? reading : catchNotFound(reading));
  const ownersId = listed ? undefined : await readDecoration(findOwnersId(client, org));
  return createTeams(org, listed?.map(parseTeam), ownersId);
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

export function createTeams(org: string, listed: Team[] | undefined, ownersId?: string): Teams {
  const ids = new Map(listed?.map((team) => [team.id, team]));
  const names = indexNames(listed ?? []);
  const find = (text: string): Team | undefined => {
    assertVisible(text);
    const name = text.trim();
    if (!listed && isTeamId(name)) {
      return { id: name, name, isOwners: ownersId === undefined ? undefined : name === ownersId, isManaged: false };
    }
    if (!listed) {
      throw new UsageError(`can't look up team '${name}': the teams of ${org} can't be listed`, {
        hint: 'Name teams by id (team-…).',
      });
    }
    const matches = [ids.get(name) ?? names.get(name.toLowerCase()) ?? []].flat();
    if (matches.length < 2) return matches[0];
    throw new UsageError(`${matches.length} teams of ${org} are called '${name}'`, {
      reasons: matches.map((team) => `${team.id}: ${team.name}`),
      hint: 'Name one by its id.',
    });
  };
  const get = (text: string): Team => {
    const team = find(text);
    if (team) return team;
    const known = listed?.map(({ name }) => name) ?? [];
    throw new UsageError(`${org} has no team '${text.trim()}'`, {
      hint: suggest(text, known) ?? (known.length > 0 ? `Teams: ${known.slice(0, 20).join(', ')}.` : undefined),
    });
  };
  return { org, listed, find, get };
}

/** Teams by name in lower case. Several may differ in case alone. */
export function indexNames(teams: Team[]): Map<string, Team[]> {
  const index = new Map<string, Team[]>();
  for (const team of teams) {
    const name = team.name.toLowerCase();
    index.set(name, [...(index.get(name) ?? []), team]);
  }
  return index;
}
