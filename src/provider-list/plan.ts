import { isSameName } from '../names.ts';
import { toOrganization } from '../resources/organization.ts';
import { findAddress, type ProviderAddress, toAddressKey, toAddressText } from '../resources/provider-address.ts';
import type { Sentence } from '../stdout/columns.ts';
import { countAny, formatCount } from '../text/count.ts';
import { describeSteps as describe, type StepKind } from '../text/steps.ts';
import type { Provider } from '../wire/resources.ts';
import type { WantedProvider } from './provider-list.ts';

/** The difference between the providers that a file names and those that an organization lists. */

export interface ListedProvider {
  readonly id: string;
  readonly address: ProviderAddress;
}

export type Step = { readonly organization: string; readonly address: ProviderAddress } & (
  | { readonly action: 'create' }
  | { readonly action: 'delete'; readonly id: string }
);

export interface PlanRules {
  /** Whether providers go that the file does not name. */
  readonly prune: boolean;
  /** Private ones too, whose versions go with them. */
  readonly prunePrivate: boolean;
}

export interface Plan {
  readonly organization: string;
  /** What is added first: where one provider stands in for another, there is never a time without both. */
  readonly steps: readonly Step[];
  readonly unchanged: number;
  /** Listed, not in the file, and left there: without `prune`. */
  readonly extra: number;
  /** Private ones that `prune` leaves. */
  readonly kept: number;
}

/** `wanted` names each provider once. */
export function makePlan(
  organization: string,
  wanted: readonly WantedProvider[],
  listed: readonly ListedProvider[],
  { prune, prunePrivate }: PlanRules,
): Plan {
  const names = new Set(wanted.map(({ address }) => toAddressKey(address)));
  const there = new Set(listed.map(({ address }) => toAddressKey(address)));
  const others = listed.filter(({ address }) => !names.has(toAddressKey(address)));
  const mayGo = ({ address }: ListedProvider): boolean => address.registryName === 'public' || prunePrivate;
  const gone = prune ? others.filter(mayGo) : [];
  return {
    organization,
    steps: [
      ...wanted
        .filter(({ address }) => !there.has(toAddressKey(address)))
        .map(({ address }) => ({ action: 'create', organization, address }) as const),
      ...gone.map(({ id, address }) => ({ action: 'delete', organization, address, id }) as const),
    ],
    unchanged: listed.length - others.length,
    extra: prune ? 0 : others.length,
    kept: prune ? others.length - gone.length : 0,
  };
}

export interface PlanRecord {
  readonly action: Step['action'];
  readonly organization: { readonly id: string; readonly type: string };
  readonly address: string;
  /** Null for a provider that is not there. */
  readonly id: string | null;
}

export function toPlanRecord(step: Step): PlanRecord {
  return {
    action: step.action,
    organization: toOrganization(step.organization),
    address: toAddressText(step.address),
    id: step.action === 'delete' ? step.id : null,
  };
}

/** Undefined for what no list can name: a private provider that another organization shares, and what has no address. */
export function toListedProvider(provider: Provider, organization: string): ListedProvider | undefined {
  const address = findAddress(provider);
  const isShared = address?.registryName === 'private' && !isSameName(address.namespace, organization);
  return address === undefined || isShared ? undefined : { id: provider.id, address };
}

const KINDS: Readonly<Record<Step['action'], StepKind>> = {
  create: { sign: '+', more: 'to add' },
  delete: { sign: '-', more: 'to delete', isShownWhole: true },
};

/** `public/hashicorp/google`; of several organizations with the one it is about. */
export function describeSteps(steps: readonly Step[], isSeveral: boolean, isResult = false): readonly Sentence[] {
  const toText = ({ action, address, organization }: Step): string => {
    const loss = action === 'delete' && address.registryName === 'private' ? ' and its versions' : '';
    return `${toAddressText(address)}${loss}${isSeveral ? ` (${organization})` : ''}`;
  };
  return describe(steps, KINDS, toText, isResult);
}

/** `1 to add, 2 to delete`, or `no changes`. */
export function describeDifference(plans: readonly Plan[]): string {
  const steps = plans.flatMap((plan) => plan.steps);
  const count = (action: Step['action']): number => steps.filter((step) => step.action === action).length;
  const parts = [...countAny(count('create'), KINDS.create.more), ...countAny(count('delete'), KINDS.delete.more)];
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}

/** What stays as it is: `3 unchanged, 2 not in the file`. */
export function describeRest(plans: readonly Plan[], name: string): string {
  const sum = (what: 'unchanged' | 'extra' | 'kept'): number => plans.reduce((total, plan) => total + plan[what], 0);
  return [
    `${formatCount(sum('unchanged'))} unchanged`,
    ...countAny(sum('extra'), `not in ${name}`),
    ...countAny(sum('kept'), `private, not in ${name} (--prune-private deletes those too)`),
  ].join(', ');
}
