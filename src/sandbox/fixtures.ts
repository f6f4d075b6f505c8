import type { TokenKind } from './callers.ts';
import type { MembershipStatus, UserFields } from './rows.ts';

function fill<Value>(names: string, value: Value): Record<string, Value> {
  return Object.fromEntries(names.split(' ').map((name) => [name, value]));
}

const LARGER = `private-networking assessments no-code-modules global-run-tasks module-tests-generation \
private-policy-agents private-run-tasks private-vcs`;
const LIMITS = `user-limit policy-limit policy-set-limit policy-mandatory-enforcement-limit versioned-policy-set-limit \
run-task-limit run-task-workspace-limit run-task-mandatory-enforcement-limit`;
const ALL_ON = fill(`audit-logging ${LARGER}`, true);

const COMMON = {
  ...{ cost: 0, plan: null, 'default-agents-ceiling': 10, 'default-runs-ceiling': 10 },
  ...fill(`is-current is-free-tier self-serve-billing audit-logging ${LARGER}`, false),
  ...fill('cost-estimation sentinel policy-enforcement run-tasks teams sso', true),
  ...fill(LIMITS, null),
};

function createFeatureSet(name: string, description: string, more: object, eligible: object = {}) {
  const identity = { identifier: name.toLowerCase(), name, description };
  const attributes: Record<string, unknown> = { ...identity, ...COMMON, ...more };
  return { attributes, eligible };
}

const FREE_LIMITS = {
  ...{ 'policy-limit': 5, 'policy-set-limit': 1, 'versioned-policy-set-limit': 0, 'run-task-limit': 1 },
  ...fill('policy-mandatory-enforcement-limit run-task-mandatory-enforcement-limit', 1),
  'run-task-workspace-limit': 10,
};
const FREE = { ...fill('default-agents-ceiling default-runs-ceiling', 1), 'is-free-tier': true, 'user-limit': 5 };
const TRIAL = { ...ALL_ON, 'is-free-tier': true };
const BY_THE_HOUR = { 'is-current': true, 'self-serve-billing': true, 'audit-logging': true };
const BY_CONTRACT = { 'is-free-tier': true, 'audit-logging': true, assessments: true };
const PLUS = {
  ...ALL_ON,
  ...{ cost: 7000, plan: 'plan_sandbox_plus', 'private-networking': false, 'default-agents-ceiling': 20 },
};
const PREMIUM = {
  ...ALL_ON,
  ...{ cost: 14050.5, plan: 'plan_sandbox_premium', 'default-agents-ceiling': 100, 'default-runs-ceiling': 200 },
};
const ELIGIBLE = { 'default-agents-ceiling': 50, 'default-runs-ceiling': 100 };

/** Invented, with the kinds of values the service is known to send (facts). */
export const FEATURE_SET_FIXTURES = [
  createFeatureSet('Free', 'Remote state and runs for individuals and small teams.', FREE, FREE_LIMITS),
  createFeatureSet('Trial', 'Everything the paid plans have, for thirty days.', TRIAL),
  createFeatureSet('Standard', 'For teams that provision together, billed by the hour.', BY_THE_HOUR),
  createFeatureSet('Standard', 'For teams that provision together, under a contract.', BY_CONTRACT),
  createFeatureSet('Plus', 'Policy, drift detection and no-code provisioning for growing platforms.', PLUS),
  createFeatureSet('Premium', 'Private networking and the highest limits for large organizations.', PREMIUM, ELIGIBLE),
];

type NewUser = Pick<UserFields, 'email' | 'username'> & Partial<Omit<UserFields, 'user_id'>>;
export type PersonFixture = { user: NewUser; teams: readonly string[]; status: MembershipStatus; scim?: string };

function createPerson(name: string, teams: readonly string[], more: Partial<NewUser> = {}, scim = {}): PersonFixture {
  const user = { email: `${name}@example.com`, username: name.replace('.', '-'), ...more };
  return { user, teams, status: user.username === null ? 'invited' : 'active', ...scim };
}

