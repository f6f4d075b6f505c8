import type { Range } from '../pagination.ts';
import type { Store } from '../store.ts';

export interface FeatureSetRow {
  readonly id: string;
  readonly attributes: string;
}

type Attributes = Readonly<Record<string, unknown>>;

export function countFeatureSets(store: Store): number {
  return store.count('feature_sets');
}

export function listFeatureSets(store: Store, { limit, offset }: Range): FeatureSetRow[] {
  return store.all('SELECT id, attributes FROM feature_sets ORDER BY seq LIMIT ? OFFSET ?', limit, offset);
}

export function countEligibleFeatureSets(store: Store, organization: number): number {
  return store.count('eligible_feature_sets WHERE organization = ?', organization);
}

export function listEligibleFeatureSets(store: Store, organization: number, { limit, offset }: Range): FeatureSetRow[] {
  return store.all(
    `SELECT feature_sets.id, eligible_feature_sets.attributes
     FROM eligible_feature_sets JOIN feature_sets ON feature_sets.seq = eligible_feature_sets.feature_set
     WHERE eligible_feature_sets.organization = ? ORDER BY feature_sets.seq LIMIT ? OFFSET ?`,
    organization,
    limit,
    offset,
  );
}

export function findCurrentFeatureSet(store: Store, organization: number): FeatureSetRow | undefined {
  return store.first(
    `SELECT feature_sets.id, eligible_feature_sets.attributes
     FROM eligible_feature_sets JOIN feature_sets ON feature_sets.seq = eligible_feature_sets.feature_set
     WHERE eligible_feature_sets.organization = ? AND eligible_feature_sets.attributes ->> 'is-current' = 1
     ORDER BY feature_sets.seq`,
    organization,
  );
}

export function insertFeatureSet(store: Store, id: string, attributes: Attributes): number {
  return store.insert('feature_sets', { id, attributes: JSON.stringify(attributes) });
}

export function insertEligibleFeatureSet(
  store: Store,
  organization: number,
  set: number,
  attributes: Attributes,
): void {
  store.insert('eligible_feature_sets', { organization, feature_set: set, attributes: JSON.stringify(attributes) });
}
