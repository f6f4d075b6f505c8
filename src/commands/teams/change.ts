import type { Client } from '../../api/client.ts';
import { ask, runBatch, tell } from '../../cli/batch.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import type { Session } from '../../cli/session.ts';
import { UsageError } from '../../lib/errors.ts';
import { capitalize, joinNames } from '../../lib/text.ts';
import { createMemberRow, MEMBER_RESULT_COLUMNS } from '../../members/columns.ts';
import { findMembers, selectMatches } from '../../members/find-members.ts';
import { describeMember, formatMember, type Member } from '../../members/member.ts';
import { createProtectedError, findOwnerProblem, readIsCaller, readOwners } from '../../members/owners.ts';
import { readTargets, type Target } from '../../members/targets.ts';
import { createTeamChanges, type TeamChange } from '../../members/team-changes.ts';
import { mayBeOwners, readTeams, type Team, type Teams } from '../../members/teams.ts';

interface TeamOptions {
  into?: string;
  outOf?: string;
  allowSelf: boolean;
}

interface TeamStep extends TeamChange {
  into: Team | undefined;
  outOf: Team | undefined;
  action: Action;
}

const RESULTS = { add: 'added', move: 'moved', remove: 'removed' } as const;
type Action = keyof typeof RESULTS;

export async function changeTeams(session: Session, named: string[], file: string | undefined, change: TeamOptions) {
  const targets = await readTargets(session, named, file, { needsOrg: change.into === undefined });
  const { values, failures } = await readEachOrg(session, (org) => prepare(session, org, targets(org), change));
  const matches = selectMatches(values.flat(), failures.length > 0);
  const steps = matches.flatMap(({ step }) => step ?? []);
  const risky = steps.filter(({ add, remove }) => remove.length > 0 || add.some(mayBeOwners));
  const leaves = risky.some(({ remove }) => remove.length > 0);
  const verb = capitalize(findAction(change.into, leaves));
  await ask(session, risky, describe, (what) => `${verb} ${what}?`, 'people');
  const changes = createTeamChanges(session.client, steps);
  await runBatch<TeamStep>(session, steps, {
    label: change.into === undefined ? 'Removing' : 'Adding',
    columns: MEMBER_RESULT_COLUMNS,
    failures,
    name: ({ member }) => formatMember(member),
    row: ({ org, member, into, outOf }) => {
      return createMemberRow({ ...member, teams: [into ?? outOf].flatMap((team) => team ?? []) }, org);
    },
    hasStarted: changes.hasStarted,
    async act(step) {
      const done = await changes.act(step);
      return done && { ...done, result: done.result === 'changed' ? RESULTS[step.action] : done.result };
    },
    sentence: (step, { result }) => {
      const { org, member, into, outOf, action } = step;
      const same = `${formatMember(member)} is ${into ? 'already' : 'not'} in ${(into ?? outOf)?.name} (${org})`;
      const move = `${formatMember(member)} ${formatDirection(step)} (${org})`;
      return tell(result, { same, would: `${action} ${move}`, done: `${capitalize(result)} ${move}` });
    },
  });
}

async function prepare({ client, hasSeveralOrgs }: Session, org: string, targets: Target[], change: TeamOptions) {
  // An organization without rows in the file may lack the team.
  if (targets.length === 0) return [];
  const matches = await findMembers(client, org, targets, hasSeveralOrgs);
  const teams = await readTeams(client, org);
  const [into, outOf] = [change.into, change.outOf].map((text) => (text === undefined ? undefined : teams.get(text)));
  if (into && into.id === outOf?.id) {
    throw new UsageError(`${into.name} is both the team to join and the team to leave`);
  }
  const prepared = matches.map((match) => {
    const { member } = match;
    if (!member) return { ...match, step: undefined };
    // If the service doesn't show people's teams, the change is always sent.
    const isIn = (team: Team): boolean | undefined => member.teams?.some(({ id }) => id === team.id);
    const add = into && isIn(into) !== true ? [into] : [];
    const remove = outOf && isIn(outOf) !== false ? [outOf] : [];
    const step: TeamStep = { org, member, into, outOf, add, remove, action: findAction(into, remove.length > 0) };
    return { ...match, step };
  });
  const leaving = prepared.flatMap(({ step }) => (step?.remove.some(mayBeOwners) ? [step.member] : []));
  if (leaving.length > 0) await assertMayLeaveOwners(client, teams, leaving, change.allowSelf);
  return prepared;
}

async function assertMayLeaveOwners(client: Client, teams: Teams, leaving: Member[], allowSelf: boolean) {
  const { org, listed } = teams;
  const [owners, isCaller] = await Promise.all([readOwners(client, org, listed), readIsCaller(client)]);
  if (!allowSelf && leaving.some(isCaller)) {
    throw createProtectedError('this would remove you from owners', 'Use --allow-self.');
  }
  const problem = findOwnerProblem(org, owners, leaving);
  if (problem === undefined) return;
  throw createProtectedError(`${problem}: ${joinNames(leaving.map(formatMember))} can't leave owners`);
}

function findAction(into: unknown, leaves: boolean): Action {
  if (!leaves) return 'add';
  return into === undefined ? 'remove' : 'move';
}

/** `ada@example.com (active; audit) from audit to platform (acme)` */
function describe(step: TeamStep): string {
  return `${describeMember(step.member)} ${formatDirection(step)} (${step.org})`;
}

function formatDirection({ into, outOf, remove }: TeamStep): string {
  return [remove.length > 0 && `from ${outOf?.name}`, into && `to ${into.name}`].filter(Boolean).join(' ');
}
