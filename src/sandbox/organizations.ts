import type { Members } from './call.ts';
import type { FeatureSetRow, OrganizationRow } from './rows.ts';
import type { Store } from './store.ts';

/** What owners can set. In the sandbox only `max-ttl-enabled` and `user-tokens-enabled` have an effect. */
export const DEFAULT_SETTINGS = {
  ...{ 'collaborator-auth-policy': 'password', 'default-execution-mode': 'remote' },
  ...{ 'session-timeout': null, 'session-remember': null, 'owners-team-saml-role-id': null },
  ...{ 'allow-force-delete-workspaces': false, 'assessments-enforced': false, 'cost-estimation-enabled': false },
  ...{ 'max-ttl-enabled': false, 'stacks-enabled': false, 'user-tokens-enabled': true },
  ...{ 'aggregated-commit-status-enabled': true, 'speculative-plan-management-enabled': true },
  'send-passing-statuses-for-untriggered-speculative-plans': false,
};

export function readSettings({ settings }: OrganizationRow): Members {
  return { ...DEFAULT_SETTINGS, ...(JSON.parse(settings) as Members) };
}

export function listOrganizations(store: Store): OrganizationRow[] {
  return store.all('SELECT * FROM organizations ORDER BY seq');
}

export function findPlan(store: Store, organization: number): FeatureSetRow | undefined {
  const sql = `SELECT feature_sets.id, eligible.attributes FROM eligible_feature_sets AS eligible
    JOIN feature_sets ON feature_sets.seq = eligible.feature_set
    WHERE eligible.organization = ? AND eligible.attributes ->> 'is-current' = 1 ORDER BY feature_sets.seq LIMIT 1`;
  return store.first(sql, organization);
}

export function readAttributes(row: FeatureSetRow | undefined): Members {
  return JSON.parse(row?.attributes ?? '{}') as Members;
}
