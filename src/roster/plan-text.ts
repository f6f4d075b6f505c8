import { describeMember, listTeamNames, nameMember } from '../people/member.ts';
import type { Sentence } from '../stdout/columns.ts';
import { countThings, formatCount } from '../text/count.ts';
import { countActions, type Plan, type Step } from './plan.ts';

/** Of the kinds that do no harm so many have a line each. Every removal has one. */
const MOST_SHOWN = 20;

/** A sentence for each step. `most`: of each kind but removals; the rest is counted. */
export function describeSteps({ steps }: Pick<Plan, 'steps'>, most = MOST_SHOWN): readonly Sentence[] {
  const counts = countActions({ steps });
  const shown = new Map<Step['action'], number>();
  return steps.flatMap((step) => {
    const { action } = step;
    const number = (shown.get(action) ?? 0) + 1;
    shown.set(action, number);
    if (action === 'remove' || number <= most) return [describeStep(step)];
    return number === most + 1
      ? [{ sign: SIGNS[action], text: `and ${formatCount(counts[action] - most)} more ${MORE[action]}` }]
      : [];
  });
}

const SIGNS: Readonly<Record<Step['action'], Sentence['sign']>> = {
  remove: '-',
  invite: '+',
  'teams-missing': '~',
  'keep-self': '=',
  'keep-owner': '=',
  'keep-unnamed': '=',
  extra: '=',
};

const MORE: Readonly<Record<Step['action'], string>> = {
  remove: 'to remove',
  invite: 'to invite',
  'teams-missing': 'in other teams',
  'keep-self': 'to keep',
  'keep-owner': 'owners to keep',
  'keep-unnamed': 'to keep',
  extra: 'not in the roster',
};

function describeStep(step: Step): Sentence {
  return { sign: SIGNS[step.action], text: toText(step) };
}

function toText(step: Step): string {
  switch (step.action) {
    case 'remove':
      return `remove ${describeMember(step.member)}`;
    case 'invite':
      return `invite ${step.wanted.email} (${listTeamNames(step.wanted.teams)})`;
    case 'teams-missing':
      return `${nameMember(step.member)}: add to ${step.missing.join(', ')}`;
    case 'keep-self':
      return `keep ${nameMember(step.member)}: this is you`;
    case 'keep-owner':
      return `keep ${nameMember(step.member)}: an owner`;
    case 'keep-unnamed':
      return `keep ${nameMember(step.member)}: a roster can't name this address`;
    case 'extra':
      return `leave ${nameMember(step.member)}: not in the roster`;
  }
}

/** `1 to invite, 1 to remove, 1 team change`, or `no changes`. */
export function describeDifference(plan: Pick<Plan, 'steps'>): string {
  const { invite, remove, 'teams-missing': lacking } = countActions(plan);
  const parts = [
    ...countSteps(invite, 'to invite'),
    ...countSteps(remove, 'to remove'),
    ...(lacking === 0 ? [] : [countThings(lacking, 'team change', 'team changes')]),
  ];
  return parts.length === 0 ? 'no changes' : parts.join(', ');
}

/** Who stays as they are: `5 unchanged, 2 not in the roster`. */
export function describeRest(plan: Plan): string {
  const counts = countActions(plan);
  const kept = counts['keep-self'] + counts['keep-owner'] + counts['keep-unnamed'];
  return [
    `${formatCount(plan.present)} unchanged`,
    ...countSteps(kept, 'kept though not in the roster'),
    ...countSteps(counts.extra, 'not in the roster'),
  ].join(', ');
}

function countSteps(count: number, words: string): readonly string[] {
  return count === 0 ? [] : [`${formatCount(count)} ${words}`];
}
