import { OrgctlError, UsageError } from '../errors.ts';
import { type FileReader, readText } from '../files/read-text.ts';
import { countEach } from '../groups.ts';
import { isSameName } from '../names.ts';
import { chooseTeams, createTeamMatcher, listTeamProblems, listTeams, teamName } from '../people/find-teams.ts';
import { type Member, toMembers } from '../people/member.ts';
import { createRemovalGuard, findSelf } from '../people/removal-guard.ts';
import type { PlacedPeople } from '../people-files/person-rows.ts';
import { type Problem, refuseProblems, toPlace } from '../people-files/person-rows.ts';
import { settlePeople } from '../people-files/read-people-file.ts';
import { findTeamManager, OWNERS_TEAM } from '../resources/team.ts';
import { USUAL_INCLUDE } from '../service/include.ts';
import type { Service } from '../service/service.ts';
import type { Progress } from '../stderr/progress.ts';
import type { Resource } from '../wire/json-api.ts';
import { type Matched, matchPeople, type Wanted } from './match.ts';
import { makePlan, type Plan, type TeamFacts } from './plan.ts';
import type { Roster } from './roster.ts';

/** A roster and the organization it is of: read, compared, and nothing sent. */

export interface RosterReader extends FileReader {
  service(): Promise<Service>;
  progress(text: string): Progress;
  warn(text: string): void;
}

export interface RosterInput {
  readonly file: string;
  readonly prune: boolean;
  readonly pruneTeams: boolean;
  readonly allowOwners: boolean;
  readonly includeManaged: boolean;
}

export interface RosterPlan {
  readonly plan: Plan;
  readonly organization: string;
  readonly name: string;
  readonly isFile: boolean;
  /** Whether the service lists teams; where it does not, it takes no changes of them. */
  readonly hasTeams: boolean;
}

/** How often a list that keeps changing is read from its start; each reading tries several times itself. */
const READINGS = 3;

/** A roster, and the organization it is planned for. */
export interface PlacedRoster {
  readonly roster: Roster;
  readonly organization: string;
  readonly isFile: boolean;
}

/**
 * Throws UsageError for a file that can't be read as a roster. `current`: the organization that the command line, the environment or a
 * profile names; `require` gives the same, or throws.
 */
export async function readRoster(
  reader: FileReader,
  path: string,
  { current, require }: { readonly current: string | undefined; require(): string },
): Promise<PlacedRoster> {
  const { text, name, isFile } = await readText(reader, path);
  // Its parsers are loaded for files only.
  const { parseRoster } = await import('./roster.ts');
  const roster = await parseRoster(text, name);
  const { organization: named } = roster;
  if (named === undefined) return { roster, organization: require(), isFile };
  if (current === undefined || isSameName(current, named)) {
    return { roster, organization: current ?? named, isFile };
  }
  throw new UsageError(`${name} is the roster of ${named}, and this command is about ${current}`, {
    hint: `Nothing was sent. Add --org ${named}, or use another file.`,
  });
}

/**
 * Throws UsageError for a roster that cannot be used, with everything that is wrong in it, and `incomplete` when the list of members
 * kept changing.
 */
export async function planRoster(
  reader: RosterReader,
  { roster, organization, isFile }: PlacedRoster,
  { prune, pruneTeams, allowOwners, includeManaged }: RosterInput,
): Promise<RosterPlan> {
  const { describeRoster } = await import('./roster.ts');
  const { name } = roster;
  const form = describeRoster(roster);
  const placing = {
    known: [],
    organizations: async () => [organization],
    findMore: async (people: PlacedPeople) => (await compare(reader, organization, people, true)).problems,
  };
  const people = await settlePeople(reader, roster, placing, form);
  if (prune && people.in(organization).length === 0) {
    throw new UsageError(`${name} names no one: --prune would remove everyone from ${organization}`, {
      hint: 'A roster names at least one person. To remove people, use members remove.',
    });
  }
  const found = await compare(reader, organization, people, prune || pruneTeams);
  const { service, members, known, matched } = found;
  if (pruneTeams && known === undefined) {
    throw new UsageError(`the teams of ${organization} can't be read, so --prune-teams takes no one out of a team`, {
      reasons: ["Your token can't see its teams, or this service doesn't list teams."],
      hint: 'Nothing was sent. Leave --prune-teams out.',
    });
  }
  // Unknown teams alone are said with the names that were probably meant.
  if (found.problems.length === found.unknownTeams) found.refuseTeams();
  refuseProblems(people.file, found.problems, form);
  for (const { wanted, member } of matched.moved) {
    reader.warn(`${wanted.user ?? wanted.id} is ${member.email} now, not ${wanted.email} as in ${name}`);
  }
  const self = prune || pruneTeams ? await findSelf(service, organization) : undefined;
  const guard =
    prune && self !== undefined ? await createRemovalGuard(service, organization, self, allowOwners, known) : undefined;
  const plan = makePlan(matched, members, {
    protects: guard?.protects,
    pruneTeams,
    includeManaged,
    isSelf: (member) => self?.is(member) === true,
    teams: toTeamFacts(known ?? []),
  });
  await guard?.refuseOwnerless(
    plan.steps.flatMap((step) => (step.action === 'remove' ? [step.member] : [])),
    members,
  );
  // A mistake in a name would else be seen in the removal of the one who was meant.
  for (const step of plan.steps) {
    if (step.action !== 'invite') continue;
    const { id, user = id, email } = step.wanted;
    if (user !== undefined) reader.warn(`${organization} has no member ${user}, so an invitation goes to ${email}`);
  }
  return { plan, organization, name, isFile, hasTeams: known !== undefined };
}

