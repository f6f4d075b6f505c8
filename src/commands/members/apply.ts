import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { readText } from '../../files/read-text.ts';
import { listTeamNames, nameMember } from '../../people/member.ts';
import { toOrganization } from '../../resources/organization.ts';
import {
  createTeamChanges,
  type DoneTeams,
  findUnshown,
  parseShownPlan,
  removeAsShown,
  type TeamChanges,
} from '../../roster/apply.ts';
import { findLeavers, type Step, type TeamStep, toName } from '../../roster/plan.ts';
import type { RosterPlan } from '../../roster/plan-roster.ts';
import { describeLeft, describeSteps } from '../../roster/plan-text.ts';
import type { Memberships } from '../../service/memberships.ts';
import { countPeople, formatCount } from '../../text/count.ts';
import { shortenList } from '../../text/shorten.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { doJob, type JobResult } from '../bulk.ts';
import { text, type Values } from '../param.ts';
import { toFileReader } from '../people.ts';
import { confirmSteps, maxRemovals, refuseManyRemovals, toMostRemovals, toSignedLines } from '../plans.ts';
import type { ResultOf } from '../row-error.ts';
import { verb } from '../verb.ts';
import { APPLIED_COLUMNS, type AppliedRow, toTeamsOf } from './columns.ts';
import { inviteInto } from './invitation.ts';
import { actOnRoster, ROSTER, ROSTER_HELP, toRosterInput } from './options.ts';

const PRUNES = '--prune or --prune-teams';

const OPTIONS = {
  ...ROSTER,
  maxRemovals: maxRemovals('people would leave the organization or a team', PRUNES),
  plan: text('--plan <path>', 'A plan from members plan -o json: change nothing if anything else would be done'),
};

export const apply = verb({
  name: 'members apply',
  help: 'Bring an organization in line with a roster',
  effect: 'writes',
  options: OPTIONS,
  examples: [
    'orgctl members apply --file roster.yaml --prune --dry-run',
    'orgctl members plan --file roster.yaml -o json > plan.json; orgctl members apply --file roster.yaml --plan plan.json --yes',
  ],
  more: ROSTER_HELP,
  columns: APPLIED_COLUMNS,
  async run(context, given) {
    const input = toApplyInput(given);
    (await context.screen.output()).checkFields(APPLIED_COLUMNS);
    await actOnRoster(context, input, (one, made) => applyRoster(one, made, input));
  },
});

type Input = ReturnType<typeof toApplyInput>;

function toApplyInput({ maxRemovals: most, plan, ...rest }: Values<typeof OPTIONS>) {
  const input = toRosterInput(rest);
  const limit = toMostRemovals(most, input.prune || input.pruneTeams, 'Without them no one is removed.', PRUNES);
  if (plan === '-' && input.file === '-') {
    throw new UsageError("--file and --plan can't both be stdin", { hint: 'Name a file for one of them.' });
  }
  // `shown` is the plan that was looked at: nothing that it does not hold is done.
  return { ...input, maxRemovals: limit, shown: plan };
}

async function applyRoster(context: Context, made: RosterPlan, input: Input): Promise<void> {
  const { screen, services } = context;
  const { plan, organization } = made;
  const { steps } = plan;
  const leavers = findLeavers(plan);
  refuseManyRemovals(context, {
    lines: describeSteps(leavers),
    most: input.maxRemovals,
    verb: 'remove',
    effect: describeLeaving(leavers, organization),
    name: made.name,
  });
  if (input.shown !== undefined) await refuseUnshown(context, made, input.shown);
  const left = describeLeft(plan);
  if (left.length > 0) screen.note(`Left as they are: ${left.join(', ')}.`);
  if (steps.length > 0) {
    await confirmSteps(context, { sentences: describeSteps(steps), count: steps.length, where: organization });
  }
  // Who changes teams comes first: an organization that is full does not keep them from it.
  const moves = steps.filter((step) => step.action === 'teams');
  const items = [...moves, ...steps.filter((step) => step.action !== 'teams')];
  const service = await services.current();
  const teamChanges = createTeamChanges(service.teams, organization, moves);
  await doJob(context, {
    items,
    columns: APPLIED_COLUMNS,
    doing: 'Applying',
    things: countPeople(items.length),
    isCounted: true,
    name: (step) => (step.action === 'invite' ? step.wanted.email : nameMember(step.member)),
    known(step) {
      const done = step.action === 'teams' ? teamChanges.known(step) : undefined;
      return done === undefined ? undefined : toTeamRow(step, organization, done);
    },
    act: createActor(service.memberships, organization, { teamChanges, hasTeams: made.hasTeams }),
    toRow: (step, undone) =>
      toRow(step, organization, {
        ...(step.action === 'teams' ? toTeamFields(teamChanges.done(step)) : {}),
        ...undone,
      }),
  });
}

