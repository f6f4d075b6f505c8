import { OrgctlError, UsageError } from '../errors.ts';
import { type FileReader, readText } from '../files/read-text.ts';
import { countEach } from '../groups.ts';
import { once } from '../once.ts';
import { findReadable, type Organizations } from '../organizations/organizations.ts';
import type { FoundEach } from '../organizations/side-by-side.ts';
import { createDirectories, type Directories, type Directory } from '../people/directory.ts';
import { type Member, toMembers } from '../people/member.ts';
import { createRemovalGuard, findSelf } from '../people/removal-guard.ts';
import { chooseAmong, listTeamProblems } from '../people/teams.ts';
import type { PlacedPeople } from '../people-files/person-rows.ts';
import { type Problem, refuseProblems, toRowWord } from '../people-files/person-rows.ts';
import { settlePeople } from '../people-files/read-people-file.ts';
import { stream } from '../reading.ts';
import { findTeamManager, OWNERS_TEAM, teamName } from '../resources/team.ts';
import { USUAL_INCLUDE } from '../service/include.ts';
import type { Service } from '../service/service.ts';
import type { Progress } from '../stderr/waiting.ts';
import { formatCount } from '../text/count.ts';
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
  /** Whether the service lists teams; where it does not, it takes no changes of them. */
  readonly hasTeams: boolean;
}

/** How often a list that keeps changing is read from its start; each reading tries several times itself. */
const READINGS = 3;

export interface ReadRoster {
  readonly roster: Roster;
  readonly isFile: boolean;
}

/** Throws UsageError for a file that can't be read as a roster. */
export async function readRoster(reader: FileReader, path: string): Promise<ReadRoster> {
  const { text, name, isFile } = await readText(reader, path);
  // Its parsers are loaded for files only.
  const { parseRoster } = await import('./roster.ts');
  return { roster: await parseRoster(text, name), isFile };
}

/**
 * How each of the organizations differs from the roster, or why it could not be read. Throws UsageError for a roster that cannot be
 * used, with everything that is wrong in it, whichever organization it is about; and what keeps all of them from being read, which
 * is `incomplete` when the list of members kept changing.
 */
export async function planRoster(
  reader: RosterReader,
  organizations: Organizations,
  roster: Roster,
  input: RosterInput,
): Promise<readonly FoundEach<RosterPlan>[]> {
  const { describeRoster } = await import('./roster.ts');
  const { name } = roster;
  const form = describeRoster(roster);
  const { note, progress, warn } = reader;
  const openDirectories = once(async () => createDirectories(await reader.service(), organizations, note));
  const lookAt = async (organization: string, people: PlacedPeople, needsTeams: boolean): Promise<Comparison> =>
    await compare((await openDirectories()).of(organization), people, { needsTeams, progress });
  const placing = {
    known: [],
    organizations: organizations.names,
    async findMore(people: PlacedPeople, names: readonly string[]) {
      const found: Problem[] = [];
      for (const one of names) found.push(...(await lookAt(one, people, true)).problems);
      return found;
    },
  };
  const people = await settlePeople(reader, roster, placing, form);
  for (const organization of await organizations.names()) {
    if (!input.prune || people.in(organization).length > 0) continue;
    throw new UsageError(`${name} names no one: --prune would remove everyone from ${organization}`, {
      hint: 'A roster names at least one person. To remove people, use members remove.',
    });
  }
  const found = await findReadable(organizations, async (organization) => {
    const compared = await lookAt(organization, people, input.prune || input.pruneTeams);
    if (!input.pruneTeams || compared.known !== undefined) return compared;
    throw new UsageError(`the teams of ${organization} can't be read, so --prune-teams takes no one out of a team`, {
      reasons: ["Your token can't see its teams, or this service doesn't list teams."],
      hint: 'Nothing was sent. Leave --prune-teams out.',
    });
  });
  const compared = new Map(found.map((one) => [one.organization, one]));
  const wrong = found.flatMap(({ value }) => (value !== undefined && value.problems.length > 0 ? [value] : []));
  const [only] = wrong.length === 1 ? wrong : [];
  // Unknown teams alone are said with the names that were probably meant.
  if (only?.problems.length === only?.unknownTeams) only?.refuseTeams();
  refuseProblems(
    people.file,
    wrong.flatMap(({ problems }) => problems),
    form,
  );
  return await findReadable(organizations, async (organization) => {
    const { value, error } = compared.get(organization) ?? {};
    if (value === undefined) throw error;
    return await planFor(value, { directories: await openDirectories(), name, warn }, input);
  });
}

