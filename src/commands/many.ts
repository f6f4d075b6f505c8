import { type FailedItem, OrgctlError } from '../errors.ts';
import type { ExitName } from '../exit-codes.ts';

/** One command over several items: each is tried, and what failed is told once, at the end. */
export interface Failures {
  readonly failed: readonly FailedItem[];
  readonly notAttempted: readonly string[];
}

const SIGNALS: ReadonlySet<ExitName> = new Set(['interrupted', 'terminated', 'hangup']);
// Every further item would end the same way.
const STOPPING: ReadonlySet<string> = new Set([
  'organization-limit',
  'not-authenticated',
  'rate-limited',
  'usage',
  'failure',
]);

/** Acts on each item in order. After a failure that would meet them all the rest is not attempted. */
export async function forEachItem<Item>(
  items: readonly Item[],
  name: (item: Item) => string,
  act: (item: Item) => Promise<void>,
): Promise<Failures> {
  const failed: FailedItem[] = [];
  for (const [index, item] of items.entries()) {
    try {
      await act(item);
    } catch (error) {
      // Refused before anything was sent: that is no outcome of one item.
      if (!(error instanceof OrgctlError) || (error.exit === 'usage' && index === 0)) throw error;
      failed.push({ item: name(item), error });
      if (STOPPING.has(error.code) || STOPPING.has(error.exit) || SIGNALS.has(error.exit)) {
        return { failed, notAttempted: items.slice(index + 1).map(name) };
      }
    }
  }
  return { failed, notAttempted: [] };
}

/** Throws when something failed: one reason for all gives that reason's exit, mixed outcomes give `incomplete`. */
export function throwFailures(total: number, { failed, notAttempted }: Failures): void {
  const [first] = failed;
  if (first === undefined) return;
  if (total === 1) throw first.error;
  const stopped = failed.find(({ error }) => SIGNALS.has(error.exit))?.error;
  const isAlike =
    failed.length + notAttempted.length === total && failed.every(({ error }) => error.code === first.error.code);
  const shared = stopped ?? (isAlike ? first.error : undefined);
  throw new OrgctlError(shared?.exit ?? 'incomplete', `${failed.length} of ${total} failed`, {
    ...(shared === undefined ? {} : { code: shared.code }),
    reasons: [
      ...failed.map(({ item, error }) => describe(item, error)),
      ...(notAttempted.length === 0 ? [] : [`not attempted: ${notAttempted.join(', ')}`]),
    ],
    ...(first.error.hint === undefined ? {} : { hint: first.error.hint }),
    items: failed,
  });
}

function describe(item: string, error: OrgctlError): string {
  const message = error.message.includes(item) ? error.message : `${item}: ${error.message}`;
  return [message, ...error.reasons].join('; ');
}
