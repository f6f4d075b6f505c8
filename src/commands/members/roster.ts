import type { Command } from 'commander';
import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { chooseTeams, resolveTeams } from '../../people/find-teams.ts';
import { type Member, toMembers } from '../../people/member.ts';
import { createRemovalGuard, findSelf } from '../../people/removal-guard.ts';
import { makePlan, type Plan, type Wanted } from '../../roster/plan.ts';
import type { Roster } from '../../roster/roster.ts';
import { WITH_USER } from '../../service/include.ts';
import { tellPeople } from '../bulk.ts';
import { readText } from './people.ts';

/** A roster and the organization it is of: read, compared, and nothing sent. */

export interface RosterFlags {
  readonly file?: string;
  readonly prune?: boolean;
  readonly allowOwners?: boolean;
}

export interface RosterInput {
  /** `-` is stdin. */
  readonly file: string;
  /** Whether whoever the roster does not name is to be removed. */
  readonly prune: boolean;
  readonly allowOwners: boolean;
}

export interface RosterPlan {
  readonly plan: Plan;
  readonly organization: string;
  /** What messages call the roster. */
  readonly name: string;
  /** Whether it can be read again: not so stdin, nor a pipe. */
  readonly isFile: boolean;
}

/** A list that kept changing is read from its start so many times; each such reading tries several times itself. */
const READINGS = 3;

export function addRosterOptions(command: Command): Command {
  return command
    .option('--file <path>', 'the roster: YAML, JSON or CSV; - is stdin')
    .option('--prune', 'whoever the roster does not name is to be removed, but owners and you')
    .option('--allow-owners', 'with --prune: remove owners too, but never the last one and never you');
}

/** Adds to a verb's help what a roster looks like. */
export function addRosterForm(command: Command): Command {
  return command.addHelpText(
    'after',
    '\nA roster:\n  members:\n    - email: ana@example.com\n      teams: [platform, security]',
  );
}

export function toRosterInput({ file, prune = false, allowOwners = false }: RosterFlags): RosterInput {
  if (file === undefined) {
    throw new UsageError('no roster is named', {
      hint: 'Name it with --file. To write one of who is there now:',
      next: [['orgctl', 'members', 'plan', '--init']],
    });
  }
  if (allowOwners && !prune) {
    throw new UsageError('--allow-owners goes with --prune', { hint: 'Without --prune nobody is removed.' });
  }
  return { file, prune, allowOwners };
}

/** Throws UsageError for a roster that cannot be used, and `incomplete` when the list of members kept changing. */
export async function planRoster(context: Context, { file, prune, allowOwners }: RosterInput): Promise<RosterPlan> {
  const { identity, services } = context;
  const organization = identity.organization();
  const { text, name, isFile } = await readText(context, file);
  // Its parsers are loaded for files only.
  const { parseRoster } = await import('../../roster/roster.ts');
  const roster = await parseRoster(text, name);
  noteRoster(context, roster, name);
  if (prune && roster.rows.length === 0) {
    throw new UsageError(`${name} names nobody: with --prune that would remove everybody from ${organization}`, {
      hint: 'A roster names at least one person. To remove people, use members remove.',
    });
  }
  const wanted = await findWanted(context, organization, roster);
  const members = await readMembers(context, organization);
  refuseHiddenEmails(members, organization);
  const service = await services.current();
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

function noteRoster({ screen }: Pick<Context, 'screen'>, { folded, ignored }: Roster, name: string): void {
  if (folded > 0) screen.note(`${name}: ${folded === 1 ? 'one row names' : `${folded} rows name`} somebody again`);
  if (ignored.length > 0) screen.note(`${name}: not used: ${ignored.join(', ')}`);
}

async function findWanted(
  { services }: Pick<Context, 'services'>,
  organization: string,
  { rows }: Roster,
): Promise<readonly Wanted[]> {
  const { teams } = await services.current();
  const asked = new Set(rows.flatMap((row) => row.teams));
  const known = await resolveTeams(teams, organization, [...asked]);
  return rows.map(({ email, teams: own, line }) => ({ email, line, teams: chooseTeams(known, own) }));
}

/** Everybody there, of a whole list. Throws `incomplete` when it kept changing. */
export async function readMembers(
  context: Pick<Context, 'screen' | 'services'>,
  organization: string,
): Promise<readonly Member[]> {
  for (let reading = 1; ; reading += 1) {
    try {
      return await readOnce(context, organization);
    } catch (error) {
      if (!(error instanceof OrgctlError) || error.exit !== 'incomplete' || reading === READINGS) throw error;
    }
  }
}

/** Page by page, since the answers of a whole organization need not fit into the memory. */
async function readOnce(
  { screen, services }: Pick<Context, 'screen' | 'services'>,
  organization: string,
): Promise<readonly Member[]> {
  const { memberships } = await services.current();
  const progress = screen.progress('Reading memberships');
  const members: Member[] = [];
  try {
    for await (const page of memberships.list(organization, {}, WITH_USER, {}).stream()) {
      for (const member of toMembers(page)) members.push(member);
      progress.update(`Reading memberships: ${members.length}`);
    }
  } finally {
    progress.stop();
  }
  return members;
}

/** Where nobody has an address to see, everybody would seem to be absent. */
export function refuseHiddenEmails(members: readonly Member[], organization: string): void {
  if (members.length === 0 || members.some(({ email }) => email !== undefined)) return;
  throw new UsageError(`this service does not tell the email addresses of ${organization}`, {
    hint: 'A roster names people by them, and cannot be used here.',
  });
}

/** Somebody there may be in no team; nobody is invited without one. */
function refuseTeamless({ steps }: Plan, name: string, place: string): void {
  const teamless = steps.flatMap((step) =>
    step.action === 'invite' && step.wanted.teams.length === 0 ? [step.wanted] : [],
  );
  if (teamless.length === 0) return;
  throw new UsageError(`${name}: ${tellPeople(teamless.length)} to invite without a team`, {
    code: 'invalid-rows',
    reasons: teamless.map(({ line, email }) => `${place} ${line}: ${email} has no team`),
    hint: 'Nothing was sent. Everybody invited must be added to at least one team.',
  });
}
