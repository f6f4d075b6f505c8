import { ServiceError, UsageError } from '../errors.ts';
import { isSameName } from '../names.ts';
import type { About } from '../organizations/organizations.ts';
import type { FoundEach } from '../organizations/side-by-side.ts';
import { findOrganization } from '../resources/organization.ts';
import { findTeamManager, OWNERS_TEAM, type TeamManager } from '../resources/team.ts';
import type { Service } from '../service/service.ts';
import { countOrganizations } from '../text/count.ts';
import { joinNames } from '../text/join.ts';
import type { Team } from '../wire/resources.ts';
import { chooseTeam, isCertainId, listTeams, parseTeam, readTeams, teamName, toUnknownTeams } from './find-teams.ts';

/** A team that was read, as a command about it needs it. */
export interface KnownTeam {
  readonly id: string;
  readonly name: string;
  readonly isOwners: boolean;
  /** Undefined for one that is filled by hand. */
  readonly manager: TeamManager | undefined;
}

/** Looks for teams by name, in a list that is read once, or by id. */
export function createTeamFinder(teams: Service['teams'], organization: string) {
  let known: Promise<readonly Team[]> | undefined;
  const list = (): Promise<readonly Team[]> => {
    known ??= readTeams(teams, organization).then((read) => {
      if (read instanceof ServiceError) throw read;
      return read;
    });
    return known;
  };
  const choose = async (asked: string): Promise<Team | undefined> => {
    const { id, name = '' } = parseTeam(asked);
    if (id === undefined) return chooseTeam(await list(), name, organization);
    const found = isCertainId(asked)
      ? undefined
      : (await list()).find((team) => team.id === id || teamName(team) === id);
    return found ?? (await teams.show(id));
  };
  const find = async (asked: string): Promise<KnownTeam | undefined> => {
    const team = await choose(asked);
    if (team === undefined) return undefined;
    refuseOtherOrganization(team, organization);
    return toKnownTeam(team);
  };
  return {
    /**
     * Undefined where no team is called so. Throws ServiceError where the service doesn't show teams, and UsageError for
     * several that match, or for one of another organization.
     */
    find,
    /** The same, and UsageError where no team is called so. */
    async require(asked: string): Promise<KnownTeam> {
      const team = await find(asked);
      if (team === undefined) throw toUnknownTeams([parseTeam(asked).name ?? asked], await list(), organization);
      return team;
    },
  };
}

/**
 * The same as `find` of a finder, and `unlisted` where the service lists no teams: only what comes along with members says then
 * whether there is one.
 */
export async function findListedTeam(
  teams: Service['teams'],
  organization: string,
  asked: string,
  way: 'find' | 'require' = 'find',
): Promise<KnownTeam | 'unlisted' | undefined> {
  try {
    return await createTeamFinder(teams, organization)[way](asked);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 404) throw error;
    if ((await listTeams(teams, organization)) === undefined) return 'unlisted';
    throw error;
  }
}

/** Throws UsageError where a team of several organizations is named by an id. */
export function refuseTeamIds({ option, isOne }: About, names: readonly string[]): void {
  const id = names.find(isCertainId);
  if (isOne || id === undefined) return;
  throw new UsageError(`${option} takes the name of a team, not '${id}'`, {
    hint: 'An id is of one organization.',
  });
}

/**
 * Those of the organizations that have such teams, or could not be read, and the names of those without. Throws UsageError where none
 * has them.
 */
export function partByTeams<Found>(
  found: readonly FoundEach<Found>[],
  has: (value: Found) => boolean,
  names: readonly string[],
): { readonly there: readonly FoundEach<Found>[]; readonly without: readonly string[] } {
  const there = found.filter(({ value, error }) => error !== undefined || has(value));
  const all = found.map(({ organization }) => organization);
  if (there.length === 0) throw toNoTeam(names, all);
  return { there, without: all.filter((name) => !there.some(({ organization }) => organization === name)) };
}

/** For teams that none of the organizations has. */
function toNoTeam(names: readonly string[], organizations: readonly string[]): UsageError {
  const quoted = names.map((name) => `'${name}'`).join(' and ');
  const [only] = organizations.length === 1 ? organizations : [];
  return new UsageError(
    only === undefined
      ? `none of ${countOrganizations(organizations.length)} has a team ${quoted}`
      : `${only} has no team ${quoted}`,
    { hint: 'See the teams of one:', next: [['orgctl', 'teams', 'list', '--org', organizations[0] ?? '']] },
  );
}

/** `(no team network in acme and initech)` */
export function describeWithout(names: readonly string[], organizations: readonly string[]): string {
  return `(no team ${names.join(' and ')} in ${joinNames(organizations)})`;
}

function toKnownTeam(team: Team): KnownTeam {
  const name = teamName(team);
  return {
    id: team.id,
    name: name === '' ? team.id : name,
    isOwners: name === OWNERS_TEAM,
    manager: findTeamManager(team),
  };
}

function refuseOtherOrganization(team: Team, organization: string): void {
  const own = findOrganization(team);
  if (own === undefined || isSameName(own, organization)) return;
  throw new UsageError(`${teamName(team)} (${team.id}) is a team of ${own}, not of ${organization}`, {
    hint: `Nothing was changed. Add --org ${own}.`,
  });
}
