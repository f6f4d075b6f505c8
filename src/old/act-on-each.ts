import { OrgctlError } from './errors.ts';
import { isSignal, toSignal } from './interrupts.ts';
import { AT_ONCE, createStop } from './stop.ts';

export type Outcome<Done> =
  | { readonly kind: 'done'; readonly value: Done }
  | { readonly kind: 'failed'; readonly error: OrgctlError }
  /** `reason`: the signal that kept it from being attempted, or undefined where an earlier failure did. */
  | { readonly kind: 'not-attempted'; readonly reason?: OrgctlError };

/**
 * So few items take little time and go one after the other. If one fails, the items that are done are those before it.
 */
const FEW = 8;
const MOST_AHEAD = 256;

interface ActOptions<Item> {
  /** One at a time, however many. */
  readonly singly?: boolean;
  /** So many at a time, also of few. */
  readonly atOnce?: number;
  /** Where items are of several organizations: what meets all of one does not keep those of others from being attempted, nor does
   * what is wrong on the command line for one. */
  readonly organizationOf?: ((item: Item) => string) | undefined;
}

/**
 * Acts on each item and gives what became of it, in the order of the items. Several are on their way at a time, more
 * with each success and never more than eight. After a failure that would meet them all, those on their way are waited
 * for and the rest is not attempted.
 */
export async function* actOnEach<Item, Done>(
  items: readonly Item[],
  act: (item: Item) => Promise<Done>,
  { singly = false, atOnce, organizationOf }: ActOptions<Item> = {},
): AsyncGenerator<{ readonly item: Item; readonly outcome: Outcome<Done> }> {
  const most = atOnce ?? (singly || items.length <= FEW ? 1 : AT_ONCE);
  const begun: Promise<Outcome<Done>>[] = [];
  let upcoming = 0;
  let underway = 0;
  let width = 1;
  let stop: { readonly reason?: OrgctlError } | undefined;
  const stopped = new Set<string>();
  const { succeeded, failed } = createStop('write', { ofSeveral: organizationOf !== undefined });

  const run = async (item: Item, isFirst: boolean): Promise<Outcome<Done>> => {
    const organization = organizationOf?.(item) ?? '';
    if (stopped.has(organization)) return { kind: 'not-attempted' };
    underway += 1;
    try {
      const value = await act(item);
      width = Math.min(width + 1, most);
      succeeded();
      return { kind: 'done', value };
    } catch (error) {
      // An error before anything was sent is not the outcome of one item.
      if (!(error instanceof OrgctlError) || (error.exit === 'usage' && isFirst && organizationOf === undefined)) {
        stop ??= {};
        throw error;
      }
      if (isSignal(error)) stop ??= { reason: toSignal(error) };
      // The bare signal: the item's own write had not left.
      if (isSignal(error) && error.cause === undefined) return { kind: 'not-attempted', reason: error };
      const rest = failed(error);
      if (rest === 'leave the organization') stopped.add(organization);
      else if (rest === 'stop') stop ??= {};
      return { kind: 'failed', error };
    } finally {
      underway -= 1;
      fill();
    }
  };
  const fill = (): void => {
    while (stop === undefined && underway < width && begun.length < MOST_AHEAD && upcoming < items.length) {
      const outcome = run(items[upcoming] as Item, upcoming === 0);
      // The outcome is left behind where the caller stops early, and then its failure does not matter.
      outcome.catch(() => undefined);
      begun.push(outcome);
      upcoming += 1;
    }
  };

  try {
    for (const item of items) {
      fill();
      const outcome = await begun.shift();
      yield { item, outcome: outcome ?? { kind: 'not-attempted', ...stop } };
    }
  } finally {
    stop ??= {};
  }
}
