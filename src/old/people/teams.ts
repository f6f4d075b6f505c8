import { type ErrorDetails, type ServiceError, UsageError } from '../errors.ts';
import { isSameName } from '../names.ts';
import type { About } from '../organizations/organizations.ts';
import type { PersonRow, Problem } from '../people-files/person-rows.ts';
import { findTeamManager, OWNERS_TEAM, type TeamManager, teamName } from '../resources/team.ts';
import { countOrganizations } from '../text/count.ts';
import { joinNames } from '../text/join.ts';
import { askMeant, findNear, listFew } from '../text/near.ts';
import type { Resource } from '../wire/json-api.ts';
import { TEAMS, type Team } from '../wire/resources.ts';
import type { Member } from './member.ts';

/** How teams are named, and which of those that were read a text means. Pure. */

export interface NamedTeam {
  readonly id: string;
  /** Undefined where it was asked for by its id, and the teams were not read. */
  readonly name?: string | undefined;
}

export interface FoundTeam extends NamedTeam {
  readonly asked: string;
  /** Undefined for one that is filled by hand, or was not read. */
  readonly manager?: TeamManager | undefined;
}

/** A team that was read, as a command about it needs it. */
export interface KnownTeam {
  readonly id: string;
  readonly name: string;
  readonly isOwners: boolean;
  /** Undefined for one that is filled by hand. */
  readonly manager: TeamManager | undefined;
}

export function toKnownTeam(team: Team): KnownTeam {
  const name = teamName(team);
  return {
    id: team.id,
    name: name === '' ? team.id : name,
    isOwners: name === OWNERS_TEAM,
    manager: findTeamManager(team),
  };
}

interface ParsedTeam {
  readonly asked: string;
  readonly id?: string;
  readonly name?: string;
}

