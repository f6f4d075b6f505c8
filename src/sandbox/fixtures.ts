import type { TokenKind } from './callers.ts';
import type { UserFields } from './rows.ts';

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
};

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
};

interface FeatureSetFixture {
  attributes: Readonly<Record<string, unknown>>;
  /** What the list of an organization has in place of these attributes. */
  eligible?: Readonly<Record<string, unknown>>;
  /** Only organizations that still have it see it. */
  isRetired?: boolean;
}

function createFeatureSet(name: string, description: string, more: object, eligible?: object): FeatureSetFixture {
  const attributes = { identifier: name.toLowerCase(), name, description, ...COMMON, ...more };
  return { attributes, ...(eligible && { eligible: eligible as Record<string, unknown> }) };
}

/** Invented, with the kinds of values the service is known to send. */
export const FEATURE_SET_FIXTURES: readonly FeatureSetFixture[] = [
  createFeatureSet(
    'Free',
    'Remote state and runs for individuals and small teams.',
    { 'is-free-tier': true, 'user-limit': 5, 'default-agents-ceiling': 1, 'default-runs-ceiling': 1 },
    {
      'policy-limit': 5,
      'policy-set-limit': 1,
      'policy-mandatory-enforcement-limit': 1,
      'versioned-policy-set-limit': 0,
      'run-task-limit': 1,
      'run-task-workspace-limit': 10,
      'run-task-mandatory-enforcement-limit': 1,
    },
  ),
  createFeatureSet('Trial', 'Everything the paid plans have, for thirty days.', { ...LARGER, 'is-free-tier': true }),
  createFeatureSet('Standard', 'For teams that provision together, billed by the hour.', {
    'is-current': true,
    'self-serve-billing': true,
    'audit-logging': true,
  }),
  createFeatureSet('Standard', 'For teams that provision together, under a contract.', {
    'is-free-tier': true,
    'audit-logging': true,
    assessments: true,
  }),
  createFeatureSet('Plus', 'Policy, drift detection and no-code provisioning for growing platforms.', {
    ...LARGER,
    cost: 7000,
    plan: 'plan_sandbox_plus',
    'private-networking': false,
    'default-agents-ceiling': 20,
  }),
  createFeatureSet(
    'Premium',
    'Private networking and the highest limits for large organizations.',
    {
      ...LARGER,
      cost: 14050.5,
      plan: 'plan_sandbox_premium',
      'default-agents-ceiling': 100,
      'default-runs-ceiling': 200,
    },
    { 'default-agents-ceiling': 50, 'default-runs-ceiling': 100 },
  ),
  {
    ...createFeatureSet('Business', 'What large organizations had before there was Premium.', {
      ...LARGER,
      'is-free-tier': true,
    }),
    isRetired: true,
  },
];

interface PersonFixture {
  user: Pick<UserFields, 'email' | 'username'> & Partial<Omit<UserFields, 'user_id'>>;
  teams: readonly string[];
  status: 'active' | 'invited' | 'inactive';
  scim?: 'provisioned' | 'claimed';
}

interface TeamFixture {
  name: string;
  visibility: 'organization' | 'secret';
  access?: readonly string[];
  ssoTeamId?: string;
  scimGroup?: string;
}

interface OrganizationFixture {
  name: string;
  email: string;
  note: string;
  /** The name of its feature set; of two with that name, the first. */
  plan: string;
  curation?: 0 | 1;
  hasUsedTrial?: boolean;
  isFull?: boolean;
  hasAuditToken: boolean;
  hasScim?: 1;
  isUnified?: 1;
  people: readonly PersonFixture[];
  providers: readonly (readonly ['public' | 'private', namespace: string, name: string])[];
  /** Teams and people that an identity provider decides about, and service accounts. */
  managedTeams?: readonly TeamFixture[];
  managed?: readonly PersonFixture[];
  /** Of the team platform. Numbers are days before and after the seed is made; `used` is null if it never was. */
  tokens?: readonly { description: string; created: number; expires: number; used: number | null }[];
}

