import { ServiceError, UsageError } from '../errors.ts';
import { toText } from '../json-object.ts';
import type { Teams } from '../service/teams.ts';
import type { Resource } from '../wire/json-api.ts';
import { TEAMS } from '../wire/resources.ts';
import type { Member } from './member.ts';

export interface NamedTeam {
  readonly id: string;
  /** Undefined where it was asked for by its id, and the teams were not read. */
  readonly name?: string | undefined;
}

export interface FoundTeam extends NamedTeam {
  readonly asked: string;
}

/**
 * What each text means, by the text: ids and names of teams. A name counts exactly, else without case when that leaves
 * one. Ids need no request.
 * Throws UsageError for names that are unknown, all of them at once, or that could mean several.
 */
export async function resolveTeams(
  teams: Teams,
  organization: string,
  asked: readonly string[],
): Promise<ReadonlyMap<string, FoundTeam>> {
  const wanted = [...new Set(asked)].map(parseTeam);
  const known = wanted.every((team) => team.id !== undefined) ? [] : await readTeams(teams, organization);
  if (known instanceof ServiceError) {
    throw new UsageError(`the teams of ${organization} cannot be looked up, so names cannot be used for them`, {
      reasons: [
        'the organization does not exist, this token may not see its teams, or this service does not list teams',
      ],
      hint: 'Give team ids (team-…).',
      cause: known,
    });
  }
  const found = new Map<string, FoundTeam>();
  const unknown: string[] = [];
  for (const { asked: text, id: given, name = '' } of wanted) {
    const team = given === undefined ? chooseTeam(known, name, organization) : known.find((one) => one.id === given);
    const id = given ?? team?.id;
    if (id === undefined) unknown.push(name);
    else found.set(text, { asked: text, id, name: team === undefined ? undefined : teamName(team) });
  }
  if (unknown.length > 0) throw toUnknownTeams(unknown, known, organization);
  return found;
}

export function chooseTeams(found: ReadonlyMap<string, FoundTeam>, asked: readonly string[]): readonly FoundTeam[] {
  const chosen = new Map<string, FoundTeam>();
  for (const text of asked) {
    const team = found.get(text);
    if (team !== undefined && !chosen.has(team.id)) chosen.set(team.id, team);
  }
  return [...chosen.values()];
}

/** The wanted teams that a person is not seen in, by the names they were asked for. */
export function findTeamsMissing(wanted: readonly FoundTeam[], { teams = [] }: Member): readonly string[] {
  return wanted.filter(({ id }) => !teams.some((team) => team.id === id)).map(({ asked }) => asked);
}

function parseTeam(text: string): { readonly asked: string; readonly id?: string; readonly name?: string } {
  const [, prefix, rest = text] = /^(id|name):(.*)$/s.exec(text) ?? [];
  const value = rest.trim();
  const isId = /^team-[A-Za-z0-9]+$/.test(value);
  if (value === '' || (prefix === 'id' && !isId)) {
    throw new UsageError(`'${text}' names no team`, { hint: 'Give a team id (team-…) or a team name.' });
  }
  return isId && prefix !== 'name' ? { asked: text, id: value } : { asked: text, name: value };
}

/** Undefined where the service does not list them. */
export async function listTeams(teams: Teams, organization: string): Promise<readonly Resource[] | undefined> {
  const known = await readTeams(teams, organization);
  return known instanceof ServiceError ? undefined : known;
}

async function readTeams(teams: Teams, organization: string): Promise<readonly Resource[] | ServiceError> {
  try {
    const pages = await teams.list(organization, {}).collect();
    return pages.flatMap((page) => page.items as readonly Resource[]);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return error;
    throw error;
  }
}

function chooseTeam(known: readonly Resource[], name: string, organization: string): Resource | undefined {
  const exact = known.filter((team) => teamName(team) === name);
  const matches =
    exact.length > 0 ? exact : known.filter((team) => teamName(team).toLowerCase() === name.toLowerCase());
  if (matches.length > 1) {
    throw new UsageError(`'${name}' could mean ${matches.length} teams of ${organization}`, {
      reasons: matches.map((team) => `${teamName(team)} (${team.id})`),
      hint: 'Name one by its id (team-…).',
    });
  }
  return matches[0];
}

function toUnknownTeams(names: readonly string[], known: readonly Resource[], organization: string): UsageError {
  const quoted = names.map((name) => `'${name}'`).join(', ');
  return new UsageError(`${organization} has no ${names.length === 1 ? 'team' : 'teams'} ${quoted}`, {
    reasons: [known.length === 0 ? 'this token sees no teams there' : `known: ${known.map(teamName).join(', ')}`],
    hint: 'See them all:',
    next: [['orgctl', 'teams', 'list', '--org', organization]],
  });
}

export function teamName(team: Resource): string {
  return toText(team.attributes?.['name']) ?? '';
}

/** Teams whose names are known, as resources that could have come along. */
export function toResources(teams: readonly NamedTeam[]): readonly Resource[] {
  return teams.flatMap(({ id, name }) => (name === undefined ? [] : [{ type: TEAMS, id, attributes: { name } }]));
}