export function parseTeam(text: string): ParsedTeam {
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
export function howRead(text: string): 'yes' | 'if possible' | 'no' {
  try {
    const { id } = parseTeam(text);
    if (id === undefined) return 'yes';
    return isCertainId(text) ? 'no' : 'if possible';
  } catch {
    // What can't be read as either is refused where it is wanted.
    return 'no';
  }
}

/** A name counts exactly, else without case when that leaves one. Throws UsageError where several match it. */
export function findAmong(
  known: readonly Team[],
  organization: string,
  { id, name = '' }: ParsedTeam,
): Team | undefined {
  if (id !== undefined) return known.find((team) => team.id === id) ?? known.find((team) => teamName(team) === id);
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

/** The teams that some texts mean, each once. Throws UsageError for all that are unknown at once. */
export type ChooseTeams = (some: readonly string[]) => readonly FoundTeam[];

/**
 * Chooses among teams that were read. Where they could not be, a name is refused when it is looked up: an organization that is not
 * there is found out before by reading its members.
 */
export function chooseAmong(
  known: readonly Team[] | undefined,
  organization: string,
  cause?: ServiceError,
): ChooseTeams {
  return (some) => {
    if (known === undefined && some.some((text) => howRead(text) === 'yes')) {
      throw new UnreadTeams(`can't read the teams of ${organization}, so their names don't work here`, {
        reasons: ["Your token can't see its teams, or this service doesn't list teams."],
        hint: 'Give team ids (team-…).',
        ...(cause === undefined ? {} : { cause }),
      });
    }
    const chosen = new Map<string, FoundTeam>();
    const unknown: string[] = [];
    for (const parsed of [...new Set(some)].map(parseTeam)) {
      const team = findAmong(known ?? [], organization, parsed);
      const { asked, name = '' } = parsed;
      const id = team?.id ?? parsed.id;
      if (id === undefined) unknown.push(name);
      else if (!chosen.has(id)) {
        chosen.set(id, { asked, id, name: team && teamName(team), manager: team && findTeamManager(team) });
      }
    }
    if (unknown.length > 0) throw toUnknownTeams(unknown, known ?? [], organization);
    return [...chosen.values()];
  };
}

/** No name of a team can be looked up. */
class UnreadTeams extends UsageError {}

export class UnknownTeams extends UsageError {
  /** The names of those there are. */
  readonly known: readonly string[];
  /** A question. */
  readonly meant: string | undefined;
  /** Without it, and of one sentence. */
  readonly advice: string;

  constructor(
    message: string,
    known: readonly string[],
    meant: string | undefined,
    advice: string,
    details: ErrorDetails,
  ) {
    super(message, details);
    this.known = known;
    this.meant = meant;
    this.advice = advice;
  }
}

/** What is wrong with the teams of rows. Throws UsageError where names don't work. */
export function listTeamProblems(
  choose: ChooseTeams,
  rows: readonly (Pick<Problem, 'line'> & Pick<PersonRow, 'teams'>)[],
): readonly Problem[] {
  return rows.flatMap(({ line, teams = [] }) => {
    try {
      choose(teams);
      return [];
    } catch (error) {
      if (!(error instanceof UsageError) || error instanceof UnreadTeams) throw error;
      if (!(error instanceof UnknownTeams)) return [{ line, text: error.message }];
      const { message, meant, advice } = error;
      return [{ line, text: meant === undefined ? message : `${message}. ${meant}`, advice }];
    }
  });
}

/** The wanted teams that a person is not seen in. */
export function findTeamsMissing(wanted: readonly FoundTeam[], { teams = [] }: Member): readonly FoundTeam[] {
  return wanted.filter(({ id }) => !teams.some((team) => team.id === id));
}

export function toUnknownTeams(names: readonly string[], known: readonly Team[], organization: string): UsageError {
  const [name] = names.length === 1 ? names : [];
  const all = known.map(teamName);
  const meant = name === undefined ? undefined : askMeant(findNear(name, all));
  return new UnknownTeams(
    `${organization} has no ${names.length === 1 ? 'team' : 'teams'} ${quote(names, ', ')}`,
    all,
    meant,
    all.length > 0 && listFew(all) !== undefined
      ? adviseTeams(organization, all).hint
      : `See the teams of ${organization} with teams list.`,
    {
      ...(known.length === 0 ? { reasons: ['Your token sees no teams there.'] } : {}),
      ...adviseTeams(organization, all, meant),
    },
  );
}

/** For teams that none of the organizations has. */
export function toNoTeam(names: readonly string[], organizations: readonly string[]): UsageError {
  const [first = ''] = organizations;
  const quoted = quote(names, ' and ');
  return new UsageError(
    organizations.length === 1
      ? `${first} has no team ${quoted}`
      : `none of ${countOrganizations(organizations.length)} has a team ${quoted}`,
    { hint: 'See the teams of one:', next: [['orgctl', 'teams', 'list', '--org', first]] },
  );
}

function quote(names: readonly string[], separator: string): string {
  return names.map((name) => `'${name}'`).join(separator);
}

/** Names them, where they are few. */
function adviseTeams(
  organization: string,
  names: readonly string[],
  first?: string,
): { readonly hint: string; readonly next?: readonly (readonly string[])[] } {
  const before = first === undefined ? '' : `${first} `;
  const few = listFew(names);
  if (few !== undefined) return { hint: `${before}Teams of ${organization}: ${few}.` };
  return { hint: `${before}See the teams:`, next: [['orgctl', 'teams', 'list']] };
}

/** `(no team network in acme and initech)` */
export function describeWithout(names: readonly string[], organizations: readonly string[]): string {
  return `(no team ${names.join(' and ')} in ${joinNames(organizations)})`;
}

/** Throws UsageError where a team of several organizations is named by an id. */
export function refuseTeamIds({ option, isOne }: About, names: readonly string[]): void {
  const id = names.find(isCertainId);
  if (isOne || id === undefined) return;
  throw new UsageError(`with ${option} a team is named by its name, not by '${id}'`, {
    hint: 'An id is of one organization.',
  });
}

/** Teams whose names are known, as resources that could have come along. */
export function toResources(teams: readonly NamedTeam[]): readonly Resource[] {
  return teams.flatMap(({ id, name }) => (name === undefined ? [] : [{ type: TEAMS, id, attributes: { name } }]));
}

/** The id where the service gives no name. */
export function toName({ id, name }: NamedTeam): string {
  return name ?? id;
}
