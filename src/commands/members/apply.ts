import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { parseWholeNumber } from '../../input/whole-number.ts';
import { countPeople, describeMember } from '../../people/member.ts';
import { readText } from '../../people/read-people-file.ts';
import { findUnshown, parseShownPlan, removeAsShown } from '../../roster/apply.ts';
import { isDoable, type Plan, type Step } from '../../roster/plan.ts';
import { planRoster, type RosterPlan } from '../../roster/plan-roster.ts';
import { toPlanLines } from '../../roster/plan-text.ts';
import type { Memberships } from '../../service/memberships.ts';
import type { WriteResult } from '../../stdout/result.ts';
import { PLAIN_STYLE } from '../../text/plain-style.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { doJob } from '../bulk.ts';
import { addExamples } from '../options.ts';
import { APPLIED_COLUMNS, toOrganization } from './columns.ts';
import { inviteInto, refuseTeamsMissing } from './invitation.ts';
import { addRosterOptions, type RosterFlags, toFileReader, toRosterInput, toRosterReader } from './options.ts';

interface Flags extends RosterFlags {
  readonly maxRemovals?: string;
  readonly plan?: string;
}

type Input = ReturnType<typeof toApplyInput>;

type Item = Extract<Step, { action: 'remove' | 'invite' | 'teams-missing' }>;

const MOST_REMOVALS = 5;
const MOST_SHOWN = 20;

export function registerApply(noun: Command, open: OpenContext): void {
  const verb = noun
    .command('apply')
    .description(
      'make an organization as a roster wants it: invite who is missing and, with --prune, remove the others',
    );
  const withRoster = addRosterOptions(verb)
    .option(
      '--max-removals <n>',
      `with --prune: when there are more, nothing at all is sent (default: ${MOST_REMOVALS})`,
    )
    .option(
      '--plan <path>',
      'a plan that members plan -o json printed: when anything else is to be done, nothing is sent',
    );
  addExamples(withRoster, {
    'orgctl members plan --init --org acme > roster.yaml && orgctl members apply --file roster.yaml --prune --org acme --dry-run':
      'what would be sent: of a roster just made nothing',
  }).action((flags: Flags) => applyRoster(open(verb), toApplyInput(flags)));
}

function toApplyInput(flags: Flags) {
  const { maxRemovals, plan, ...rest } = flags;
  const input = toRosterInput(rest);
  if (maxRemovals !== undefined && !input.prune) {
    throw new UsageError('--max-removals goes with --prune', { hint: 'Without --prune nobody is removed.' });
  }
  const most =
    maxRemovals === undefined
      ? MOST_REMOVALS
      : parseWholeNumber(maxRemovals, { name: '--max-removals', hint: 'For example: --max-removals 20' });
  if (plan === '-' && input.file === '-') {
    throw new UsageError('--file and --plan cannot both be stdin', { hint: 'Name a file for one of them.' });
  }
  // `shown` is the plan that was looked at: nothing that it does not hold is done.
  return { ...input, maxRemovals: most, shown: plan };
}

async function applyRoster(context: Context, input: Input): Promise<void> {
  const { screen, services } = context;
  const output = await screen.output();
  output.checkFields(APPLIED_COLUMNS);
  const made = await planRoster(toRosterReader(context), context.identity.organization(), input);
  const { plan, organization } = made;
  const doable = plan.steps.filter(isDoable);
  refuseManyRemovals(context, made, input.maxRemovals);
  if (input.shown !== undefined) await refuseUnshown(context, made, input.shown);
  if (doable.length > 0) await confirmPlan(context, made);
  // Members who only need teams come first: whatever fails later, they are reported.
  const lacking = plan.steps.filter((step) => step.action === 'teams-missing');
  const items: readonly Item[] = [...lacking, ...doable];
  const { memberships } = await services.current();
  await doJob(context, {
    items,
    columns: APPLIED_COLUMNS,
    doing: 'Applying',
    summary: countPeople(items.length),
    name: (item) => (item.action === 'invite' ? item.wanted.email : describeMember(item.member)),
    act: createActor(memberships, organization),
    toRow: (item, undone) => toRow(item, organization, { ...undone }),
  });
  refuseTeamsMissing(
    'some are there, but not in every team the roster wants them in',
    lacking.map(({ member, missing }) => `${describeMember(member)} is not in ${missing.join(', ')}`),
  );
}

