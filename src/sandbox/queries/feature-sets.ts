import type { Store } from '../store.ts';

export interface FeatureSetRow {
  readonly id: string;
  /** JSON. */
  readonly attributes: string;
}

export function countFeatureSets(store: Store): number {
  return store.first<{ count: number }>('SELECT count(*) AS count FROM feature_sets')?.count ?? 0;
}

/** A limit of -1 is none. */
export function listFeatureSets(store: Store, limit: number, offset: number): FeatureSetRow[] {
  return store.all<FeatureSetRow>(
    'SELECT id, attributes FROM feature_sets ORDER BY seq LIMIT ? OFFSET ?',
    limit,
    offset,
  );
}

export function countEligibleFeatureSets(store: Store, organization: number): number {
  return (
    store.first<{ count: number }>(
      'SELECT count(*) AS count FROM eligible_feature_sets WHERE organization = ?',
      organization,
    )?.count ?? 0
  );
}

/** A limit of -1 is none. */
export function listEligibleFeatureSets(
  store: Store,
  organization: number,
  limit: number,
  offset: number,
): FeatureSetRow[] {
  return store.all<FeatureSetRow>(
    `SELECT feature_sets.id, eligible_feature_sets.attributes
     FROM eligible_feature_sets JOIN feature_sets ON feature_sets.seq = eligible_feature_sets.feature_set
     WHERE eligible_feature_sets.organization = ? ORDER BY feature_sets.seq LIMIT ? OFFSET ?`,
    organization,
    limit,
    offset,
  );
}

export function insertFeatureSet(store: Store, id: string, attributes: Readonly<Record<string, unknown>>): number {
  return store.run('INSERT INTO feature_sets (id, attributes) VALUES (?, ?)', id, JSON.stringify(attributes));
}

export function insertEligibleFeatureSet(
  store: Store,
  organization: number,
  featureSet: number,
  attributes: Readonly<Record<string, unknown>>,
): void {
  store.run(
    'INSERT INTO eligible_feature_sets (organization, feature_set, attributes) VALUES (?, ?, ?)',
    organization,
    featureSet,
    JSON.stringify(attributes),
  );
}
