import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { readText } from '../../files/read-text.ts';
import { isSameName } from '../../names.ts';
import { listTeamNames, nameMember } from '../../people/member.ts';
import { createTeamChanges, type DoneTeams } from '../../people/team-changes.ts';
import { toOrganization } from '../../resources/organization.ts';
import { toTeamIdentity } from '../../resources/team.ts';
import { findUnshown, holdChanged, parseShownPlan, removeAsShown } from '../../roster/apply.ts';
import { findLeavers, type PlacedStep, place, type Step, type TeamStep } from '../../roster/plan.ts';
import type { RosterPlan } from '../../roster/plan-roster.ts';
import { describeLeft, describeSteps } from '../../roster/plan-text.ts';
import type { Service } from '../../service/service.ts';
import { countOrganizations, countPeople, describeOrganizations, formatCount } from '../../text/count.ts';
import { joinNames } from '../../text/join.ts';
import { shortenList } from '../../text/shorten.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { doJobInEach, type JobResult } from '../bulk.ts';
import { ORGANIZATIONS } from '../organizations.ts';
import { text, type Values } from '../param.ts';
import { toFactsOf, toFileReader } from '../people.ts';
import {
  confirmSteps,
  describePlaceOf,
  maxRemovals,
  refuseManyRemovals,
  toMostRemovals,
  toSignedLines,
} from '../plans.ts';
import { withLastTeams } from '../result-sentences.ts';
import type { ResultOf } from '../row-error.ts';
import { verb } from '../verb.ts';
import { APPLIED_COLUMNS, type AppliedRow, toTeamsOf } from './columns.ts';
import { inviteInto } from './invitation.ts';
import { actOnRoster, type PlannedRoster, ROSTER, ROSTER_HELP, toRosterInput } from './options.ts';

const PRUNES = '--prune or --prune-teams';

const OPTIONS = {
  ...ORGANIZATIONS,
  ...ROSTER,
  maxRemovals: maxRemovals('people would leave the organization or a team', PRUNES),
  plan: text(
    '--plan <path>',
    'A plan from members plan -o json: change nothing if anything that is not in it would be done',
    {
      complete: 'files',
    },
  ),
};

export const apply = verb({
  name: 'members apply',
  help: 'Change organizations so that they match a roster',
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
    await actOnRoster(context, input, (about, planned) => applyRoster(about, planned, input));
  },
});

type Input = ReturnType<typeof toApplyInput>;

function toApplyInput({ maxRemovals: most, plan, orgs: _orgs, allOrgs: _allOrgs, ...rest }: Values<typeof OPTIONS>) {
  const input = toRosterInput(rest);
  const limit = toMostRemovals(most, input.prune || input.pruneTeams, 'Without them no one is removed.', PRUNES);
  if (plan === '-' && input.file === '-') {
    throw new UsageError("--file and --plan can't both be stdin", { hint: 'Name a file for one of them.' });
  }
  // `shown` is the plan that was looked at: nothing that it does not hold is done.
  return { ...input, maxRemovals: limit, shown: plan };
}

/** A step, or why an organization could not be read. */
type Item = PlacedStep | { readonly organization: string; readonly refusal: OrgctlError };

async function applyRoster(context: Context, planned: PlannedRoster, input: Input): Promise<void> {
  const { organizations, screen, services } = context;
  const { plans, unread, steps, name } = planned;
  const isSeveral = !organizations.isOne;
  const leavers = findLeavers({ steps });
  refuseManyRemovals(context, {
    lines: describeSteps(leavers, isSeveral),
    most: input.maxRemovals,
    verb: 'remove',
    effect: describeLeaving(leavers),
    name,
  });
  if (input.shown !== undefined) await refuseUnshown(context, planned, input.shown);
  const left = describeLeft(
    plans.map(({ plan }) => plan),
    ' (--prune removes them)',
  );
  if (left.length > 0) screen.note(`Left as they are: ${left.join(', ')}.`);
  if (steps.length > 0) await confirmSteps(context, steps, describeSteps(steps, isSeveral));
  const service = await services.current();
  const engines = new Map(plans.map((made) => [made.organization, createEngine(service, made)]));
  const engineOf = ({ organization }: PlacedStep): Engine => {
    const engine = engines.get(organization);
    if (engine === undefined) throw new Error('a step of an organization without a plan');
    return engine;
  };
  const items: readonly Item[] = [
    ...plans.flatMap(({ plan, organization }) => place(toApplyOrder(plan.steps), organization)),
    ...unread.map(({ organization, error }) => ({ organization, refusal: error })),
  ];
  await doJobInEach(context, {
    items,
    columns: withLastTeams(
      APPLIED_COLUMNS,
      plans.flatMap(({ plan }) => plan.steps.filter(isMove)),
    ),
    doing: 'Applying',
    things: `${countPeople(steps.length)}${unread.length === 0 ? '' : ` and ${countOrganizations(unread.length)}`}`,
    isCounted: true,
    name: (item) => ('refusal' in item ? 'everyone' : nameStep(item)),
    known: (item) => ('refusal' in item ? undefined : engineOf(item).known(item)),
    act: async (item) => ('refusal' in item ? undefined : await engineOf(item).act(item)),
    toRow: (item, undone) =>
      'refusal' in item
        ? {
            resource: { type: ORGANIZATION_MEMBERSHIPS, id: null },
            extra: { organization: toOrganization(item.organization), ...undone },
          }
        : toRow(item, {
            ...(undone.result === 'planned' ? toPlannedTeams(item) : engineOf(item).done(item)),
            ...undone,
          }),
  });
}

function nameStep(step: Step): string {
  return step.action === 'invite' ? step.wanted.email : nameMember(step.member);
}

