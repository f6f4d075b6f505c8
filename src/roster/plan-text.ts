import { describeMember, describeTeams } from '../people/member.ts';
import { toPlainText } from '../text/plain-text.ts';
import type { Style } from '../text/style.ts';
import { countActions, type Plan, type Step } from './plan.ts';

/** Of the kinds that do no harm so many have a line each. Every removal has one. */
const MOST_SHOWN = 20;

const MARKS: Readonly<Record<Step['action'], readonly [mark: string, word: string, color: keyof Style]>> = {
  remove: ['-', 'remove:', 'red'],
  invite: ['+', 'invite:', 'green'],
  'teams-missing': ['~', 'teams missing:', 'yellow'],
  'keep-self': ['=', 'keep:', 'dim'],
  'keep-owner': ['=', 'keep:', 'dim'],
  'keep-unnamed': ['=', 'keep:', 'dim'],
  extra: ['.', 'leave alone:', 'dim'],
};

interface PlanStyle {
  readonly style: Style;
  /** What a line is about is said in words, for those who do not see signs. */
  readonly inWords: boolean;
}

/** One line a step, each safe for a terminal. `most`: of invitations and of those left alone; every removal has a line. */
export function toPlanLines(plan: Plan, { style, inWords }: PlanStyle, most = MOST_SHOWN): readonly string[] {
  const shown = new Map<Step['action'], number>();
  const lines: string[] = [];
  const counts = countActions(plan);
  for (const step of plan.steps) {
    const { action } = step;
    const number = (shown.get(action) ?? 0) + 1;
    shown.set(action, number);
    const [sign, word, color] = MARKS[action];
    const mark = inWords ? word : sign;
    if (action === 'remove' || number <= most) lines.push(style[color](`${mark} ${toPlainText(describeStep(step))}`));
    else if (number === most + 1) lines.push(style[color](`${mark} and ${counts[action] - most} more`));
  }
  return lines;
}

function describeStep(step: Step): string {
  switch (step.action) {
    case 'remove':
      return `${describeMember(step.member)}${describeTeams(step.member)}`;
    case 'invite':
      return `${step.wanted.email}, into ${step.wanted.teams.map(({ asked }) => asked).join(', ')}`;
    case 'teams-missing':
      return `${describeMember(step.member)} is not in ${step.missing.join(', ')}`;
    case 'keep-self':
      return `${describeMember(step.member)}: this is you`;
    case 'keep-owner':
      return `${describeMember(step.member)}: an owner`;
    case 'keep-unnamed':
      return `${describeMember(step.member)}: no roster can name this address`;
    case 'extra':
      return `${describeMember(step.member)}: not in the roster`;
  }
}

/** `3 to invite, 1 to remove, 2 that need teams elsewhere`, or `nothing to do`. */
export function describeDifference(plan: Plan): string {
  const { invite, remove, 'teams-missing': lacking } = countActions(plan);
  const parts = [
    ...countSteps(invite, 'to invite'),
    ...countSteps(remove, 'to remove'),
    ...countSteps(lacking, `that ${lacking === 1 ? 'needs' : 'need'} teams elsewhere`),
  ];
  return parts.length === 0 ? 'nothing to do' : parts.join(', ');
}

/** Who stays as they are: `5 as they should be, 2 not in the roster and left alone`. */
export function describeRest(plan: Plan): string {
  const counts = countActions(plan);
  const kept = counts['keep-self'] + counts['keep-owner'] + counts['keep-unnamed'];
  return [
    `${plan.present} as they should be`,
    ...countSteps(kept, 'kept though not in the roster'),
    ...countSteps(counts.extra, 'not in the roster and left alone'),
  ].join(', ');
}

function countSteps(count: number, words: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${words}`];
}
