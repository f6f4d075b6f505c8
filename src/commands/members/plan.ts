import type { Context } from '../../context/context.ts';
import { OrgctlError, UsageError } from '../../errors.ts';
import { listTeams } from '../../people/find-teams.ts';
import { toPlanRecord } from '../../roster/plan.ts';
import { type RosterInput, type RosterPlan, readMembers } from '../../roster/plan-roster.ts';
import { describeDifference, describeRest, describeSteps } from '../../roster/plan-text.ts';
import { toPlainJson } from '../../text/plain-text.ts';
import { flag, listGiven, type Values } from '../param.ts';
import { printSchema, printSteps, toPrinted } from '../plans.ts';
import { verb } from '../verb.ts';
import { PLAN_COLUMNS } from './columns.ts';
import { actOnRoster, ROSTER, ROSTER_HELP, toRosterFlags, toRosterInput } from './options.ts';

const OPTIONS = {
  ...ROSTER,
  init: flag('--init', 'Print a roster of the current members instead: YAML, or JSON with -o json'),
  schema: flag('--schema', 'Print the JSON Schema of a roster instead, for editors'),
};

export const plan = verb({
  name: 'members plan',
  help: 'Show how an organization differs from a roster (exit 13 if it does)',
  effect: 'reads',
  near: ['plan'],
  options: OPTIONS,
  examples: [
    'orgctl members plan --init > roster.yaml',
    'orgctl members plan --file roster.yaml --prune --prune-teams',
    'orgctl members plan --schema > roster.schema.json',
  ],
  more: ROSTER_HELP,
  columns: PLAN_COLUMNS,
  async run(context, given) {
    const input = toPlanInput(given);
    if (typeof input === 'object') await showPlan(context, input);
    else if (input === 'init') await printRoster(context);
    else await printSchema(context, (await import('../../roster/roster-text.ts')).ROSTER_SCHEMA);
  },
});

function toPlanInput({ init, schema, ...rest }: Values<typeof OPTIONS>): RosterInput | 'init' | 'schema' {
  return toPrinted({ init, schema }, listGiven(ROSTER, rest), 'a roster') ?? toRosterInput(rest);
}

async function showPlan(context: Context, input: RosterInput): Promise<void> {
  (await context.screen.output()).checkFields(PLAN_COLUMNS);
  await actOnRoster(context, input, (one, made) => printPlan(one, made, input));
}

async function printPlan(context: Context, made: RosterPlan, input: RosterInput): Promise<void> {
  const { screen } = context;
  const { plan, organization, name } = made;
  await printSteps(context, {
    columns: PLAN_COLUMNS,
    records: plan.steps.map((step) => toPlanRecord(step, organization)),
    sentences: describeSteps(plan.steps, plan.kept),
  });
  screen.note(`Plan for ${organization} from ${name}: ${describeDifference(plan)}; ${describeRest(plan)}.`);
  refuseDifference(made, input);
}

function refuseDifference({ plan, organization, name, isFile }: RosterPlan, input: RosterInput): void {
  if (plan.steps.length === 0) return;
  throw new OrgctlError('attention', `${organization} differs from ${name}`, {
    code: 'drift',
    hint: isFile ? 'Apply the plan; this asks first:' : 'Apply the plan with members apply, which asks first.',
    next: isFile ? [['orgctl', 'members', 'apply', '--file', input.file, ...toRosterFlags(input)]] : [],
  });
}

async function printRoster({ identity, screen, services }: Context): Promise<void> {
  const { format, fields, query } = screen.requested;
  if ((format !== undefined && format.document !== 'own') || fields !== undefined || query !== undefined) {
    throw new UsageError('--init prints YAML, or JSON with -o json, and takes no --fields or --query', {
      hint: 'For a spreadsheet, this prints a roster too:',
      next: [['orgctl', 'members', 'list', '--fields', 'email,teams', '-o', 'csv']],
    });
  }
  const organization = identity.organization();
  const service = await services.current();
  const members = await readMembers(service, organization, screen.progress);
  const teams = (await listTeams(service.teams, organization)) ?? [];
  const { renderRoster, toRosterEntries } = await import('../../roster/roster-text.ts');
  const entries = toRosterEntries(members, teams);
  const text = renderRoster({ organization, entries }, format === undefined ? 'yaml' : 'json');
  await (await screen.output()).raw(toPlainJson(text).trimEnd());
}
