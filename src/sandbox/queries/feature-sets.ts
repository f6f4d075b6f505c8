import { type Condition, contains, type Selection, type Store } from '../rows.ts';

export interface FeatureSetRow {
  readonly id: string;
  readonly attributes: string;
}

type Attributes = Readonly<Record<string, unknown>>;

/** `all`: whether those are selected, too, that the service no longer lists. */
export function selectFeatureSets(store: Store, all = false, search?: string): Selection<FeatureSetRow> {
  const listed: Condition = ['(is_listed = 1 OR ?)', all ? 1 : 0];
  return store.select('id, attributes', 'feature_sets', [listed, contains(search, "lower(attributes ->> 'name')")]);
}

/** The feature sets that the organization may have, each with the attributes that it has for this organization. */
export function selectEligibleFeatureSets(
  store: Store,
  organization: number,
  ...conditions: readonly Condition[]
): Selection<FeatureSetRow> {
  return store.select(
    'feature_sets.id, eligible_feature_sets.attributes',
    'eligible_feature_sets JOIN feature_sets ON feature_sets.seq = eligible_feature_sets.feature_set',
    [['eligible_feature_sets.organization = ?', organization], ...conditions],
    'feature_sets.seq',
  );
}

export function findCurrentFeatureSet(store: Store, organization: number): FeatureSetRow | undefined {
  const isCurrent: Condition = ["eligible_feature_sets.attributes ->> 'is-current' = 1"];
  return selectEligibleFeatureSets(store, organization, isCurrent).first();
}

/** Empty where there is no feature set. */
export function readAttributes(row: FeatureSetRow | undefined): Attributes {
  return JSON.parse(row?.attributes ?? '{}') as Attributes;
}

/** Whether the current plan of the organization has it. */
export function hasFeature(store: Store, organization: number, name: string): boolean {
  return readAttributes(findCurrentFeatureSet(store, organization))[name] === true;
}

/** An organization that is new may have all that are listed. */
export function offerFeatureSets(store: Store, organization: number): void {
  store.run(
    `INSERT INTO eligible_feature_sets (organization, feature_set, attributes)
     SELECT ?, seq, json_set(attributes, '$."is-current"', json('false')) FROM feature_sets WHERE is_listed = 1`,
    organization,
  );
}

/** The first with that id or identifier. */
export function findFeatureSet(store: Store, name: string): FeatureSetRow | undefined {
  const conditions: Condition = ["(id = ? OR attributes ->> 'identifier' = ?)", name, name];
  return store.select<FeatureSetRow>('id, attributes', 'feature_sets', [conditions]).first();
}

/**
 * Gives the organization this plan in place of its present one. Assumed: an organization that has left a trial is not
 * offered the trial again.
 */
export function subscribe(store: Store, organization: number, { id }: FeatureSetRow): void {
  const left = findCurrentFeatureSet(store, organization);
  store.run(
    `INSERT INTO eligible_feature_sets (organization, feature_set, attributes)
     SELECT ?, seq, attributes FROM feature_sets WHERE id = ? ON CONFLICT DO NOTHING`,
    organization,
    id,
  );
  store.run(
    `UPDATE eligible_feature_sets SET attributes = json_set(attributes, '$."is-current"',
       json(iif(feature_set = (SELECT seq FROM feature_sets WHERE id = ?), 'true', 'false')))
     WHERE organization = ?`,
    id,
    organization,
  );
  if (left === undefined || left.id === id) return;
  store.run(
    `DELETE FROM eligible_feature_sets WHERE organization = ? AND feature_set =
       (SELECT seq FROM feature_sets WHERE id = ? AND attributes ->> 'identifier' = 'trial')`,
    organization,
    left.id,
  );
}
