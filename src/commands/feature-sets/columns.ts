import type { Columns } from '../../stdout/columns.ts';

export const FEATURE_SET_COLUMNS: Columns = {
  name: 'feature sets',
  shape: 'resource',
  shown: ['id', 'identifier', 'name', 'cost', 'is-current'],
  fields: [
    'type',
    'description',
    'comparison-description',
    'plan',
    'is-free-tier',
    'self-serve-billing',
    'user-limit',
    'audit-logging',
    'cost-estimation',
    'sentinel',
    'policy-enforcement',
    'run-tasks',
    'teams',
    'sso',
    'private-networking',
    'assessments',
    'no-code-modules',
    'default-agents-ceiling',
    'default-runs-ceiling',
    'policy-limit',
    'policy-set-limit',
    'policy-mandatory-enforcement-limit',
    'versioned-policy-set-limit',
    'run-task-limit',
    'run-task-workspace-limit',
    'run-task-mandatory-enforcement-limit',
    'global-run-tasks',
    'module-tests-generation',
    'private-policy-agents',
    'private-run-tasks',
    'private-vcs',
  ],
};

/** What an organization is offered, against what there is. */
export const OFFER_COLUMNS: Columns = {
  name: 'differences',
  shape: 'record',
  shown: ['id', 'identifier', 'name', 'difference', 'attribute', 'everybody', 'organization'],
};

export const PAIR_COLUMNS: Columns = {
  name: 'differences',
  shape: 'record',
  shown: ['attribute', 'first', 'second'],
};
