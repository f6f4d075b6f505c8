import type { Context } from '../../context/context.ts';
import { refuseUnread } from '../../organizations/failures.ts';
import { describeDifference, describeRest, describeSteps, toPlanRecord } from '../../provider-list/plan.ts';
import { ORGANIZATIONS } from '../organizations.ts';
import { flag, insteadOf, listGiven } from '../param.ts';
import { describePlaceOf, printFile, printSteps, refuseBesideInit, refuseDifference } from '../plans.ts';
import { verb } from '../verb.ts';
import { PLAN_COLUMNS } from './columns.ts';
import { LIST_FILE, LIST_FILE_HELP, type ListFileInput, planFromFile, toListFileInput } from './list-file.ts';

export const plan = verb({
  name: 'providers plan',
  help: 'Show how the providers differ from a file (exit 13 if they do)',
  effect: 'reads',
  topic: 'members-files',
  options: {
    ...ORGANIZATIONS,
    ...LIST_FILE,
    file: insteadOf(LIST_FILE.file, 'init'),
    init: flag('--init', 'Print a file of the current providers instead: YAML, or JSON with -o json'),
  },
  examples: [
    'orgctl providers plan --init > providers.yaml',
    'orgctl providers plan --init --all-orgs > providers.yaml',
    'orgctl providers plan --file providers.yaml --prune',
  ],
  more: LIST_FILE_HELP,
  columns: PLAN_COLUMNS,
  async run(context, { init, ...rest }) {
    if (!init) return await printPlan(context, toListFileInput(rest));
    refuseBesideInit(listGiven(LIST_FILE, rest), 'a file of providers');
    await printProviders(context);
  },
});

async function printPlan(context: Context, input: ListFileInput): Promise<void> {
  const { screen } = context;
  const output = await screen.output();
  output.checkFields(PLAN_COLUMNS);
  const planned = await planFromFile(context, input);
  const { plans, isSeveral, name, organizations, unread } = planned;
  const steps = plans.flatMap((plan) => plan.steps);
  await printSteps(context, {
    columns: PLAN_COLUMNS,
    records: steps.map(toPlanRecord),
    sentences: describeSteps(steps, isSeveral, true),
  });
  screen.note(
    `Plan for ${describePlaceOf(plans)} from ${name}: ${describeDifference(plans)}; ${describeRest(plans, name)}.`,
  );
  refuseUnread(unread, organizations.length);
  const asks = input.prune ? 'this asks first where something is deleted' : 'this deletes nothing';
  refuseDifference(steps, planned, {
    hint: planned.isFile ? `Apply the plan; ${asks}:` : `Apply the plan with providers apply; ${asks}.`,
    apply: ['providers', ...listGiven(LIST_FILE, input, true)],
  });
}

async function printProviders(context: Context): Promise<void> {
  const service = await context.services.current();
  const { readProviders } = await import('../../provider-list/plan-providers.ts');
  const { renderProviderList } = await import('../../provider-list/provider-list-text.ts');
  await printFile(context, {
    hint: 'For a spreadsheet:',
    next: ['orgctl', 'providers', 'list', '-o', 'csv'],
    read: async (organization) => ({ organization, providers: await readProviders(service, organization) }),
    render: (lists, form) => renderProviderList(lists, { ...form, serviceHost: context.identity.serviceHost() }),
  });
}