function refuseManyRemovals(context: Context, { plan, organization, name }: RosterPlan, most: number): void {
  const removals = plan.steps.filter(({ action }) => action === 'remove');
  if (removals.length <= most) return;
  throw new UsageError(
    `${name} would remove ${countPeople(removals.length)} from ${organization}, and at most ${most} may go`,
    {
      code: 'too-many-removals',
      reasons: describeSteps(context, plan, removals.slice(0, MOST_SHOWN)),
      hint: `Nothing was sent. If they are all to go, add --max-removals ${removals.length}.`,
    },
  );
}

/** What changed since somebody looked at the plan is for them to look at again. */
async function refuseUnshown(context: Context, { plan, organization }: RosterPlan, path: string): Promise<void> {
  const { text, name } = await readText(toFileReader(context), path, '--plan');
  const unshown = findUnshown(plan.steps.filter(isDoable), parseShownPlan(text, name), organization);
  if (unshown.length === 0) return;
  throw new UsageError(`${organization} or the roster changed after ${name} was made`, {
    code: 'not-in-plan',
    reasons: ['it does not show:', ...describeSteps(context, plan, unshown.slice(0, MOST_SHOWN))],
    hint: 'Nothing was sent. Make the plan again with members plan -o json, and look at it.',
  });
}

function describeSteps({ identity }: Context, plan: Plan, steps: Plan['steps']): readonly string[] {
  return toPlanLines({ ...plan, steps }, { style: PLAIN_STYLE, inWords: identity.settings.accessible.value });
}

/** Where no one is asked, what is about to happen is shown all the same. */
async function confirmPlan(context: Context, { plan, organization }: RosterPlan): Promise<void> {
  const { identity, screen, services } = context;
  const steps = plan.steps.filter(isDoable);
  const count = steps.length;
  const lines = describeSteps(context, plan, steps);
  if (services.dryRun || identity.optionGiven('yes')) await showLines(context, lines);
  if (services.dryRun) return;
  await screen.confirm({
    question: `Apply ${count === 1 ? 'this change' : `these ${count} changes`} to ${organization}?`,
    consequences: lines,
  });
}

/** In one piece: there may be thousands. */
async function showLines({ identity, screen }: Context, lines: readonly string[]): Promise<void> {
  if (identity.settings.quiet.value) return;
  if ((await screen.output()).format.forPrograms) screen.note(lines.join('; '));
  else await (await screen.output('stderr')).raw(lines.join('\n'));
}

function createActor(memberships: Memberships, organization: string): (item: Item) => Promise<WriteResult | undefined> {
  const removals: Promise<unknown>[] = [];
  return async (item) => {
    switch (item.action) {
      case 'remove': {
        const removal = removeAsShown(memberships, item.member, organization);
        removals.push(removal);
        const result = await removal;
        return result === undefined ? undefined : toRow(item, organization, { changed: result === 'removed', result });
      }
      case 'invite':
        // In an organization that is full they make the room.
        await Promise.allSettled(removals);
        return await inviteInto(memberships, organization, item.wanted, 'invited', { action: item.action });
      case 'teams-missing':
        return toRow(item, organization, { changed: false, 'teams-missing': item.missing, result: 'unchanged' });
    }
  };
}

function toRow(
  item: Item,
  organization: string,
  result: { readonly changed: boolean; readonly [name: string]: unknown },
): WriteResult {
  const member = item.action === 'invite' ? undefined : item.member;
  const email = item.action === 'invite' ? item.wanted.email : item.member.email;
  return {
    resource: { type: ORGANIZATION_MEMBERSHIPS, id: member?.id ?? null },
    extra: {
      action: item.action,
      ...(email === undefined ? {} : { email }),
      organization: toOrganization(organization),
      ...(member?.status === undefined ? {} : { status: member.status }),
      ...result,
    },
  };
}