interface Planning extends Pick<RosterReader, 'warn'> {
  readonly directories: Directories;
  /** Of the roster. */
  readonly name: string;
}

async function planFor(
  { directory, members, known, matched }: Comparison,
  { directories, name, warn }: Planning,
  { prune, pruneTeams, allowOwners, includeManaged }: RosterInput,
): Promise<RosterPlan> {
  const { organization } = directory;
  for (const { wanted, member } of matched.moved) {
    warn(`${wanted.user ?? wanted.id} is ${member.email} now, not ${wanted.email} as in ${name}`);
  }
  const self = prune || pruneTeams ? await findSelf(directories, organization) : undefined;
  const guard = prune && self !== undefined ? await createRemovalGuard(directory, self, allowOwners) : undefined;
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
  // Without this, a mistake in a name would show only when the person who was meant is removed.
  for (const step of plan.steps) {
    if (step.action !== 'invite') continue;
    const { id, user = id, email } = step.wanted;
    if (user !== undefined) warn(`${organization} has no member ${user}, so an invitation goes to ${email}`);
  }
  return { plan, organization, hasTeams: known !== undefined };
}

interface Comparison {
  readonly directory: Directory;
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
  directory: Directory,
  people: PlacedPeople,
  { needsTeams, progress }: { readonly needsTeams: boolean } & Pick<RosterReader, 'progress'>,
): Promise<Comparison> {
  const { organization } = directory;
  const rows = people.in(organization);
  const unusable = people.unusableIn(organization);
  const asked = [...new Set([...rows, ...unusable].flatMap((row) => row.teams ?? []))];
  const known = needsTeams || asked.length > 0 ? await directory.listTeams() : undefined;
  const members = await readMembers(directory.service, organization, progress);
  const choose = chooseAmong(known, organization);
  const problems: Problem[] = [...listTeamProblems(choose, [...rows, ...unusable])];
  const wrongTeams = new Set(problems.map(({ line }) => line));
  const wanted = rows.map(({ teams, ...row }): Wanted => {
    const isKnown = teams !== undefined && !wrongTeams.has(row.line);
    return isKnown ? { ...row, teams: choose(teams) } : row;
  });
  const unknownTeams = problems.length;
  if (rows.some(({ id, user }) => id === undefined && user === undefined)) refuseHiddenEmails(members, organization);
  const matched = matchPeople(wanted, members, { organization, place: toRowWord(people.file.kind) });
  if (known !== undefined) problems.push(...findUnseenTeams(wanted, members, organization));
  // A member may be in no team; no one is invited without one.
  const teamless = matched.absent
    .filter(({ teams = [], line }) => teams.length === 0 && !wrongTeams.has(line))
    .map(({ email, line }) => ({ line, text: `${email} has no team, and an invitation to ${organization} needs one` }));
  return {
    directory,
    members,
    known,
    matched,
    problems: [...problems, ...matched.problems, ...teamless],
    unknownTeams,
    refuseTeams: () => void choose(asked),
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
          // HCP manages whole organizations, and the service then refuses the change and says so.
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
    for await (const page of stream(memberships.list(organization, {}, USUAL_INCLUDE, {}))) {
      for (const member of toMembers(page)) members.push(member);
      progress.update(`Reading members: ${formatCount(members.length)}`);
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