/** Completes `the roster would …`. */
function describeLeaving(leavers: readonly Step[], organization: string): string {
  const removed = leavers.filter(({ action }) => action === 'remove').length;
  const rest = leavers.length - removed;
  if (rest === 0) return `remove ${countPeople(removed)} from ${organization}`;
  if (removed === 0) return `remove ${countPeople(rest)} from teams`;
  return `remove ${countPeople(removed)} from ${organization} and ${formatCount(rest)} from teams`;
}

/** What changed since the plan was looked at is to be looked at as well. */
async function refuseUnshown(context: Context, { plan, organization }: RosterPlan, path: string): Promise<void> {
  const { text, name } = await readText(toFileReader(context), path, { option: '--plan' });
  const unshown = findUnshown(plan.steps, parseShownPlan(text, name), organization);
  if (unshown.length === 0) return;
  throw new UsageError(`${organization} or the roster changed after ${name} was made`, {
    code: 'not-in-plan',
    reasons: [`Not in ${name}:`, ...shortenList(toSignedLines(context, describeSteps(unshown)))],
    hint: 'Nothing was sent. Make the plan again with members plan -o json, and check it.',
  });
}

function createActor(
  memberships: Memberships,
  organization: string,
  { teamChanges, hasTeams }: { readonly teamChanges: TeamChanges; readonly hasTeams: boolean },
): (step: Step) => Promise<JobResult<AppliedRow> | undefined> {
  const removals: Promise<unknown>[] = [];
  return async (step) => {
    switch (step.action) {
      case 'remove': {
        const removal = removeAsShown(memberships, step.member, organization);
        removals.push(removal);
        const result = await removal;
        return result === undefined ? undefined : toRow(step, organization, { changed: result === 'removed', result });
      }
      case 'invite': {
        // In an organization that is full they make the room.
        await Promise.allSettled(removals);
        const { email } = step.wanted;
        const invited = await inviteInto(memberships, organization, { email, teams: step.teams }, 'invited');
        return invited && { ...invited, extra: { action: step.action, ...invited.extra } };
      }
      case 'teams': {
        if (!hasTeams) throw toNoTeams(step, organization);
        const done = await teamChanges.settle(step);
        return done === undefined ? undefined : toTeamRow(step, organization, done);
      }
    }
  };
}

function toNoTeams({ member, add }: TeamStep, organization: string): OrgctlError {
  return new OrgctlError('not-found', `can't add ${nameMember(member)} to ${listTeamNames(add)}`, {
    reasons: [`Your token can't see the teams of ${organization}, or this service has no routes for them (404).`],
    hint: 'Use a token that can see the teams, or change them in the service.',
  });
}

function toTeamFields({ added, removed }: DoneTeams): Pick<AppliedRow, 'teams-add' | 'teams-remove'> {
  return { 'teams-add': added.map(toName), 'teams-remove': removed.map(toName) };
}

function toTeamRow(step: Step, organization: string, done: DoneTeams): JobResult<AppliedRow> {
  const changed = done.added.length + done.removed.length > 0;
  return toRow(step, organization, { ...toTeamFields(done), changed, result: changed ? 'changed' : 'unchanged' });
}

function toRow(
  step: Step,
  organization: string,
  result: ResultOf<AppliedRow> & Pick<AppliedRow, 'teams-add' | 'teams-remove'>,
): JobResult<AppliedRow> {
  const member = step.action === 'invite' ? undefined : step.member;
  const email = step.action === 'invite' ? step.wanted.email : step.member.email;
  return {
    resource: { type: ORGANIZATION_MEMBERSHIPS, id: member?.id ?? null },
    extra: {
      action: step.action,
      ...(email === undefined ? {} : { email }),
      organization: toOrganization(organization),
      ...toTeamsOf(member),
      ...(member?.status === undefined ? {} : { status: member.status }),
      ...result,
    },
  };
}
