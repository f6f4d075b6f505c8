import { reword, UsageError } from '../errors.ts';
import { groupBy } from '../groups.ts';
import { describeReference } from '../input/member-reference.ts';
import { isSameName } from '../names.ts';
import { collect } from '../reading.ts';
import { NO_INCLUDE } from '../service/include.ts';
import type { AskedIn } from './asked.ts';
import { type Directories, type Directory, findInTeams } from './directory.ts';
import { type AdviseAbsent, refuseNowhere, type Sought, settle, takeOnce } from './find-members.ts';
import { type Member, toMembers } from './member.ts';
import { findSelf, guardOwnersTeam } from './removal-guard.ts';
import { type KnownTeam, UnknownTeams } from './teams.ts';

/** Which people join a team and which leave one: looked for, and nothing changed. */

/** By name or id: the team that people are to be in, and the one that they are not to be in. */
export interface AskedTeams {
  readonly into?: string | undefined;
  readonly outOf?: string | undefined;
}

export function listNames({ into, outOf }: AskedTeams): readonly string[] {
  return [into, outOf].flatMap((name) => name ?? []);
}

interface KnownTeams {
  readonly into?: KnownTeam;
  readonly outOf?: KnownTeam;
}

/** Without `member` a `refusal` says why no one could be looked for. */
export interface TeamStep extends Sought {
  readonly teams: KnownTeams;
  /** Whether there is something to do. */
  readonly joins: boolean;
  readonly leaves: boolean;
}

export interface TeamRules {
  /** Whether the caller may leave the team of owners. */
  readonly allowSelf: boolean;
  readonly adviseAbsent?: AdviseAbsent;
}

export interface FoundSteps {
  readonly steps: readonly TeamStep[];
  /** With such a team, and without. */
  readonly organizations: readonly string[];
  readonly without: readonly string[];
  /** Who is in others of them, and not in this one. */
  readonly absent: readonly { readonly person: string; readonly organization: string }[];
}

/**
 * A step for each person in each organization that has such a team, where they are; each membership once. Throws what `rules` do not
 * allow, UsageError where none of them has the team, and `not-found` for people who are in none of those that have it.
 */
export async function findTeamSteps(
  directories: Directories,
  asked: AskedTeams,
  askedIn: AskedIn,
  rules: TeamRules,
): Promise<FoundSteps> {
  const { there, without } = await findInTeams(directories, listNames(asked), async (directory) => {
    const people = askedIn(directory.organization);
    const teams = await findTeams(directory, asked).catch((error: unknown) => {
      throw adviseOrder(error, asked, people);
    });
    return teams && { teams, looked: await directory.look(people) };
  });
  const teamsOf = new Map(there.map(({ organization, value }) => [organization, value?.teams]));
  const sought = settle(
    there.map(({ organization, value, error }) =>
      error === undefined ? { organization, value: value.looked } : { organization, error },
    ),
    askedIn,
  );
  const { isOne } = directories.organizations;
  refuseNowhere(sought, isOne, { advise: rules.adviseAbsent, advice: 'Check the email.' });
  const steps: TeamStep[] = [];
  for (const [organization, people] of groupBy(takeOnce(sought), (one) => one.organization)) {
    const teams = teamsOf.get(organization);
    if (teams === undefined) {
      steps.push(...people.map((one) => ({ ...one, teams: {}, joins: false, leaves: false })));
      continue;
    }
    const own = await toSteps(directories.of(organization), teams, people);
    await guardSteps(directories, organization, teams, own, rules);
    steps.push(...own);
  }
  return {
    steps,
    organizations: there.map(({ organization }) => organization),
    without,
    absent: sought.flatMap(({ organization, reference, absence }) =>
      absence === undefined ? [] : { person: describeReference(reference), organization },
    ),
  };
}

/** The team comes first: a team among the people says that they were turned. */
function adviseOrder(error: unknown, { into, outOf }: AskedTeams, people: ReturnType<AskedIn>): unknown {
  if (!(error instanceof UnknownTeams)) return error;
  const names = people.map(({ reference }) => describeReference(reference));
  const team = error.known.find((name) => names.some((other) => isSameName(name, other)));
  if (team === undefined) return error;
  return reword(error, { hint: `Did you mean ${team} ${into ?? outOf}? The team comes first.` });
}

/** Undefined where one of them is not there. Throws UsageError for that where one is required. */
async function findTeams({ findTeam }: Directory, { into, outOf }: AskedTeams): Promise<KnownTeams | undefined> {
  const joined = into === undefined ? undefined : await findTeam(into);
  const left = outOf === undefined ? undefined : await findTeam(outOf);
  const isMissing = (joined === undefined) !== (into === undefined) || (left === undefined) !== (outOf === undefined);
  return isMissing ? undefined : toTeams(joined, left);
}

function toTeams(into: KnownTeam | undefined, outOf: KnownTeam | undefined): KnownTeams {
  if (into !== undefined && into.id === outOf?.id) {
    throw new UsageError(`${into.name} is both the team to join and the team to leave`, {
      hint: 'Name two different teams.',
    });
  }
  return { ...(into === undefined ? {} : { into }), ...(outOf === undefined ? {} : { outOf }) };
}

async function toSteps(
  { service }: Directory,
  teams: KnownTeams,
  sought: readonly Sought[],
): Promise<readonly TeamStep[]> {
  const people = sought.flatMap(({ member, ...one }) => (member === undefined ? [] : { ...one, member }));
  const isIn = async (team: KnownTeam | undefined): Promise<((member: Member) => boolean) | undefined> => {
    if (team === undefined) return undefined;
    if (people.every(({ member }) => member.teams !== undefined)) {
      return (member) => member.teams?.some(({ id }) => id === team.id) === true;
    }
    // A service that does not say of a member which teams they are in says of the team who is in it.
    const pages = await collect(service.teams.listMembers(team, NO_INCLUDE, {}), toMembers);
    const there = new Set(pages.flat().map(({ id }) => id));
    return (member) => there.has(member.id);
  };
  const isInto = await isIn(teams.into);
  const isOutOf = await isIn(teams.outOf);
  return people.map((one) => ({
    ...one,
    teams,
    joins: isInto?.(one.member) === false,
    leaves: isOutOf?.(one.member) === true,
  }));
}

async function guardSteps(
  directories: Directories,
  organization: string,
  { outOf }: KnownTeams,
  steps: readonly TeamStep[],
  { allowSelf }: TeamRules,
): Promise<void> {
  const leaving = steps.flatMap(({ member, leaves }) => (leaves && member !== undefined ? [member] : []));
  if (outOf?.isOwners !== true || leaving.length === 0) return;
  const self = allowSelf ? undefined : await findSelf(directories, organization, 'Add --allow-self.');
  await guardOwnersTeam(directories.of(organization), leaving, outOf.id, self);
}
