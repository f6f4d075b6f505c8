import type { Members } from './call.ts';
import type { FeatureSetRow, OrganizationRow } from './rows.ts';
import type { Store } from './store.ts';

/** What owners can set. In the sandbox only `max-ttl-enabled` and `user-tokens-enabled` have an effect. */
export const DEFAULT_SETTINGS = {
  'collaborator-auth-policy': 'password',
  'session-timeout': null,
  'session-remember': null,
  'owners-team-saml-role-id': null,
  'aggregated-commit-status-enabled': true,
  'allow-force-delete-workspaces': false,
  'assessments-enforced': false,
  'cost-estimation-enabled': false,
  'default-execution-mode': 'remote',
  'max-ttl-enabled': false,
  'send-passing-statuses-for-untriggered-speculative-plans': false,
  'speculative-plan-management-enabled': true,
  'stacks-enabled': false,
  'user-tokens-enabled': true,
};

export function readSettings({ settings }: OrganizationRow): Members {
  return { ...DEFAULT_SETTINGS, ...(JSON.parse(settings) as Members) };
}

export function listOrganizations(store: Store): OrganizationRow[] {
  return store.all('SELECT * FROM organizations ORDER BY seq');
}

/** The feature set that the organization has. */
export function findPlan(store: Store, organization: number): FeatureSetRow | undefined {
  return store.first(
    `SELECT feature_sets.id, eligible.attributes FROM eligible_feature_sets AS eligible
     JOIN feature_sets ON feature_sets.seq = eligible.feature_set
     WHERE eligible.organization = ? AND eligible.attributes ->> 'is-current' = 1 ORDER BY feature_sets.seq LIMIT 1`,
    organization,
  );
}

/** Empty if there is no feature set. */
export function readAttributes(row: FeatureSetRow | undefined): Members {
  return JSON.parse(row?.attributes ?? '{}') as Members;
}

/**
 * Gives the organization this plan in place of its present one. An organization that has left a trial is not offered it
 * again. The contract limits the number of users; without one the plan does.
 */
export function changePlan(store: Store, organization: number, plan: FeatureSetRow, contractLimit?: unknown): void {
  const left = findPlan(store, organization);
  const insert = `INSERT INTO eligible_feature_sets (organization, feature_set, attributes)
    SELECT ?, seq, attributes FROM feature_sets WHERE id = ? ON CONFLICT DO NOTHING`;
  store.run(insert, organization, plan.id);
  const update = `UPDATE eligible_feature_sets SET attributes = json_set(attributes, '$."is-current"',
      json(iif(feature_set = (SELECT seq FROM feature_sets WHERE id = ?), 'true', 'false'))) WHERE organization = ?`;
  store.run(update, plan.id, organization);
  const remove = `DELETE FROM eligible_feature_sets WHERE organization = ? AND feature_set =
    (SELECT seq FROM feature_sets WHERE id = ? AND attributes ->> 'identifier' = 'trial')`;
  if (left !== undefined && left.id !== plan.id) store.run(remove, organization, left.id);
  const limit = contractLimit ?? readAttributes(plan)['user-limit'];
  store.update('organizations', organization, { user_limit: Number.isInteger(limit) ? Number(limit) : null });
}
