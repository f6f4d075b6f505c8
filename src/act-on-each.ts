import { OrgctlError } from './errors.ts';
import type { ExitName } from './exit-codes.ts';

export type Outcome<Done> =
  | { readonly kind: 'done'; readonly value: Done }
  | { readonly kind: 'failed'; readonly error: OrgctlError }
  /** `reason`: the signal that kept it from being attempted, or undefined where an earlier failure did. */
  | { readonly kind: 'not-attempted'; readonly reason?: OrgctlError };

export const SIGNALS: ReadonlySet<ExitName> = new Set(['interrupted', 'terminated', 'hangup']);
// Every further item would end the same way.
const STOPPING: ReadonlySet<string> = new Set(['rate-limited', 'usage', 'failure', 'not-delivered']);
// Every further item of the same organization: it is full, it refuses the token, or what one lost must not be put at stake by
// the next.
const STOPPING_ORGANIZATION: ReadonlySet<string> = new Set([
  'organization-limit',
  'invitation-gone',
  'not-authenticated',
]);
const WITHOUT_ANSWER: ReadonlySet<ExitName> = new Set(['unavailable', 'outcome-unknown']);
/** A service that gave no usable answer to so many one after the other is not there. */
const MOST_UNAVAILABLE = 8;
/** So few items take no time, and go one after the other: what is done is then what stands first. */
const FEW = 8;
const AT_ONCE = 8;
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
  let unavailable = 0;
  let stop: { readonly reason?: OrgctlError } | undefined;
  const stopped = new Set<string>();

  const run = async (item: Item, isFirst: boolean): Promise<Outcome<Done>> => {
    const organization = organizationOf?.(item) ?? '';
    if (stopped.has(organization)) return { kind: 'not-attempted' };
    underway += 1;
    try {
      const value = await act(item);
      width = Math.min(width + 1, most);
      unavailable = 0;
      return { kind: 'done', value };
    } catch (error) {
      // Refused before anything was sent: that is no outcome of one item.
      if (!(error instanceof OrgctlError) || (error.exit === 'usage' && isFirst && organizationOf === undefined)) {
        stop ??= {};
        throw error;
      }
      if (SIGNALS.has(error.exit)) stop ??= { reason: toSignal(error) };
      // The bare signal: the item's own write had not left.
      if (SIGNALS.has(error.exit) && error.cause === undefined) return { kind: 'not-attempted', reason: error };
      unavailable = WITHOUT_ANSWER.has(error.exit) ? unavailable + 1 : 0;
      const isOfOrganization = STOPPING_ORGANIZATION.has(error.code) || STOPPING_ORGANIZATION.has(error.exit);
      if (isOfOrganization || (error.exit === 'usage' && organizationOf !== undefined)) stopped.add(organization);
      else if (STOPPING.has(error.code) || STOPPING.has(error.exit) || unavailable >= MOST_UNAVAILABLE) stop ??= {};
      return { kind: 'failed', error };
    } finally {
      underway -= 1;
      fill();
    }
  };
  const fill = (): void => {
    while (stop === undefined && underway < width && begun.length < MOST_AHEAD && upcoming < items.length) {
      const outcome = run(items[upcoming] as Item, upcoming === 0);
      // Left behind where the caller stops iterating: its failure is then of no interest.
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

/** The signal behind an error that says which write it cut short. */
export function toSignal(error: OrgctlError): OrgctlError {
  return error.cause instanceof OrgctlError ? error.cause : error;
}
