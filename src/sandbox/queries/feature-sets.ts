import type { Range } from '../pagination.ts';
import { allOf, fold, type Store } from '../store.ts';

export interface FeatureSetRow {
  readonly id: string;
  readonly attributes: string;
}

type Attributes = Readonly<Record<string, unknown>>;

interface FeatureSetFilter {
  /** With those that the service no longer lists. */
  readonly all?: boolean;
  readonly search?: string | undefined;
}

export function countFeatureSets(store: Store, filter: FeatureSetFilter = {}): number {
  const { where, values } = toCondition(filter);
  return store.count(`feature_sets WHERE ${where}`, ...values);
}

export function listFeatureSets(
  store: Store,
  { limit, offset }: Range,
  filter: FeatureSetFilter = {},
): FeatureSetRow[] {
  const { where, values } = toCondition(filter);
  const sql = `SELECT id, attributes FROM feature_sets WHERE ${where} ORDER BY seq LIMIT ? OFFSET ?`;
  return store.all(sql, ...values, limit, offset);
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

/** Whether the current plan of the organization has it. */
export function hasFeature(store: Store, organization: number, name: string): boolean {
  const attributes = findCurrentFeatureSet(store, organization)?.attributes ?? '{}';
  return (JSON.parse(attributes) as Attributes)[name] === true;
}

export function insertFeatureSet(store: Store, id: string, attributes: Attributes, isListed: boolean): number {
  return store.insert('feature_sets', { id, is_listed: isListed ? 1 : 0, attributes: JSON.stringify(attributes) });
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
  const sql = "SELECT id, attributes FROM feature_sets WHERE id = ? OR attributes ->> 'identifier' = ? ORDER BY seq";
  return store.first(sql, name, name);
}

/** Makes it the organization's plan, in place of the present one. Assumed: a trial that it leaves is used, and not offered again. */
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

function toCondition({ all = false, search }: FeatureSetFilter): ReturnType<typeof allOf> {
  return allOf(
    ['(is_listed = 1 OR ?)', all ? 1 : 0],
    search !== undefined && ["instr(lower(attributes ->> 'name'), ?) > 0", fold(search)],
  );
}

export function insertEligibleFeatureSet(
  store: Store,
  organization: number,
  set: number,
  attributes: Attributes,
): void {
  store.insert('eligible_feature_sets', { organization, feature_set: set, attributes: JSON.stringify(attributes) });
}
