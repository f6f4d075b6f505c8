import { describeMember, listTeamNames, nameMember } from '../people/member.ts';
import type { Sentence } from '../stdout/columns.ts';
import { countThings, formatCount } from '../text/count.ts';
import { describeSteps as describe, type StepKind } from '../text/steps.ts';
import { countActions, type Plan, type Step } from './plan.ts';

export function describeSteps({ steps }: Pick<Plan, 'steps'>): readonly Sentence[] {
  return describe(steps, KINDS, toText);
}

const KINDS: Readonly<Record<Step['action'], StepKind>> = {
  remove: { sign: '-', more: 'to remove', isShownWhole: true },
  invite: { sign: '+', more: 'to invite' },
  'teams-missing': { sign: '~', more: 'in other teams' },
  'keep-self': { sign: '=', more: 'to keep' },
  'keep-owner': { sign: '=', more: 'owners to keep' },
  'keep-unnamed': { sign: '=', more: 'to keep' },
  extra: { sign: '=', more: 'not in the roster' },
};

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
