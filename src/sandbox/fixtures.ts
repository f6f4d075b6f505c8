import type { StoredTokenKind } from './callers.ts';
import type { MembershipStatus, OrganizationRow, UserFields } from './rows.ts';

/** The names are separated by blanks. */
function giveEach<Value>(names: string, value: Value): Record<string, Value> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}

const PAID = `private-networking assessments no-code-modules global-run-tasks module-tests-generation \
private-policy-agents private-run-tasks private-vcs`;
const LIMITS = `user-limit policy-limit policy-set-limit policy-mandatory-enforcement-limit versioned-policy-set-limit \
run-task-limit run-task-workspace-limit run-task-mandatory-enforcement-limit`;
const ALL_FEATURES = giveEach(`audit-logging ${PAID}`, true);

const DEFAULTS = {
  cost: 0,
  plan: null,
  ...giveEach('default-agents-ceiling default-runs-ceiling', 10),
  ...giveEach(`is-current is-free-tier self-serve-billing audit-logging ${PAID}`, false),
  ...giveEach('cost-estimation sentinel policy-enforcement run-tasks teams sso', true),
  ...giveEach(LIMITS, null),
};

const TRIAL = { ...ALL_FEATURES, 'is-free-tier': true };
const HOURLY = { 'is-current': true, 'self-serve-billing': true, 'audit-logging': true };
const CONTRACT = { 'is-free-tier': true, 'audit-logging': true, assessments: true };
const PLUS = { ...ALL_FEATURES, cost: 7000, plan: 'plan_sandbox_plus', 'private-networking': false };
const PREMIUM = { ...ALL_FEATURES, cost: 14050.5, plan: 'plan_sandbox_premium', 'default-agents-ceiling': 100 };
const FREE = { ...giveEach('default-agents-ceiling default-runs-ceiling', 1), 'is-free-tier': true, 'user-limit': 5 };

function createFeatureSet(name: string, description: string, attributes: object): Record<string, unknown> {
  return { identifier: name.toLowerCase(), name, description, ...DEFAULTS, ...attributes };
}

/** Invented, with types of values that the service is known to send (facts). */
export const FEATURE_SET_FIXTURES = [
  createFeatureSet('Free', 'Remote state and runs for individuals and small teams.', FREE),
  createFeatureSet('Trial', 'Everything the paid plans have, for thirty days.', TRIAL),
  createFeatureSet('Standard', 'For teams that provision together, billed by the hour.', HOURLY),
  createFeatureSet('Standard', 'For teams that provision together, under a contract.', CONTRACT),
  createFeatureSet('Plus', 'Policy, drift detection and no-code provisioning for growing platforms.', PLUS),
  createFeatureSet('Premium', 'Private networking and the highest limits for large organizations.', PREMIUM),
];

type NewUser = Pick<UserFields, 'email' | 'username'> & Partial<Omit<UserFields, 'user_id'>>;
export type PersonFixture = { user: NewUser; teams: string[]; status: MembershipStatus; scim?: string };

function createPerson(name: string, teams: string[], fields: Partial<NewUser> = {}, scim = {}): PersonFixture {
  const user = { email: `${name}@example.com`, username: name.replace('.', '-'), ...fields };
  return { user, teams, status: user.username === null ? 'invited' : 'active', ...scim };
}

const INVITED = { username: null };

export const CALLER_FIXTURES: (PersonFixture & { kind: StoredTokenKind })[] = [
  { kind: 'owner', ...createPerson('olive.owner', ['owners']) },
  { kind: 'member', ...createPerson('milo.member', ['audit']) },
  { kind: 'team-manager', ...createPerson('tara.team-manager', ['security']) },
  { kind: 'registry-manager', ...createPerson('rex.registry-manager', ['platform']) },
];

export type TeamFixture = {
  name: string;
  visibility?: 'secret';
  access?: string[];
  ssoId?: string;
  scimGroup?: string;
};

export const TEAM_FIXTURES: TeamFixture[] = [
  { name: 'owners' },
  { name: 'platform', access: ['manage-providers'] },
  { name: 'security', access: ['manage-membership'] },
  { name: 'audit', visibility: 'secret' },
];

const SSO = { auth_method: 'hcp_sso' };

export type OrganizationFixture = {
  name: string;
  email: string;
  note: string;
  /** The name of a feature set; the first if two have the name. */
  plan: string;
  hasUsedTrial?: boolean;
  /** Other than the defaults. */
  columns?: Partial<OrganizationRow>;
  people: PersonFixture[];
  providers: string;
  managedTeams?: TeamFixture[];
  /** Tokens of the team platform. Numbers are days before and after the state is filled. */
  tokens?: { description: string; created: number; expires: number; used: number | null }[];
};

export const ORGANIZATION_FIXTURES: OrganizationFixture[] = [
  {
    name: 'acme',
    email: 'platform@acme.example.com',
    note: 'everything on',
    plan: 'Standard',
    people: [createPerson('ada.auditor', ['audit']), createPerson('ivan.invitee', ['platform'], INVITED)],
    providers: `public/hashicorp/aws public/hashicorp/random public/integrations/github private/acme/internal-dns \
private/acme/inventory`,
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
    columns: { has_scim: 1 },
    people: [
      createPerson('gina.globex', ['platform']),
      createPerson('noor.newcomer', ['audit'], INVITED),
      createPerson('sam.sso', ['network'], { ...SSO, has_second_factor: 1 }),
      createPerson('priya.provisioned', ['data'], SSO, { scim: 'provisioned' }),
      createPerson('ines.inactive', ['platform', 'data'], SSO, { scim: 'claimed', status: 'inactive' }),
      createPerson('', ['platform'], { email: null, username: 'api-team_1001', is_service_account: 1 }),
    ],
    providers: 'public/hashicorp/google private/globex/reactor',
    managedTeams: [
      { name: 'network', ssoId: 'globex-network' },
      { name: 'data', scimGroup: 'Globex Data' },
    ],
  },
  {
    name: 'initech',
    email: 'it@initech.example.com',
    note: 'public provider curation disabled, user limit reached, teams managed in HCP',
    plan: 'Free',
    columns: { curation: 0, is_unified: 1, settings: '{"collaborator-auth-policy":"two_factor_mandatory"}' },
    people: [createPerson('peter.programmer', ['platform'], INVITED)],
    providers: 'private/initech/tps',
    tokens: [{ description: 'reports', created: 356, expires: 9, used: 1 }],
  },
];