/** Who changes teams comes first: an organization that is full does not keep them from it. */
function toApplyOrder(steps: readonly Step[]): readonly Step[] {
  return [...steps.filter(isMove), ...steps.filter((step) => !isMove(step))];
}

function isMove(step: Step): step is TeamStep {
  return step.action === 'teams';
}

/** Completes `the roster would …`. */
function describeLeaving(leavers: readonly PlacedStep[]): string {
  const removed = leavers.filter(({ action }) => action === 'remove').length;
  const rest = leavers.length - removed;
  const where = describePlaceOf(leavers.filter(({ action }) => action === 'remove'));
  if (rest === 0) return `remove ${countPeople(removed)} from ${where}`;
  if (removed === 0) return `remove ${countPeople(rest)} from teams`;
  return `remove ${countPeople(removed)} from ${where} and ${formatCount(rest)} from teams`;
}

/** What changed since the plan was looked at is to be looked at as well. */
async function refuseUnshown(context: Context, { plans, steps }: PlannedRoster, path: string): Promise<void> {
  const { text, name } = await readText(toFileReader(context), path, { option: '--plan' });
  const shown = parseShownPlan(text, name);
  const unshown = findUnshown(steps, shown.keys);
  if (unshown.length === 0) return;
  const names = plans.map(({ organization }) => organization);
  const where = describeOrganizations(names);
  if (
    shown.organizations.length > 0 &&
    !shown.organizations.some((each) => names.some((one) => isSameName(one, each)))
  ) {
    throw new UsageError(`${name} is a plan of ${joinNames(shown.organizations)}, not of ${where}`, {
      code: 'not-in-plan',
      hint: 'Nothing was sent. Name its organization with --org, or make a plan of this one with members plan -o json.',
    });
  }
  throw new UsageError(`${where} or the roster changed after ${name} was made`, {
    code: 'not-in-plan',
    reasons: [
      `Not in ${name}:`,
      ...shortenList(toSignedLines(context, describeSteps(unshown, !context.organizations.isOne))),
    ],
    hint: 'Nothing was sent. Make the plan again with members plan -o json, and check it.',
  });
}

type Engine = ReturnType<typeof createEngine>;

/** What carries out the steps of one organization. */
function createEngine({ memberships, teams }: Service, { plan, organization, hasTeams }: RosterPlan) {
  const teamChanges = createTeamChanges(teams, organization, plan.steps.filter(isMove), (team, members) =>
    holdChanged(teams, team, members),
  );
  const moves: Promise<unknown>[] = [];
  const removals: Promise<unknown>[] = [];
  return {
    known(step: PlacedStep): JobResult<AppliedRow> | undefined {
      const done = step.action === 'teams' ? teamChanges.known(step) : undefined;
      return done === undefined ? undefined : toTeamRow(step, done);
    },
    done: (step: PlacedStep) => (step.action === 'teams' ? toTeamFields(teamChanges.done(step)) : {}),
    async act(step: PlacedStep): Promise<JobResult<AppliedRow> | undefined> {
      switch (step.action) {
        case 'remove': {
          // A team is not read while its people leave the organization.
          await Promise.allSettled(moves);
          const removal = removeAsShown(memberships, step.member, organization);
          removals.push(removal);
          const result = await removal;
          return result === undefined ? undefined : toRow(step, { changed: result === 'removed', result });
        }
        case 'invite': {
          // In an organization that is full they make the room.
          await Promise.allSettled([...moves, ...removals]);
          const { email } = step.wanted;
          const invited = await inviteInto(memberships, organization, { email, teams: step.teams }, 'invited');
          return invited && { ...invited, extra: { action: step.action, ...invited.extra } };
        }
        case 'teams': {
          if (!hasTeams) throw toNoTeams(step, organization);
          const move = teamChanges.settle(step);
          moves.push(move);
          const done = await move;
          return done === undefined ? undefined : toTeamRow(step, done);
        }
      }
    },
  };
}

function toNoTeams({ member, add }: TeamStep, organization: string): OrgctlError {
  return new OrgctlError('not-found', `can't add ${nameMember(member)} to ${listTeamNames(add)}`, {
    reasons: [`Your token can't see the teams of ${organization}, or this service has no routes for them (404).`],
    hint: 'Use a token that can see the teams, or change them in the service.',
  });
}

function toTeamFields({ added, removed }: DoneTeams): Pick<AppliedRow, 'teams-add' | 'teams-remove'> {
  return { 'teams-add': added.map(toTeamIdentity), 'teams-remove': removed.map(toTeamIdentity) };
}

/** What would become of teams. */
function toPlannedTeams(step: Step): Pick<AppliedRow, 'teams' | 'teams-add' | 'teams-remove'> {
  if (step.action === 'invite') return { teams: step.teams.map(toTeamIdentity) };
  return step.action === 'teams' ? toTeamFields({ added: step.add, removed: step.remove }) : {};
}

function toTeamRow(step: PlacedStep, done: DoneTeams): JobResult<AppliedRow> {
  const changed = done.added.length + done.removed.length > 0;
  return toRow(step, { ...toTeamFields(done), changed, result: changed ? 'changed' : 'unchanged' });
}

function toRow(
  step: PlacedStep,
  result: ResultOf<AppliedRow> & Pick<AppliedRow, 'teams' | 'teams-add' | 'teams-remove'>,
): JobResult<AppliedRow> {
  const member = step.action === 'invite' ? undefined : step.member;
  const email = step.action === 'invite' ? step.wanted.email : step.member.email;
  return {
    resource: { type: ORGANIZATION_MEMBERSHIPS, id: member?.id ?? null },
    extra: {
      action: step.action,
      ...(email === undefined ? {} : { email }),
      organization: toOrganization(step.organization),
      ...toTeamsOf(member),
      ...toFactsOf(member),
      ...result,
    },
  };
}
