import { actOnEach, type Outcome } from '../act-on-each.ts';
import type { OrgctlError } from '../errors.ts';
import { toErrorOf } from './failures.ts';

/** Changes to several things: they are made, and what became of each is given. Nothing is printed. */

export interface Work<Item, Value> {
  readonly items: readonly Item[];
  /** What is certain of an item without a request, and so even after the rest was stopped. */
  known?(item: Item): Value | undefined;
  /** Undefined where nothing came of it, as in a dry run. */
  act(item: Item): Promise<Value | undefined>;
  /** One after the other, where an item that fails must keep the next one from being begun. */
  readonly singly?: boolean;
  /** Where items are of several organizations: one that is full, or refuses the token, ends what is left of it alone. */
  readonly organizationOf?: ((item: Item) => string) | undefined;
  /** Why an item is not attempted at all, which keeps no other from being. */
  refusal?(item: Item): OrgctlError | undefined;
}

class Refused {
  readonly error: OrgctlError;
  constructor(error: OrgctlError) {
    this.error = error;
  }
}

/** What became of each item, in their order, as it becomes certain. `explain`: asks the service what a refusal means. */
export async function* runJob<Item, Value>(
  work: Work<Item, Value>,
  explain: (error: OrgctlError) => Promise<OrgctlError>,
): AsyncGenerator<{ readonly item: Item; readonly outcome: Outcome<Value | undefined> }> {
  const { items, singly = false, organizationOf } = work;
  const act = async (item: Item): Promise<Value | Refused | undefined> => {
    const refusal = work.refusal?.(item);
    return refusal === undefined ? (work.known?.(item) ?? (await work.act(item))) : new Refused(refusal);
  };
  for await (const { item, outcome: end } of actOnEach(items, act, { singly, organizationOf })) {
    const outcome = toOutcome(end, organizationOf?.(item), () => work.known?.(item));
    yield { item, outcome: outcome.kind === 'failed' ? { ...outcome, error: await explain(outcome.error) } : outcome };
  }
}

/**
 * Makes an outcome. What is known of an item holds whether or not its turn came. `organization`: the item's, where
 * there are several.
 */
function toOutcome<Value>(
  end: Outcome<Value | Refused | undefined>,
  organization: string | undefined,
  findKnown: () => Value | undefined,
): Outcome<Value | undefined> {
  if (end.kind === 'done') {
    const { value } = end;
    if (!(value instanceof Refused)) return { kind: 'done', value };
    return toOutcome({ kind: 'failed', error: value.error }, organization, findKnown);
  }
  if (end.kind === 'failed' && organization !== undefined) {
    return { kind: 'failed', error: toErrorOf(organization, end.error) };
  }
  const known = end.kind === 'not-attempted' ? findKnown() : undefined;
  return known === undefined ? end : { kind: 'done', value: known };
}
