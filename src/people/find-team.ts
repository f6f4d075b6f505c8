import { ServiceError, UsageError } from '../errors.ts';
import { findTeamManager, findTeamOrganization, OWNERS_TEAM, type TeamManager } from '../service/team.ts';
import type { Teams } from '../service/teams.ts';
import type { Resource } from '../wire/json-api.ts';
import { chooseTeam, isCertainId, parseTeam, readTeams, teamName, toUnknownTeams } from './find-teams.ts';

/** A team that was read, as a command about it needs it. */
export interface KnownTeam {
  readonly id: string;
  readonly name: string;
  readonly isOwners: boolean;
  /** Undefined for one that is filled by hand. */
  readonly manager: TeamManager | undefined;
}

export interface TeamFinder {
  /**
   * Undefined where no team is called so. Throws ServiceError where the service doesn't show teams, and UsageError for several
   * that match, or for one of another organization.
   */
  find(asked: string): Promise<KnownTeam | undefined>;
  /** The same, and UsageError where no team is called so. */
  require(asked: string): Promise<KnownTeam>;
}

/** Looks for teams by name, in a list that is read once, or by id. */
export function createTeamFinder(teams: Teams, organization: string): TeamFinder {
  let known: Promise<readonly Resource[]> | undefined;
  const list = (): Promise<readonly Resource[]> => {
    known ??= readTeams(teams, organization).then((read) => {
      if (read instanceof ServiceError) throw read;
      return read;
    });
    return known;
  };
  const choose = async (asked: string): Promise<Resource | undefined> => {
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
    find,
    async require(asked) {
      const team = await find(asked);
      if (team === undefined) throw toUnknownTeams([parseTeam(asked).name ?? asked], await list(), organization);
      return team;
    },
  };
}

function toKnownTeam(team: Resource): KnownTeam {
  const name = teamName(team);
  return {
    id: team.id,
    name: name === '' ? team.id : name,
    isOwners: name === OWNERS_TEAM,
    manager: findTeamManager(team),
  };
}

function refuseOtherOrganization(team: Resource, organization: string): void {
  const own = findTeamOrganization(team);
  if (own === undefined || own.toLowerCase() === organization.toLowerCase()) return;
  throw new UsageError(`${teamName(team)} (${team.id}) is a team of ${own}, not of ${organization}`, {
    hint: `Nothing was changed. Add --org ${own}.`,
  });
}
