import type { Context } from '../../context/context.ts';
import { refuseUnread } from '../../organizations/failures.ts';
import { listTeams } from '../../people/directory.ts';
import { place, toPlanRecord } from '../../roster/plan.ts';
import { type RosterInput, readMembers } from '../../roster/plan-roster.ts';
import { describeDifference, describeRest, describeSteps } from '../../roster/plan-text.ts';
import { ORGANIZATIONS } from '../organizations.ts';
import { flag, insteadOf, listGiven, type Values } from '../param.ts';
import { describePlaceOf, printFile, printSteps, refuseBesideInit, refuseDifference } from '../plans.ts';
import { verb } from '../verb.ts';
import { PLAN_COLUMNS } from './columns.ts';
import { actOnRoster, type PlannedRoster, ROSTER, ROSTER_HELP, toRosterInput, toRosterReader } from './options.ts';

const OPTIONS = {
  ...ORGANIZATIONS,
  ...ROSTER,
  file: insteadOf(ROSTER.file, 'init'),
  init: flag('--init', 'Print a roster of the current members instead: YAML, or JSON with -o json'),
};

export const plan = verb({
  name: 'members plan',
  help: 'Show how organizations differ from a roster (exit 13 if they do)',
  effect: 'reads',
  options: OPTIONS,
  examples: [
    'orgctl members plan --init > roster.yaml',
    'orgctl members plan --file roster.yaml --prune --prune-teams',
    'orgctl members plan --init --all-orgs > rosters.yaml',
  ],
  more: ROSTER_HELP,
  columns: PLAN_COLUMNS,
  async run(context, given) {
    const input = toPlanInput(given);
    if (input === undefined) await printRoster(context);
    else await showPlan(context, input);
  },
});

/** Undefined where a roster is printed instead. */
function toPlanInput({ init, orgs: _orgs, allOrgs: _all, ...rest }: Values<typeof OPTIONS>): RosterInput | undefined {
  if (!init) return toRosterInput(rest);
  refuseBesideInit(listGiven(ROSTER, rest), 'a roster');
  return undefined;
}

async function showPlan(context: Context, input: RosterInput): Promise<void> {
  (await context.screen.output()).checkFields(PLAN_COLUMNS);
  await actOnRoster(context, input, (about, planned) => printPlan(about, planned, input));
}

async function printPlan(context: Context, planned: PlannedRoster, input: RosterInput): Promise<void> {
  const { organizations, screen } = context;
  const { plans, unread, steps, name } = planned;
  const kept = plans.flatMap(({ plan, organization }) => place([...plan.kept, ...plan.staying], organization));
  await printSteps(context, {
    columns: organizations.isOne ? PLAN_COLUMNS : { ...PLAN_COLUMNS, shown: ['organization', ...PLAN_COLUMNS.shown] },
    records: steps.map(toPlanRecord),
    sentences: describeSteps([...steps, ...kept], !organizations.isOne, true),
  });
  const all = plans.map(({ plan }) => plan);
  screen.note(`Plan for ${describePlaceOf(plans)} from ${name}: ${describeDifference(all)}; ${describeRest(all)}.`);
  refuseUnread(unread, plans.length + unread.length);
  refuseDifference(steps, planned, {
    hint: planned.isFile ? 'Apply the plan; this asks first:' : 'Apply the plan with members apply, which asks first.',
    apply: ['members', ...listGiven(ROSTER, input, true)],
  });
}

async function printRoster(context: Context): Promise<void> {
  const { renderRoster, toRosterEntries } = await import('../../roster/roster-text.ts');
  const { progress } = toRosterReader(context);
  await printFile(context, {
    hint: 'For a spreadsheet, this prints a roster too:',
    next: ['orgctl', 'members', 'list', '--fields', 'email,teams', '-o', 'csv'],
    async read(organization) {
      const service = await context.services.current();
      const members = await readMembers(service, organization, progress);
      return { organization, entries: toRosterEntries(members, (await listTeams(service, organization)) ?? []) };
    },
    render: renderRoster,
  });
}
