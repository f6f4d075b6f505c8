import { ask } from '../../cli/ask.ts';
import { runBatch } from '../../cli/batch.ts';
import { readEachOrg } from '../../cli/each-org.ts';
import type { Session } from '../../cli/session.ts';
import { UsageError } from '../../lib/errors.ts';
import { joinNames } from '../../lib/text.ts';
import { createMemberRow, RESULT_COLUMNS } from '../../members/columns.ts';
import { findMatches, type MemberMatch, selectMatches } from '../../members/find-members.ts';
import { describeMember, formatMember, type Member } from '../../members/member.ts';
import { hasRemainingOwner, readIsCaller, readOwners } from '../../members/owners.ts';
import { readTargets, type Target } from '../../members/targets.ts';
import { createTeamChanges, type TeamChange } from '../../members/team-changes.ts';
import { createTeamFinder, readKnownTeams, type Team } from '../../members/teams.ts';
import type { Sentence } from '../../output/messages.ts';

export interface TeamOptions {
  /** Name or id of the team that people join. */
  into?: string;
  /** Name or id of the team that people leave. */
  outOf?: string;
  allowSelf: boolean;
}

interface TeamStep extends TeamChange {
  into: Team | undefined;
  outOf: Team | undefined;
}

export async function changeTeams(
  session: Session,
  named: string[],
  file: string | undefined,
  change: TeamOptions,
): Promise<void> {
  const targets = await readTargets(session, named, file, { needsOrg: change.into === undefined });
  const { values, failures } = await readEachOrg(session, (org) => prepare(session, org, targets(org), change));
  // A missing person may be in an organization that could not be read.
  const matches = selectMatches(values.flat(), { keepsMissing: failures.length > 0 });
  const steps = matches.flatMap(({ step }) => step ?? []);
  await confirm(session, steps, findAction({ leaves: change.outOf !== undefined, into: change.into }));
  const changes = createTeamChanges(session.client, steps);
  await runBatch<TeamStep>(session, steps, {
    label: change.into === undefined ? 'Removing' : 'Adding',
    columns: RESULT_COLUMNS,
    failures,
    name: ({ member }) => formatMember(member),
    row: ({ org, member, into, outOf }) => {
      const team = into ?? outOf;
      return { ...createMemberRow(member, org), teams: [{ id: team?.id, type: 'teams', name: team?.name }] };
    },
    hasStarted: changes.hasStarted,
    async act(step) {
      const done = await changes.act(step);
      return done && { ...done, result: done.result === 'changed' ? RESULTS[findStepAction(step)] : done.result };
    },
    sentence: (step, { result }) => createSentence(step, result),
  });
}

/** `step`: undefined for a missing person. */
type Prepared = MemberMatch & { step: TeamStep | undefined };

async function prepare(
  { client, hasSeveralOrgs }: Session,
  org: string,
  targets: Target[],
  change: TeamOptions,
): Promise<Prepared[]> {
  // An organization without rows in the file may lack the team.
  if (targets.length === 0) return [];
  const matches = await findMatches(client, org, targets, hasSeveralOrgs);
  const teams = await readKnownTeams(client, org);
  const findTeam = createTeamFinder(org, teams);
  const [into, outOf] = [change.into, change.outOf].map((text) => (text === undefined ? undefined : findTeam(text)));
  if (into && into.id === outOf?.id) {
    throw new UsageError(`${into.name} is both the team to join and the team to leave`);
  }
  const prepared = matches.map((match): Prepared => {
    const { member } = match;
    if (!member) return { ...match, step: undefined };
    // If the service doesn't show people's teams, the change is always sent.
    const isIn = (team: Team): boolean | undefined => member.teams?.some(({ id }) => id === team.id);
    const add = into && isIn(into) !== true ? [into] : [];
    const remove = outOf && isIn(outOf) !== false ? [outOf] : [];
    return { ...match, step: { org, member, into, outOf, add, remove } };
  });
  const leaving = outOf?.isOwners ? prepared.flatMap(({ step }) => (step && leaves(step) ? [step.member] : [])) : [];
  if (leaving.length > 0) await assertMayLeaveOwners(client, org, leaving, teams, change.allowSelf);
  return prepared;
}

async function assertMayLeaveOwners(
  client: Session['client'],
  org: string,
  leaving: Member[],
  teams: Team[] | undefined,
  allowSelf: boolean,
): Promise<void> {
  const [owners, isCaller] = await Promise.all([readOwners(client, org, teams), readIsCaller(client)]);
  if (!allowSelf && leaving.some(isCaller)) {
    throw new UsageError('this would remove you from owners', { code: 'protected', hint: 'Use --allow-self.' });
  }
  if (!owners) throw new UsageError(`can't see who owns ${org}`, { code: 'protected' });
  if (!hasRemainingOwner(owners, leaving)) {
    throw new UsageError(`${org} would have no owner: ${joinNames(leaving.map(formatMember))} can't leave owners`, {
      code: 'protected',
    });
  }
}

async function confirm(session: Session, steps: TeamStep[], action: string): Promise<void> {
  const affected = steps.filter((step) => leaves(step) || step.add.some(({ isOwners }) => isOwners));
  const describe = (step: TeamStep): string => `${describeMember(step.member)} ${formatDirection(step)} (${step.org})`;
  await ask(session, affected, {
    line: describe,
    one: (step) => `${capitalize(findStepAction(step))} ${describe(step)}?`,
    many: (count) => `${capitalize(action)} these ${count} people?`,
  });
}

const RESULTS = { add: 'added', move: 'moved', remove: 'removed' } as const;

function leaves({ remove }: TeamChange): boolean {
  return remove.length > 0;
}

function findStepAction(step: TeamStep): keyof typeof RESULTS {
  return findAction({ leaves: leaves(step), into: step.into });
}

function findAction({ leaves, into }: { leaves: boolean; into?: unknown }): keyof typeof RESULTS {
  if (!leaves) return 'add';
  return into ? 'move' : 'remove';
}

/** `from audit to platform` */
function formatDirection(step: TeamStep): string {
  const { into, outOf } = step;
  return [leaves(step) && `from ${outOf?.name}`, into && `to ${into.name}`].filter(Boolean).join(' ');
}

function createSentence(step: TeamStep, result: string): Sentence {
  const { org, member, into, outOf } = step;
  const name = formatMember(member);
  if (result === 'unchanged') {
    return { sign: '=', text: `${name} is ${into ? 'already' : 'not'} in ${(into ?? outOf)?.name} (${org})` };
  }
  const move = `${name} ${formatDirection(step)} (${org})`;
  return result === 'planned'
    ? { sign: 'Would', text: `${findStepAction(step)} ${move}` }
    : { sign: '✓', text: `${capitalize(result)} ${move}` };
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
