import { orAbsence, ServiceError, UsageError } from '../errors.ts';
import { toText } from '../json-object.ts';
import { isSameName } from '../names.ts';
import type { PersonRow, Problem } from '../people-files/person-rows.ts';
import { readAll } from '../service/pages.ts';
import type { Service } from '../service/service.ts';
import { askMeant, findNear, listFew } from '../text/near.ts';
import type { Resource } from '../wire/json-api.ts';
import { TEAMS, type Team } from '../wire/resources.ts';
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
 * one. Ids need no request. Of what is `asked` some at a time can be looked up: what is unknown is refused where it is wanted, by a
 * UsageError for all of it at once, and one for a name that matches several.
 */
export async function createTeamResolver(
  teams: Service['teams'],
  organization: string,
  asked: readonly string[],
): Promise<TeamMatcher> {
  const known = asked.some((text) => howRead(text) !== 'no') ? await readTeams(teams, organization) : [];
  return known instanceof ServiceError
    ? createTeamMatcher(undefined, organization, known)
    : createTeamMatcher(known, organization);
}

type TeamMatcher = (some: readonly string[]) => ReadonlyMap<string, FoundTeam>;

/**
 * The same among teams that were read. Where they could not be, a name is refused when it is looked up: an organization that is not
 * there is found out before by reading its members.
 */
export function createTeamMatcher(
  known: readonly Team[] | undefined,
  organization: string,
  cause?: ServiceError,
): TeamMatcher {
  return (some) => {
    if (known === undefined && some.some((text) => howRead(text) === 'yes')) {
      throw new UnreadTeams(`can't read the teams of ${organization}, so their names don't work here`, {
        reasons: ["Your token can't see its teams, or this service doesn't list teams."],
        hint: 'Give team ids (team-…).',
        ...(cause === undefined ? {} : { cause }),
      });
    }
    return findAmong(known ?? [], organization, some);
  };
}

/** No name of a team can be looked up. */
class UnreadTeams extends UsageError {}

/** What is wrong with the teams of rows. Throws UsageError where names don't work. */
export function listTeamProblems(
  resolve: TeamMatcher,
  rows: readonly (Pick<Problem, 'line'> & Pick<PersonRow, 'teams'>)[],
): readonly Problem[] {
  return rows.flatMap(({ line, teams = [] }) => {
    try {
      resolve(teams);
      return [];
    } catch (error) {
      if (!(error instanceof UsageError) || error instanceof UnreadTeams) throw error;
      return [{ line, text: error.message }];
    }
  });
}

function findAmong(
  known: readonly Team[],
  organization: string,
  asked: readonly string[],
): ReadonlyMap<string, FoundTeam> {
  const found = new Map<string, FoundTeam>();
  const unknown: string[] = [];
  for (const { asked: text, id: given, name = '' } of [...new Set(asked)].map(parseTeam)) {
    const team =
      given === undefined
        ? chooseTeam(known, name, organization)
        : (known.find((one) => one.id === given) ?? known.find((one) => teamName(one) === given));
    const id = team?.id ?? given;
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

export function parseTeam(text: string): { readonly asked: string; readonly id?: string; readonly name?: string } {
  const [, prefix, rest = text] = /^(id|name):(.*)$/s.exec(text) ?? [];
  const value = rest.trim();
  const isId = /^team-[A-Za-z0-9]+$/.test(value);
  if (value === '' || (prefix === 'id' && !isId)) {
    throw new UsageError(`'${text}' is not a team name or id`, { hint: 'Give a team name or a team id (team-…).' });
  }
  return isId && prefix !== 'name' ? { asked: text, id: value } : { asked: text, name: value };
}

/** Whether it can be nothing but an id. */
export function isCertainId(text: string): boolean {
  return /^(?:id:\s*)?team-[A-Za-z0-9]{16}$/.test(text);
}

/** Whether the teams have to be read to know what a text means. A team may be called `team-blue`, as no id is. */
function howRead(text: string): 'yes' | 'if possible' | 'no' {
  try {
    const { id } = parseTeam(text);
    if (id === undefined) return 'yes';
    return isCertainId(text) ? 'no' : 'if possible';
  } catch {
    // What can't be read as either is refused where it is wanted.
    return 'no';
  }
}

/** Undefined where the service does not list them. */
export async function listTeams(teams: Service['teams'], organization: string): Promise<readonly Team[] | undefined> {
  const known = await readTeams(teams, organization);
  return known instanceof ServiceError ? undefined : known;
}

export async function readTeams(
  teams: Service['teams'],
  organization: string,
): Promise<readonly Team[] | ServiceError> {
  return await orAbsence(readAll(teams.list(organization, {})));
}

export function chooseTeam(known: readonly Team[], name: string, organization: string): Team | undefined {
  const exact = known.filter((team) => teamName(team) === name);
  const matches = exact.length > 0 ? exact : known.filter((team) => isSameName(teamName(team), name));
  if (matches.length > 1) {
    throw new UsageError(`${matches.length} teams of ${organization} match '${name}'`, {
      reasons: matches.map((team) => `${teamName(team)} (${team.id})`),
      hint: 'Name one by its id (team-…).',
    });
  }
  return matches[0];
}

export function toUnknownTeams(names: readonly string[], known: readonly Team[], organization: string): UsageError {
  const quoted = names.map((name) => `'${name}'`).join(', ');
  const [name] = names.length === 1 ? names : [];
  const all = known.map(teamName);
  const meant = name === undefined ? undefined : askMeant(findNear(name, all));
  return new UsageError(`${organization} has no ${names.length === 1 ? 'team' : 'teams'} ${quoted}`, {
    ...(known.length === 0 ? { reasons: ['Your token sees no teams there.'] } : {}),
    ...adviseTeams(organization, all, meant),
  });
}

/** Names them, where they are few. */
export function adviseTeams(
  organization: string,
  names: readonly string[],
  first?: string,
): { readonly hint: string; readonly next?: readonly (readonly string[])[] } {
  const before = first === undefined ? '' : `${first} `;
  const few = listFew(names);
  if (few !== undefined) return { hint: `${before}Teams of ${organization}: ${few}.` };
  return { hint: `${before}See the teams:`, next: [['orgctl', 'teams', 'list']] };
}

export function teamName(team: Team): string {
  return toText(team.attributes?.['name']) ?? '';
}

/** Teams whose names are known, as resources that could have come along. */
export function toResources(teams: readonly NamedTeam[]): readonly Resource[] {
  return teams.flatMap(({ id, name }) => (name === undefined ? [] : [{ type: TEAMS, id, attributes: { name } }]));
}

/** The id where the service gives no name. */
export function toName({ id, name }: NamedTeam): string {
  return name ?? id;
}
