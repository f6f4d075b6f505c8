import { OrgctlError, UsageError } from '../errors.ts';
import { type FileReader, readText } from '../input/read-text.ts';
import { chooseTeams, resolveTeams } from '../people/find-teams.ts';
import { countPeople, type Member, toMembers } from '../people/member.ts';
import type { PeopleFile } from '../people/parse-people-file.ts';
import { noteUnread } from '../people/read-people-file.ts';
import { createRemovalGuard, findSelf } from '../people/removal-guard.ts';
import { USUAL_INCLUDE } from '../service/include.ts';
import type { Service } from '../service/service.ts';
import type { Progress } from '../stderr/progress.ts';
import { makePlan, type Plan, type Wanted } from './plan.ts';

/** A roster and the organization it is of: read, compared, and nothing sent. */

export interface RosterReader extends FileReader {
  service(): Promise<Service>;
  progress(text: string): Progress;
}

export interface RosterInput {
  readonly file: string;
  readonly prune: boolean;
  readonly allowOwners: boolean;
}

export interface RosterPlan {
  readonly plan: Plan;
  readonly organization: string;
  readonly name: string;
  readonly isFile: boolean;
}

/** How often a list that keeps changing is read from its start; each reading tries several times itself. */
const READINGS = 3;

/** Throws UsageError for a roster that cannot be used, and `incomplete` when the list of members kept changing. */
export async function planRoster(
  reader: RosterReader,
  organization: string,
  { file, prune, allowOwners }: RosterInput,
): Promise<RosterPlan> {
  const { text, name, isFile } = await readText(reader, file);
  // Its parsers are loaded for files only.
  const { parseRoster, refuseRoster } = await import('./roster.ts');
  const roster = await parseRoster(text, name);
  refuseRoster(roster, name);
  noteUnread(roster, name, reader.note);
  if (prune && roster.rows.length === 0) {
    throw new UsageError(`${name} names no one: --prune would remove everyone from ${organization}`, {
      hint: 'A roster names at least one person. To remove people, use members remove.',
    });
  }
  const service = await reader.service();
  const wanted = await findWanted(service, organization, roster);
  const members = await readMembers(service, organization, reader.progress);
  refuseHiddenEmails(members, organization);
  const guard = prune
    ? await createRemovalGuard(service, organization, await findSelf(service, organization), allowOwners)
    : undefined;
  const plan = makePlan(wanted, members, guard?.protects);
  await guard?.refuseOwnerless(
    plan.steps.flatMap((step) => (step.action === 'remove' ? [step.member] : [])),
    members,
  );
  refuseTeamless(plan, name, roster.kind === 'json' ? 'entry' : 'line');
  return { plan, organization, name, isFile };
}

async function findWanted(
  { teams }: Pick<Service, 'teams'>,
  organization: string,
  { rows }: PeopleFile,
): Promise<readonly Wanted[]> {
  const asked = new Set(rows.flatMap((row) => row.teams ?? []));
  const known = await resolveTeams(teams, organization, [...asked]);
  return rows.flatMap(({ email, teams: own = [], line }) =>
    email === undefined ? [] : { email, line, teams: chooseTeams(known, own) },
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
export function refuseHiddenEmails(members: readonly Member[], organization: string): void {
  if (members.length === 0 || members.some(({ email }) => email !== undefined)) return;
  throw new UsageError(`this service doesn't show the email addresses of ${organization}'s members`, {
    hint: 'A roster names people by email, so it does not work here.',
  });
}

/** A member may be in no team; no one is invited without one. */
function refuseTeamless({ steps }: Plan, name: string, place: string): void {
  const teamless = steps.flatMap((step) =>
    step.action === 'invite' && step.wanted.teams.length === 0 ? [step.wanted] : [],
  );
  if (teamless.length === 0) return;
  throw new UsageError(
    `${name}: ${countPeople(teamless.length)} to invite ${teamless.length === 1 ? 'has' : 'have'} no team`,
    {
      code: 'invalid-rows',
      reasons: teamless.map(({ line, email }) => `${place} ${line}: ${email} has no team`),
      hint: 'Nothing was sent. An invitation needs at least one team.',
    },
  );
}
