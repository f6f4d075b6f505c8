import { OrgctlError } from '../errors.ts';
import type { ExitName } from '../exit-codes.ts';

/** One command over several items: each is tried, and what failed is told once, at the end. */

export interface ItemFailure {
  readonly item: string;
  readonly error: OrgctlError;
}

// Every further item would end the same way.
const STOPPING: ReadonlySet<string> = new Set(['organization-limit', 'not-authenticated', 'rate-limited']);
const STOPPING_EXITS: ReadonlySet<ExitName> = new Set(['usage', 'interrupted', 'terminated', 'hangup', 'failure']);

/**
 * Acts on each item in order and returns what failed. Items after a failure that would meet them all are not
 * attempted, and stand in `notAttempted`.
 */
export async function forEachItem<Item>(
  items: readonly Item[],
  name: (item: Item) => string,
  act: (item: Item) => Promise<void>,
): Promise<{ readonly failures: readonly ItemFailure[]; readonly notAttempted: readonly string[] }> {
  const failures: ItemFailure[] = [];
  for (const [index, item] of items.entries()) {
    try {
      await act(item);
    } catch (error) {
      if (!(error instanceof OrgctlError) || (STOPPING_EXITS.has(error.exit) && index === 0)) throw error;
      failures.push({ item: name(item), error });
      if (STOPPING.has(error.code) || STOPPING_EXITS.has(error.exit)) {
        return { failures, notAttempted: items.slice(index + 1).map(name) };
      }
    }
  }
  return { failures, notAttempted: [] };
}

/** Throws when something failed: one reason for all gives that reason's exit, mixed outcomes give `incomplete`. */
export function throwFailures(
  total: number,
  { failures, notAttempted }: { readonly failures: readonly ItemFailure[]; readonly notAttempted: readonly string[] },
): void {
  const [first] = failures;
  if (first === undefined) return;
  if (total === 1) throw first.error;
  const allAlike =
    failures.length + notAttempted.length === total && failures.every(({ error }) => error.code === first.error.code);
  const reasons = [
    ...failures.map(({ error }) => [error.message, ...error.reasons].join('; ')),
    ...(notAttempted.length === 0 ? [] : [`not attempted: ${notAttempted.join(', ')}`]),
  ];
  throw new OrgctlError(allAlike ? first.error.exit : 'incomplete', `${failures.length} of ${total} failed`, {
    ...(allAlike ? { code: first.error.code } : {}),
    reasons,
    ...(first.error.hint === undefined ? {} : { hint: first.error.hint }),
  });
}