function createPerson(name: string, ...teams: readonly string[]): PersonFixture {
  return { user: { email: `${name}@example.com`, username: name.replace('.', '-') }, teams, status: 'active' };
}

function createInvitee(name: string, team: string): PersonFixture {
  return { user: { email: `${name}@example.com`, username: null }, teams: [team], status: 'invited' };
}

function createManaged(name: string, teams: readonly string[], more: Partial<PersonFixture>): PersonFixture {
  const person = createPerson(name, ...teams);
  const user = { ...person.user, auth_method: 'hcp_sso', has_second_factor: more.scim === undefined ? 1 : 0 };
  return { ...person, user, ...more };
}

/** The people behind the user tokens. Each is in every organization, and their rights follow from their teams. */
export const CALLER_FIXTURES: readonly (PersonFixture & { kind: TokenKind })[] = [
  { kind: 'owner', ...createPerson('olive.owner', 'owners') },
  { kind: 'member', ...createPerson('milo.member', 'audit') },
  { kind: 'team-manager', ...createPerson('tara.team-manager', 'security') },
  { kind: 'registry-manager', ...createPerson('rex.registry-manager', 'platform') },
];

/** Every organization has these. */
export const TEAM_FIXTURES: readonly TeamFixture[] = [
  { name: 'owners', visibility: 'organization' },
  { name: 'platform', visibility: 'organization', access: ['manage-providers'] },
  { name: 'security', visibility: 'organization', access: ['manage-membership'] },
  { name: 'audit', visibility: 'secret' },
];

export const ORGANIZATION_FIXTURES: readonly OrganizationFixture[] = [
  {
    name: 'acme',
    email: 'platform@acme.example.com',
    note: 'everything on',
    plan: 'Standard',
    hasAuditToken: true,
    people: [createPerson('ada.auditor', 'audit'), createInvitee('ivan.invitee', 'platform')],
    providers: [
      ['public', 'hashicorp', 'aws'],
      ['public', 'hashicorp', 'random'],
      ['public', 'integrations', 'github'],
      ['private', 'acme', 'internal-dns'],
      ['private', 'acme', 'inventory'],
    ],
    tokens: [
      { description: 'ci', created: 75, expires: 45, used: 0.1 },
      { description: 'laptop of rex', created: 120, expires: 245, used: null },
    ],
  },
  {
    name: 'globex',
    email: 'cloud@globex.example.com',
    note: 'trial used, so no trial feature set; SSO and SCIM fill two teams',
    plan: 'Plus',
    hasUsedTrial: true,
    hasAuditToken: true,
    hasScim: 1,
    people: [createPerson('gina.globex', 'platform'), createInvitee('noor.newcomer', 'audit')],
    providers: [
      ['public', 'hashicorp', 'google'],
      ['private', 'globex', 'reactor'],
    ],
    managedTeams: [
      { name: 'network', visibility: 'organization', ssoTeamId: 'globex-network' },
      { name: 'data', visibility: 'organization', scimGroup: 'Globex Data' },
    ],
    managed: [
      createManaged('sam.sso', ['network'], {}),
      createManaged('priya.provisioned', ['data'], { scim: 'provisioned' }),
      createManaged('ines.inactive', ['platform', 'data'], { scim: 'claimed', status: 'inactive' }),
      {
        user: { email: null, username: 'api-team_1001', is_service_account: 1 },
        teams: ['platform'],
        status: 'active',
      },
    ],
  },
  {
    name: 'initech',
    email: 'it@initech.example.com',
    note: 'public provider curation disabled, user limit reached, teams managed in HCP',
    plan: 'Free',
    curation: 0,
    isFull: true,
    hasAuditToken: false,
    isUnified: 1,
    people: [createInvitee('peter.programmer', 'platform')],
    providers: [['private', 'initech', 'tps']],
  },
];
