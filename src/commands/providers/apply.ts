import type { Command } from 'commander';
import type { Context, OpenContext } from '../../context/context.ts';
import { addDocumentation } from '../../manual/documentation.ts';
import type { Step } from '../../provider-list/plan.ts';
import { describeSteps } from '../../provider-list/plan-text.ts';
import { toAddressText } from '../../service/providers.ts';
import type { Service } from '../../service/service.ts';
import type { WriteResult } from '../../stdout/result.ts';
import { countThings } from '../../text/count.ts';
import { REGISTRY_PROVIDERS } from '../../wire/resources.ts';
import { doJob } from '../bulk.ts';
import { confirmSteps, describeMaxRemovals, refuseManyRemovals, toMaxRemovals } from '../plans.ts';
import { APPLIED_COLUMNS } from './columns.ts';
import { createIn } from './creation.ts';
import { addListFileOptions, describePlace, type ListFileFlags, planFromFile, toListFileInput } from './list-file.ts';

interface Flags extends ListFileFlags {
  readonly maxRemovals?: string;
}

type Input = ReturnType<typeof toApplyInput>;

export function registerApply(noun: Command, open: OpenContext): void {
  const verb = noun.command('apply').description('Bring the providers in line with a file');
  const withFile = addListFileOptions(verb).option('--max-removals <n>', describeMaxRemovals('providers', 'deleted'));
  addDocumentation(withFile, {
    examples: [
      'orgctl providers apply --file providers.yaml --prune --dry-run',
      'orgctl providers apply --file providers.yaml --prune --max-removals 2 --yes',
    ],
    columns: APPLIED_COLUMNS,
  }).action((flags: Flags) => applyFile(open(verb), toApplyInput(flags)));
}

function toApplyInput({ maxRemovals, ...rest }: Flags) {
  const input = toListFileInput(rest);
  return { ...input, most: toMaxRemovals(maxRemovals, input.prune, 'Without --prune nothing is deleted.') };
}

async function applyFile(context: Context, { most, ...input }: Input): Promise<void> {
  const { screen, services } = context;
  const output = await screen.output();
  output.checkFields(APPLIED_COLUMNS);
  const { plans, isSeveral, name } = await planFromFile(context, input);
  const steps = plans.flatMap((plan) => plan.steps);
  const deletions = steps.filter(({ action }) => action === 'delete');
  refuseManyRemovals(context, {
    lines: describeSteps(deletions, isSeveral),
    most,
    verb: 'delete',
    effect: `delete ${countProviders(deletions.length)} from ${toPlace(deletions)}`,
    name,
  });
  if (deletions.length > 0) {
    await confirmSteps(context, {
      sentences: describeSteps(steps, isSeveral),
      count: steps.length,
      where: toPlace(steps),
    });
  }
  const service = await services.current();
  await doJob(context, {
    items: steps,
    columns: APPLIED_COLUMNS,
    doing: 'Applying',
    things: countProviders(steps.length),
    isCounted: true,
    name: ({ address, organization }) => `${toAddressText(address)}${isSeveral ? ` (${organization})` : ''}`,
    act: (step) => applyStep(service, step),
    toRow: (step, undone) => toRow(step, { ...undone }),
  });
}

async function applyStep(service: Service, step: Step): Promise<WriteResult | undefined> {
  const { organization, address } = step;
  if (step.action === 'create') return await createIn(service.providers, organization, address, toExtra(step));
  const { deleteAsShown } = await import('../../provider-list/plan-providers.ts');
  const result = await deleteAsShown(service, step);
  return result === undefined ? undefined : toRow(step, { changed: result === 'deleted', result });
}

function toExtra({ action, organization, address }: Step) {
  return { action, address: toAddressText(address), organization: { id: organization, type: 'organizations' } };
}

function toRow(step: Step, result: { readonly changed: boolean; readonly [name: string]: unknown }): WriteResult {
  const id = step.action === 'delete' ? step.id : null;
  const resource = id === null ? { type: REGISTRY_PROVIDERS, id } : { type: REGISTRY_PROVIDERS, id };
  return { resource, extra: { ...toExtra(step), ...result } };
}

function toPlace(steps: readonly Step[]): string {
  return describePlace([...new Set(steps.map(({ organization }) => organization))]);
}

function countProviders(count: number): string {
  return countThings(count, 'provider', 'providers');
}
