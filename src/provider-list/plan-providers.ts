import { OrgctlError, orUndefined } from '../errors.ts';
import { collect } from '../reading.ts';
import { toAddressText } from '../resources/provider-address.ts';
import type { Page } from '../service/page.ts';
import type { Service } from '../service/service.ts';
import type { Provider } from '../wire/resources.ts';
import { type ListedProvider, makePlan, type Plan, type PlanRules, type Step, toListedProvider } from './plan.ts';
import type { WantedProvider } from './provider-list.ts';

/** Reads what an organization lists, and nothing is sent. Throws `incomplete` when the list kept changing. */
export async function planProviders(
  { providers }: Pick<Service, 'providers'>,
  organization: string,
  wanted: readonly WantedProvider[],
  rules: PlanRules,
): Promise<Plan> {
  return makePlan(organization, wanted, await readProviders({ providers }, organization), rules);
}

/** `search`: only those whose name or namespace contains it. */
export async function readProviders(
  { providers }: Pick<Service, 'providers'>,
  organization: string,
  search?: string,
): Promise<readonly ListedProvider[]> {
  const toListed = ({ items }: Page<Provider>): readonly ListedProvider[] =>
    items.flatMap((item) => toListedProvider(item, organization) ?? []);
  return (await collect(providers.list(organization, { search }, {}), toListed)).flat();
}

/**
 * Reads the provider again and deletes it if it still is what was shown. `absent`: it was gone already. Undefined in a dry
 * run. Throws with the code `changed-meanwhile` where another has its address now.
 */
export async function deleteAsShown(
  { providers }: Pick<Service, 'providers'>,
  { organization, address, id }: Extract<Step, { action: 'delete' }>,
): Promise<'deleted' | 'absent' | undefined> {
  // This run has read it in the list: where it is not found, it is gone rather than hidden.
  const found = await orUndefined(providers.get(organization, address, 'delete'));
  if (found === undefined) return 'absent';
  if (found.data.id !== id) {
    throw new OrgctlError('incomplete', `${toAddressText(address)} was replaced after the plan was made`, {
      code: 'changed-meanwhile',
      reasons: [`id: ${id} in the plan, now ${found.data.id}`],
      hint: 'Run providers plan again, and check it.',
    });
  }
  return (await providers.delete(organization, address)) ? 'deleted' : undefined;
}