interface Comparison {
  readonly service: Service;
  readonly members: readonly Member[];
  /** Undefined where teams can't be listed, or were not needed. */
  readonly known: readonly Resource[] | undefined;
  readonly matched: Matched;
  readonly problems: readonly Problem[];
  /** How many of the problems are these. */
  readonly unknownTeams: number;
  /** Throws UsageError for all teams that don't exist. */
  refuseTeams(): void;
}

/** Reads teams and members, and finds everything that is wrong with the rows. */
async function compare(
  reader: RosterReader,
  organization: string,
  people: PlacedPeople,
  needsTeams: boolean,
): Promise<Comparison> {
  const service = await reader.service();
  const rows = people.in(organization);
  const unusable = people.unusableIn(organization);
  const asked = [...new Set([...rows, ...unusable].flatMap((row) => row.teams ?? []))];
  const known = needsTeams || asked.length > 0 ? await listTeams(service.teams, organization) : undefined;
  const members = await readMembers(service, organization, reader.progress);
  const find = createTeamMatcher(known, organization);
  const problems: Problem[] = [...listTeamProblems(find, [...rows, ...unusable])];
  const wrongTeams = new Set(problems.map(({ line }) => line));
  const wanted = rows.map(({ teams, ...row }): Wanted => {
    const isKnown = teams !== undefined && !wrongTeams.has(row.line);
    return isKnown ? { ...row, teams: chooseTeams(find(teams), teams) } : row;
  });
  const unknownTeams = problems.length;
  if (rows.some(({ id, user }) => id === undefined && user === undefined)) refuseHiddenEmails(members, organization);
  const matched = matchPeople(wanted, members, { organization, place: toPlace(people.file.kind) });
  if (known !== undefined) problems.push(...findUnseenTeams(wanted, members, organization));
  // A member may be in no team; no one is invited without one.
  const teamless = matched.absent
    .filter(({ teams = [], line }) => teams.length === 0 && !wrongTeams.has(line))
    .map(({ email, line }) => ({ line, text: `${email} has no team, and an invitation needs one` }));
  return {
    service,
    members,
    known,
    matched,
    problems: [...problems, ...matched.problems, ...teamless],
    unknownTeams,
    refuseTeams: () => void find(asked),
  };
}

/** An id that is in no list, and that no one is in, is a mistake, or of a team that this token can't change. */
function findUnseenTeams(
  wanted: readonly Wanted[],
  members: readonly Member[],
  organization: string,
): readonly Problem[] {
  const unseen = wanted.flatMap(({ line, teams = [] }) =>
    teams.flatMap(({ id, name, asked }) => (name === undefined ? { line, id, asked } : [])),
  );
  if (unseen.length === 0) return [];
  const seen = new Set(members.flatMap(({ teams = [] }) => teams.map(({ id }) => id)));
  return unseen
    .filter(({ id }) => !seen.has(id))
    .map(({ line, asked }) => ({ line, text: `${organization} has no team '${asked}'` }));
}

/** A name that several teams have is no name for one of them. */
export function toTeamFacts(teams: readonly Resource[]): ReadonlyMap<string, TeamFacts> {
  const counts = countEach(teams.map(teamName));
  return new Map(
    teams.map((team) => {
      const name = teamName(team);
      return [
        team.id,
        {
          name: name !== '' && counts.get(name) === 1 ? name : team.id,
          isOwners: name === OWNERS_TEAM,
          // What HCP manages is the whole organization: it refuses, and says so.
          isManaged: findTeamManager(team) === 'sso' || findTeamManager(team) === 'scim',
        },
      ];
    }),
  );
}

/** Everyone there, of a whole list. Throws `incomplete` when it kept changing. */
export async function readMembers(
  service: Pick<Service, 'memberships'>,
  organization: string,
  progress: RosterReader['progress'],
): Promise<readonly Member[]> {
  for (let reading = 1; ; reading += 1) {
    try {
      return await readOnce(service, organization, progress('Reading members'));
    } catch (error) {
      if (!(error instanceof OrgctlError) || error.exit !== 'incomplete' || reading === READINGS) throw error;
    }
  }
}

/** Page by page, since the answers of a whole organization need not fit into the memory. */
async function readOnce(
  { memberships }: Pick<Service, 'memberships'>,
  organization: string,
  progress: Progress,
): Promise<readonly Member[]> {
  const members: Member[] = [];
  try {
    for await (const page of memberships.list(organization, {}, USUAL_INCLUDE, {}).stream()) {
      for (const member of toMembers(page)) members.push(member);
      progress.update(`Reading members: ${members.length}`);
    }
  } finally {
    progress.stop();
  }
  return members;
}

/** Where no address can be seen, everyone would seem to be absent. */
function refuseHiddenEmails(members: readonly Member[], organization: string): void {
  if (members.length === 0 || members.some(({ email }) => email !== undefined)) return;
  throw new UsageError(`this service doesn't show the email addresses of ${organization}'s members`, {
    hint: 'Name people by user or id.',
  });
}
