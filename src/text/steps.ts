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

/** Of the kinds that do no harm so many have a line each. */
const MOST_SHOWN = 20;

/** A sentence for each step, and of many of a kind how many more there are. */
export function describeSteps<Action extends string, Step extends { readonly action: Action }>(
  steps: readonly Step[],
  kinds: Readonly<Record<Action, StepKind>>,
  toText: (step: Step) => string,
): readonly { readonly sign: Sign; readonly text: string }[] {
  const counts = countEach(steps.map(({ action }) => action));
  const shown = new Map<Action, number>();
  return steps.flatMap((step) => {
    const { action } = step;
    const { sign, more, isShownWhole } = kinds[action];
    const number = (shown.get(action) ?? 0) + 1;
    shown.set(action, number);
    if (isShownWhole === true || number <= MOST_SHOWN) return [{ sign, text: toText(step) }];
    if (number > MOST_SHOWN + 1) return [];
    return [{ sign, text: `and ${formatCount((counts.get(action) ?? 0) - MOST_SHOWN)} more ${more}` }];
  });
}
