import { toAddressText } from '../resources/provider-address.ts';
import type { Sentence } from '../stdout/columns.ts';
import { formatCount } from '../text/count.ts';
import { describeSteps as describe, type StepKind } from '../text/steps.ts';
import type { Plan, Step } from './plan.ts';

const KINDS: Readonly<Record<Step['action'], StepKind>> = {
  create: { sign: '+', more: 'to add' },
  delete: { sign: '-', more: 'to delete', isShownWhole: true },
};

/** `public/hashicorp/google`; of several organizations with the one it is about. */
export function describeSteps(steps: readonly Step[], isSeveral: boolean): readonly Sentence[] {
  return describe(steps, KINDS, ({ action, address, organization }) => {
    const loss = action === 'delete' && address.registryName === 'private' ? ' and its versions' : '';
    return `${toAddressText(address)}${loss}${isSeveral ? ` (${organization})` : ''}`;
  });
}

/** `1 to add, 2 to delete`, or `no changes`. */
export function describeDifference(plans: readonly Plan[]): string {
  const steps = plans.flatMap((plan) => plan.steps);
  const count = (action: Step['action']): number => steps.filter((step) => step.action === action).length;
  const parts = [...countSteps(count('create'), KINDS.create.more), ...countSteps(count('delete'), KINDS.delete.more)];
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}

/** What stays as it is: `3 unchanged, 2 not in the file`. */
export function describeRest(plans: readonly Plan[], name: string): string {
  const sum = (what: 'unchanged' | 'extra' | 'kept'): number => plans.reduce((total, plan) => total + plan[what], 0);
  return [
    `${formatCount(sum('unchanged'))} unchanged`,
    ...countSteps(sum('extra'), `not in ${name}`),
    ...countSteps(sum('kept'), `private, not in ${name} (--prune-private deletes those too)`),
  ].join(', ');
}

function countSteps(count: number, words: string): readonly string[] {
  return count === 0 ? [] : [`${formatCount(count)} ${words}`];
}
