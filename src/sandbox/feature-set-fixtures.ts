/** The feature sets of the demo: invented, with the kinds of values the service is known to send. */

export interface FeatureSetFixture {
  readonly attributes: Readonly<Record<string, unknown>>;
  /** What the list of an organization has in place of these attributes. */
  readonly eligible?: Readonly<Record<string, unknown>>;
  readonly trial?: boolean;
}

const COMMON = {
  cost: 0,
  plan: null,
  'is-current': false,
  'is-free-tier': false,
  'self-serve-billing': false,
  'audit-logging': false,
  'cost-estimation': true,
  sentinel: true,
  'policy-enforcement': true,
  'run-tasks': true,
  teams: true,
  sso: true,
  'private-networking': false,
  assessments: false,
  'no-code-modules': false,
  'user-limit': null,
  'default-agents-ceiling': 10,
  'default-runs-ceiling': 10,
  'policy-limit': null,
  'policy-set-limit': null,
  'policy-mandatory-enforcement-limit': null,
  'versioned-policy-set-limit': null,
  'run-task-limit': null,
  'run-task-workspace-limit': null,
  'run-task-mandatory-enforcement-limit': null,
  'global-run-tasks': false,
  'module-tests-generation': false,
  'private-policy-agents': false,
  'private-run-tasks': false,
  'private-vcs': false,
} as const;

const LARGER = {
  'audit-logging': true,
  'private-networking': true,
  assessments: true,
  'no-code-modules': true,
  'global-run-tasks': true,
  'module-tests-generation': true,
  'private-policy-agents': true,
  'private-run-tasks': true,
  'private-vcs': true,
} as const;

export const FEATURE_SET_FIXTURES: readonly FeatureSetFixture[] = [
  {
    attributes: {
      identifier: 'free',
      name: 'Free',
      description: 'Remote state and runs for individuals and small teams.',
      ...COMMON,
      'is-free-tier': true,
      'user-limit': 5.0,
      'default-agents-ceiling': 1,
      'default-runs-ceiling': 1,
    },
    eligible: {
      'policy-limit': 5,
      'policy-set-limit': 1,
      'policy-mandatory-enforcement-limit': 1,
      'versioned-policy-set-limit': 0,
      'run-task-limit': 1,
      'run-task-workspace-limit': 10,
      'run-task-mandatory-enforcement-limit': 1,
    },
  },
  {
    attributes: {
      identifier: 'trial',
      name: 'Trial',
      description: 'Everything the paid plans have, for thirty days.',
      ...COMMON,
      ...LARGER,
      'is-free-tier': true,
    },
    trial: true,
  },
  {
    attributes: {
      identifier: 'standard',
      name: 'Standard',
      description: 'For teams that provision together, billed by the hour.',
      ...COMMON,
      'is-current': true,
      'self-serve-billing': true,
      'audit-logging': true,
    },
  },
  {
    attributes: {
      identifier: 'standard',
      name: 'Standard',
      description: 'For teams that provision together, under a contract.',
      ...COMMON,
      'is-free-tier': true,
      'audit-logging': true,
      assessments: true,
    },
  },
  {
    attributes: {
      identifier: 'plus',
      name: 'Plus',
      description: 'Policy, drift detection and no-code provisioning for growing platforms.',
      ...COMMON,
      ...LARGER,
      cost: 7000,
      plan: 'plan_sandbox_plus',
      'private-networking': false,
      'default-agents-ceiling': 20,
    },
  },
  {
    attributes: {
      identifier: 'premium',
      name: 'Premium',
      description: 'Private networking and the highest limits for large organizations.',
      ...COMMON,
      ...LARGER,
      cost: 14050.5,
      plan: 'plan_sandbox_premium',
      'default-agents-ceiling': 100,
      'default-runs-ceiling': 200,
    },
    eligible: { 'default-agents-ceiling': 50, 'default-runs-ceiling': 100 },
  },
];

/** Only organizations that still have one of these see it. */
export const RETIRED_FEATURE_SET_FIXTURES: readonly FeatureSetFixture[] = [
  {
    attributes: {
      identifier: 'business',
      name: 'Business',
      description: 'What large organizations had before there was Premium.',
      ...COMMON,
      ...LARGER,
      'is-free-tier': true,
    },
  },
];
