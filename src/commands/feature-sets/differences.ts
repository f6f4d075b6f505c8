import { isDeepStrictEqual } from 'node:util';
import type { Resource } from '../../wire/json-api.ts';
import type { FeatureSet } from '../../wire/resources.ts';

export interface OfferRow {
  readonly id: string;
  readonly identifier: unknown;
  readonly name: unknown;
  readonly difference: 'differs' | 'not-listed' | 'not-offered';
  /** Null, as the two values are, where the whole feature set is the difference. */
  readonly attribute: string | null;
  readonly everybody: unknown;
  /** The same as `offered`. Elsewhere an organization is an object of this name. */
  readonly organization: unknown;
  readonly offered: unknown;
}

export interface PairRow {
  readonly attribute: string;
  readonly first: unknown;
  readonly second: unknown;
}

/**
 * What an organization is offered against the list for everybody, in the order of that list; what only the organization sees
 * comes last.
 */
export function compareOffers(
  everybody: readonly FeatureSet[],
  organization: readonly FeatureSet[],
): readonly OfferRow[] {
  const offered = new Map(organization.map((set) => [set.id, set]));
  const listed = new Set(everybody.map(({ id }) => id));
  const nothing = { attribute: null, everybody: null, organization: null, offered: null };
  const whole = (set: FeatureSet, difference: 'not-offered' | 'not-listed'): OfferRow => ({
    ...describe(set),
    difference,
    ...nothing,
  });
  return [
    ...everybody.flatMap((set) => {
      const own = offered.get(set.id);
      if (own === undefined) return [whole(set, 'not-offered')];
      // Which plan is the organization's is no difference between the plans.
      const differences = compareAttributes(set, own).filter(([attribute]) => attribute !== 'is-current');
      return differences.map(([attribute, one, other]) => ({
        ...describe(set),
        difference: 'differs' as const,
        attribute,
        everybody: one,
        organization: other,
        offered: other,
      }));
    }),
    ...organization.filter(({ id }) => !listed.has(id)).map((set) => whole(set, 'not-listed')),
  ];
}

/** A row for each attribute in which they differ. Begins with the two ids, which say which is which. */
export function comparePair(first: FeatureSet, second: FeatureSet): readonly PairRow[] {
  return [
    { attribute: 'id', first: first.id, second: second.id },
    ...compareAttributes(first, second).map(([attribute, one, other]) => ({ attribute, first: one, second: other })),
  ];
}

/** A missing attribute and one that is null mean the same. */
function compareAttributes(first: Resource, second: Resource): readonly (readonly [string, unknown, unknown])[] {
  const [one, other] = [first.attributes ?? {}, second.attributes ?? {}];
  return [...new Set([...Object.keys(one), ...Object.keys(other)])]
    .map((name) => [name, one[name] ?? null, other[name] ?? null] as const)
    .filter(([, left, right]) => !isDeepStrictEqual(left, right));
}

function describe({ id, attributes }: FeatureSet) {
  return { id, identifier: attributes?.['identifier'] ?? null, name: attributes?.['name'] ?? null };
}
