import { countEach } from '../groups.ts';
import { formatCount } from './count.ts';
import type { Sign } from './signs.ts';

/** The steps of a plan as people read them. */

export interface StepKind {
  readonly sign: Sign;
  /** After a count: `to invite`. */
  readonly more: string;
  /** What takes something away: each step has a line, however many there are. */
  readonly isShownWhole?: true;
}

/** Of the kinds that do no harm so many have a line each: of those that change something where a plan is not the result itself. */
const MOST_CHANGED = 100;
const MOST_LEFT = 20;

/** A sentence for each step, and of many of a kind how many more there are. `isResult`: each change has a line. */
export function describeSteps<Action extends string, Step extends { readonly action: Action }>(
  steps: readonly Step[],
  kinds: Readonly<Record<Action, StepKind>>,
  toText: (step: Step) => string,
  isResult = false,
): readonly { readonly sign: Sign; readonly text: string }[] {
  const counts = countEach(steps.map(({ action }) => action));
  const shown = new Map<Action, number>();
  return steps.flatMap((step) => {
    const { action } = step;
    const { sign, more, isShownWhole } = kinds[action];
    const number = (shown.get(action) ?? 0) + 1;
    shown.set(action, number);
    const most = sign === '=' ? MOST_LEFT : isResult || isShownWhole === true ? Number.POSITIVE_INFINITY : MOST_CHANGED;
    if (number <= most) return [{ sign, text: toText(step) }];
    if (number > most + 1) return [];
    return [{ sign, text: `and ${formatCount((counts.get(action) ?? 0) - most)} more ${more}` }];
  });
}
