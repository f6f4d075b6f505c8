import type { Outcome } from '../act-on-each.ts';
import { describeItem, type FailedItem, listMeanings, type OrgctlError } from '../errors.ts';
import { listNotAttempted, toOneError } from '../failures.ts';
import { addCount } from '../groups.ts';
import { isSignal, toSignal } from '../interrupts.ts';
import { NOTHING_TO_DO } from '../stdout/columns.ts';
import { countAny, formatCount } from '../text/count.ts';
import type { ResultRow } from './row-error.ts';

/** What became of several items, counted: one sentence for all, and one error for what failed. */

const MOST_NAMED = 20;
const MOST_HINTS = 3;

/**
 * Counts all and keeps the first failures only: of thousands, the whole answers would fill the memory. `isShown`: what failed
 * stands on the terminal already.
 */
export function createTally(
  { items: { length: total }, again }: { readonly items: readonly unknown[]; readonly again?: string },
  { isShown }: { readonly isShown: boolean },
) {
  const counts = new Map<string, number>();
  const failed: FailedItem[] = [];
  const notAttempted: string[] = [];
  const codes = new Set<string>();
  let signal: OrgctlError | undefined;
  const count = (result: string): number => counts.get(result) ?? 0;
  const toMessage = (): string => {
    const [unfinished, left, unknown] = [count('failed'), count('not-attempted'), count('unknown')];
    const all = formatCount(total);
    if (signal === undefined) return `${formatCount(unfinished)} of ${all} failed`;
    const parts = [
      `${formatCount(total - unfinished - left - unknown)} of ${all} done`,
      ...countAny(unfinished, 'failed'),
      ...countAny(left, 'not attempted'),
    ];
    return `${signal.message} ${parts.join('; ')}.`;
  };

  return {
    counts,
    add(name: string, outcome: Outcome<{ readonly extra: Pick<ResultRow, 'result'> } | undefined>) {
      if (outcome.kind === 'done') return addCount(counts, outcome.value?.extra.result ?? 'planned');
      const isUnknown = outcome.kind === 'failed' && isSignal(outcome.error);
      addCount(counts, isUnknown ? 'unknown' : outcome.kind);
      if (outcome.kind === 'not-attempted') {
        signal ??= outcome.reason;
        if (notAttempted.length < MOST_NAMED) notAttempted.push(name);
        return;
      }
      if (isUnknown) signal ??= toSignal(outcome.error);
      codes.add(outcome.error.code);
      if (failed.length < MOST_NAMED) failed.push({ item: name, error: outcome.error });
    },
    isWhole: () => [...counts.values()].reduce((sum, some) => sum + some, 0) === total,
    refuse(): void {
      const [first] = failed;
      const notDone = count('failed') + count('unknown');
      const undone = notDone + count('not-attempted');
      if (undone === 0) return;
      const only = first?.error ?? signal;
      if (total === 1 && only !== undefined) throw only;
      const hint = signal === undefined ? joinHints(failed) : (again ?? 'Run the same command again to do the rest.');
      throw toOneError(toMessage(), {
        failed,
        isAll: undone === total && codes.size === 1,
        signal,
        reasons: [
          ...(isShown ? [] : failed.map(describeFailed)),
          ...(!isShown && notDone > failed.length
            ? [`and ${formatCount(notDone - failed.length)} more; all rows: -o csv`]
            : []),
          ...listMeanings(failed),
          ...describeNotAttempted(notAttempted, count('not-attempted'), signal !== undefined),
        ],
        hint,
        next: failed.flatMap(({ error }) => error.next),
      });
    },
  };
}

/** What to do about each, where few words say it. */
function joinHints(failed: readonly FailedItem[]): string | undefined {
  const hints = [...new Set(failed.flatMap(({ error }) => error.hint ?? []))];
  return hints.length > MOST_HINTS ? hints[0] : hints.join(' ') || undefined;
}

/** `isCounted`: the message says how many. */
function describeNotAttempted(names: readonly string[], count: number, isCounted: boolean): readonly string[] {
  if (count <= names.length) return listNotAttempted(names);
  return isCounted ? [] : [`Not attempted: ${formatCount(count)}, from ${names[0]} on`];
}

export function describeFailed(failed: FailedItem): string {
  return isSignal(failed.error) ? `Unknown: ${failed.item}` : describeItem(failed);
}

/** What was left as it was comes after what was done, and what was not done comes last. */
const LAST = ['unchanged', 'absent', 'failed', 'unknown', 'not-attempted'];

/** `300 people: 180 invited, 12 unchanged, 1 failed, 107 not attempted.` */
export function describeCounts(what: string, counts: ReadonlyMap<string, number>): string {
  if (counts.size === 0) return NOTHING_TO_DO;
  const parts = [...counts]
    .sort(([one], [other]) => LAST.indexOf(one) - LAST.indexOf(other))
    .map(([result, count]) => `${formatCount(count)} ${result.replaceAll('-', ' ')}`);
  return `${what}: ${parts.join(', ')}.`;
}