const INVITED = { username: null };

/** The people behind the user tokens. Each is in every organization, and their rights follow from their teams. */
export const CALLER_FIXTURES: readonly (PersonFixture & { kind: TokenKind })[] = [
  { kind: 'owner', ...createPerson('olive.owner', ['owners']) },
  { kind: 'member', ...createPerson('milo.member', ['audit']) },
  { kind: 'team-manager', ...createPerson('tara.team-manager', ['security']) },
  { kind: 'registry-manager', ...createPerson('rex.registry-manager', ['platform']) },
];

type Managed = { ssoTeamId?: string; scimGroup?: string };
export type TeamFixture = Managed & { name: string; visibility?: 'secret'; access?: readonly string[] };

export const TEAM_FIXTURES: readonly TeamFixture[] = [
  { name: 'owners' },
  { name: 'platform', access: ['manage-providers'] },
  { name: 'security', access: ['manage-membership'] },
  { name: 'audit', visibility: 'secret' },
];

const USUAL = {
  ...{ curation: 1, hasScim: 0, isUnified: 0, hasUsedTrial: false, isFull: false, hasAuditToken: true },
  ...{ managedTeams: [] as TeamFixture[], managed: [] as PersonFixture[] },
  /** Of the team platform. Numbers are days before and after the seed is made; `used` is null if it never was. */
  tokens: [] as { description: string; created: number; expires: number; used: number | null }[],
};
const BY_SSO = { auth_method: 'hcp_sso' };

export type OrganizationFixture = (typeof ORGANIZATION_FIXTURES)[number];

/** `plan`: the name of its feature set; of two with that name, the first. `providers`: `registry/namespace/name`. */
export const ORGANIZATION_FIXTURES = [
  {
    ...USUAL,
    name: 'acme',
    email: 'platform@acme.example.com',
    note: 'everything on',
    plan: 'Standard',
    people: [createPerson('ada.auditor', ['audit']), createPerson('ivan.invitee', ['platform'], INVITED)],
    providers: [
      ...['public/hashicorp/aws', 'public/hashicorp/random', 'public/integrations/github'],
      ...['private/acme/internal-dns', 'private/acme/inventory'],
    ],
    tokens: [
      { description: 'ci', created: 75, expires: 45, used: 0.1 },
      { description: 'laptop of rex', created: 120, expires: 245, used: null },
    ],
  },
  {
    ...USUAL,
    name: 'globex',
    email: 'cloud@globex.example.com',
    note: 'trial used, so no trial feature set; SSO and SCIM fill two teams',
    plan: 'Plus',
    ...{ hasUsedTrial: true, hasScim: 1 },
    people: [createPerson('gina.globex', ['platform']), createPerson('noor.newcomer', ['audit'], INVITED)],
    providers: ['public/hashicorp/google', 'private/globex/reactor'],
    managedTeams: [
      { name: 'network', ssoTeamId: 'globex-network' },
      { name: 'data', scimGroup: 'Globex Data' },
    ],
    managed: [
      createPerson('sam.sso', ['network'], { ...BY_SSO, has_second_factor: 1 }),
      createPerson('priya.provisioned', ['data'], BY_SSO, { scim: 'provisioned' }),
      createPerson('ines.inactive', ['platform', 'data'], BY_SSO, { scim: 'claimed', status: 'inactive' }),
      createPerson('', ['platform'], { email: null, username: 'api-team_1001', is_service_account: 1 }),
    ],
  },
  {
    ...USUAL,
    name: 'initech',
    email: 'it@initech.example.com',
    note: 'public provider curation disabled, user limit reached, teams managed in HCP',
    plan: 'Free',
    ...{ curation: 0, isFull: true, isUnified: 1, hasAuditToken: false },
    people: [createPerson('peter.programmer', ['platform'], INVITED)],
    providers: ['private/initech/tps'],
  },
];
