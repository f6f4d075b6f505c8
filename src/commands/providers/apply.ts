import type { Context } from '../../context/context.ts';
import type { OrgctlError } from '../../errors.ts';
import type { Step } from '../../provider-list/plan.ts';
import { describeSteps } from '../../provider-list/plan.ts';
import { toOrganization } from '../../resources/organization.ts';
import { toAddressText } from '../../resources/provider-address.ts';
import type { Service } from '../../service/service.ts';
import { countOrganizations, countThings } from '../../text/count.ts';
import { REGISTRY_PROVIDERS } from '../../wire/resources.ts';
import { doJob, type JobResult } from '../bulk.ts';
import { ORGANIZATIONS } from '../organizations.ts';
import { confirmSteps, describePlaceOf, maxRemovals, refuseManyRemovals, toMostRemovals } from '../plans.ts';
import type { ResultOf } from '../row-error.ts';
import { verb } from '../verb.ts';
import { APPLIED_COLUMNS, type ProviderResultRow } from './columns.ts';
import { createCreation } from './creation.ts';
import { LIST_FILE, LIST_FILE_HELP, type ListFileInput, planFromFile, toListFileInput } from './list-file.ts';

export const apply = verb({
  name: 'providers apply',
  help: 'Add and delete providers so that they match a file',
  effect: 'writes',
  topic: 'members-files',
  options: { ...ORGANIZATIONS, ...LIST_FILE, maxRemovals: maxRemovals('providers would be deleted') },
  examples: [
    'orgctl providers apply --file providers.yaml --prune --dry-run',
    'orgctl providers apply --file providers.yaml --prune --max-removals 2 --yes',
    'orgctl providers apply --file providers.yaml --orgs acme,globex',
  ],
  more: LIST_FILE_HELP,
  columns: APPLIED_COLUMNS,
  async run(context, { maxRemovals: most, ...rest }) {
    const input = toListFileInput(rest);
    await applyFile(context, input, toMostRemovals(most, input.prune, 'Without --prune nothing is deleted.'));
  },
});

/** A step, or why an organization could not be read. */
type Item =
  | { readonly organization: string; readonly step: Step; readonly refusal?: undefined }
  | { readonly organization: string; readonly step?: undefined; readonly refusal: OrgctlError };

async function applyFile(context: Context, input: ListFileInput, most: number): Promise<void> {
  const { screen, services } = context;
  const { plans, unread, isSeveral, name } = await planFromFile(context, input);
  const steps = plans.flatMap((plan) => plan.steps);
  const deletions = steps.filter(({ action }) => action === 'delete');
  refuseManyRemovals(context, {
    lines: describeSteps(deletions, isSeveral),
    most,
    verb: 'delete',
    effect: `delete ${countProviders(deletions.length)} from ${describePlaceOf(deletions)}`,
    name,
  });
  if (deletions.length > 0) await confirmSteps(context, 'providers', steps, describeSteps(steps, isSeveral));
  const service = await services.current();
  const creation = createCreation(service, screen);
  const items: readonly Item[] = [
    ...steps.map((step) => ({ organization: step.organization, step })),
    ...unread.map(({ organization, error }) => ({ organization, refusal: error })),
  ];
  await doJob(context, {
    items,
    columns: APPLIED_COLUMNS,
    doing: 'Applying',
    things: `${countProviders(steps.length)}${unread.length === 0 ? '' : ` and ${countOrganizations(unread.length)}`}`,
    isCounted: true,
    name: ({ step, organization }) =>
      step === undefined ? organization : `${toAddressText(step.address)}${isSeveral ? ` in ${organization}` : ''}`,
    organizationOf: isSeveral ? ({ organization }) => organization : undefined,
    refusal: ({ refusal }) => refusal,
    act: async ({ step }) => (step === undefined ? undefined : await applyStep(service, creation, step)),
    toRow: (item, undone) => toRow(item, undone),
  }).finally(creation.noteUnusable);
}

async function applyStep(
  service: Service,
  creation: ReturnType<typeof createCreation>,
  step: Step,
): Promise<JobResult<ProviderResultRow> | undefined> {
  const { action, organization, address } = step;
  if (action === 'create') return await creation.create(organization, address, { isRead: true, action });
  const { deleteAsShown } = await import('../../provider-list/plan-providers.ts');
  const result = await deleteAsShown(service, step);
  return result === undefined ? undefined : toRow({ organization, step }, { changed: result === 'deleted', result });
}

function toRow(
  { organization, step }: Pick<Item, 'organization' | 'step'>,
  result: ResultOf<ProviderResultRow>,
): JobResult<ProviderResultRow> {
  const known = step === undefined ? {} : { action: step.action, address: toAddressText(step.address) };
  return {
    resource: { type: REGISTRY_PROVIDERS, id: step?.action === 'delete' ? step.id : null },
    extra: { ...known, organization: toOrganization(organization), ...result },
  };
}

function countProviders(count: number): string {
  return countThings(count, 'provider', 'providers');
}
