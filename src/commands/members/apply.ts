import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { UsageError } from '../../errors.ts';
import { readText } from '../../input/read-text.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import { countPeople, nameMember } from '../../people/member.ts';
import { findUnshown, parseShownPlan, removeAsShown } from '../../roster/apply.ts';
import { isDoable, type Step } from '../../roster/plan.ts';
import { planRoster, type RosterPlan } from '../../roster/plan-roster.ts';
import { describeSteps } from '../../roster/plan-text.ts';
import type { Memberships } from '../../service/memberships.ts';
import type { WriteResult } from '../../stdout/result.ts';
import { shortenList } from '../../text/shorten.ts';
import { ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { doJob } from '../bulk.ts';
import { toFileReader } from '../people.ts';
import { confirmSteps, describeMaxRemovals, refuseManyRemovals, toMaxRemovals, toSignedLines } from '../plans.ts';
import { APPLIED_COLUMNS, toOrganization, toTeamsOf } from './columns.ts';
import { inviteInto, refuseTeamsMissing } from './invitation.ts';
import { addRosterOptions, type RosterFlags, toRosterInput, toRosterReader } from './options.ts';

interface Flags extends RosterFlags {
  readonly maxRemovals?: string;
  readonly plan?: string;
}

type Input = ReturnType<typeof toApplyInput>;

type Item = Extract<Step, { action: 'remove' | 'invite' | 'teams-missing' }>;

export function registerApply(noun: Command, open: OpenContext): void {
  const verb = noun.command('apply').description('Bring an organization in line with a roster');
  const withRoster = addRosterOptions(verb)
    .option('--max-removals <n>', describeMaxRemovals('people', 'removed'))
    .option('--plan <path>', 'A plan from members plan -o json: change nothing if anything else would be done');
  addDocumentation(withRoster, {
    examples: [
      'orgctl members apply --file roster.yaml --prune --dry-run',
      'orgctl members plan --file roster.yaml -o json > plan.json; orgctl members apply --file roster.yaml --plan plan.json --yes',
    ],
    columns: APPLIED_COLUMNS,
  }).action((flags: Flags) => applyRoster(open(verb), toApplyInput(flags)));
}

function toApplyInput(flags: Flags) {
  const { maxRemovals, plan, ...rest } = flags;
  const input = toRosterInput(rest);
  const most = toMaxRemovals(maxRemovals, input.prune, 'Without --prune no one is removed.');
  if (plan === '-' && input.file === '-') {
    throw new UsageError("--file and --plan can't both be stdin", { hint: 'Name a file for one of them.' });
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
  const removals = plan.steps.filter(({ action }) => action === 'remove');
  refuseManyRemovals(context, {
    lines: describeSteps({ steps: removals }),
    most: input.maxRemovals,
    verb: 'remove',
    effect: `remove ${countPeople(removals.length)} from ${organization}`,
    name: made.name,
  });
  if (input.shown !== undefined) await refuseUnshown(context, made, input.shown);
  if (doable.length > 0) {
    const sentences = describeSteps({ steps: doable });
    await confirmSteps(context, { sentences, count: doable.length, where: organization });
  }
  // Members who only need teams come first: whatever fails later, they are reported.
  const lacking = plan.steps.filter((step) => step.action === 'teams-missing');
  const items: readonly Item[] = [...lacking, ...doable];
  const { memberships } = await services.current();
  const shown = await doJob(context, {
    items,
    columns: APPLIED_COLUMNS,
    doing: 'Applying',
    things: countPeople(items.length),
    isCounted: true,
    name: (item) => (item.action === 'invite' ? item.wanted.email : nameMember(item.member)),
    act: createActor(memberships, organization),
    toRow: (item, undone) => toRow(item, organization, { ...undone }),
  });
  refuseTeamsMissing(lacking, shown);
}

/** What changed since the plan was looked at is to be looked at as well. */
async function refuseUnshown(context: Context, { plan, organization }: RosterPlan, path: string): Promise<void> {
  const { text, name } = await readText(toFileReader(context), path, { option: '--plan' });
  const unshown = findUnshown(plan.steps.filter(isDoable), parseShownPlan(text, name), organization);
  if (unshown.length === 0) return;
  throw new UsageError(`${organization} or the roster changed after ${name} was made`, {
    code: 'not-in-plan',
    reasons: [`Not in ${name}:`, ...shortenList(toSignedLines(context, describeSteps({ steps: unshown })))],
    hint: 'Nothing was sent. Make the plan again with members plan -o json, and check it.',
  });
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
      ...toTeamsOf(member),
      ...(member?.status === undefined ? {} : { status: member.status }),
      ...result,
    },
  };
}
