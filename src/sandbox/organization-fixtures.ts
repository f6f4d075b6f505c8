import type { TokenKind } from './callers.ts';
import type { Access } from './permissions.ts';
import type { NewUser, ScimStatus } from './queries/memberships.ts';
import { OWNERS_TEAM } from './queries/teams.ts';
import type { MembershipStatus, RegistryName } from './wire/resources.ts';

export interface PersonFixture {
  readonly email: string;
  readonly username: string | null;
  readonly team: string;
  readonly status: MembershipStatus;
}

export interface TeamFixture {
  readonly name: string;
  readonly visibility: 'organization' | 'secret';
  readonly access: readonly Access[];
  readonly ssoTeamId?: string;
  readonly scimGroup?: string;
}

/** A person or service account that an identity provider or the service decides about, too. */
interface ManagedFixture extends Pick<PersonFixture, 'status'> {
  readonly user: Omit<NewUser, 'id'>;
  readonly teams: readonly string[];
  readonly scim?: ScimStatus;
}

/** A token with a description. The numbers are days before or after the seed is made. */
interface TokenFixture {
  readonly team: string;
  readonly description: string;
  readonly created: number;
  readonly expires: number;
  /** Null for one that was never used. */
  readonly used: number | null;
}

export interface OrganizationFixture {
  readonly name: string;
  readonly email: string;
  readonly note: string;
  /** The name of the plan; of two with that name, the first. */
  readonly plan: 'Free' | 'Standard' | 'Plus';
  readonly curation: boolean;
  readonly trialUsed: boolean;
  readonly full: boolean;
  readonly auditToken: boolean;
  readonly hasScim: boolean;
  readonly isUnified: boolean;
  readonly people: readonly PersonFixture[];
  /** The organization has these beside TEAM_FIXTURES. */
  readonly managedTeams: readonly TeamFixture[];
  readonly managed: readonly ManagedFixture[];
  readonly providers: readonly (readonly [RegistryName, string, string])[];
  readonly tokens: readonly TokenFixture[];
}

/** The people behind the user tokens. Each is in every organization, and their rights follow from their teams. */
export const CALLER_FIXTURES: readonly (PersonFixture & { readonly kind: TokenKind })[] = [
  { kind: 'owner', ...toPerson('olive.owner', OWNERS_TEAM) },
  { kind: 'member', ...toPerson('milo.member', 'audit') },
  { kind: 'team-manager', ...toPerson('tara.team-manager', 'security') },
  { kind: 'registry-manager', ...toPerson('rex.registry-manager', 'platform') },
];

export const TEAM_FIXTURES: readonly TeamFixture[] = [
  { name: OWNERS_TEAM, visibility: 'organization', access: [] },
  { name: 'platform', visibility: 'organization', access: ['manage-providers'] },
  { name: 'security', visibility: 'organization', access: ['manage-membership'] },
  { name: 'audit', visibility: 'secret', access: [] },
];

const NOTHING_MANAGED = { hasScim: false, isUnified: false, managedTeams: [], managed: [] } as const;

export const ORGANIZATION_FIXTURES: readonly OrganizationFixture[] = [
  {
    name: 'acme',
    email: 'platform@acme.example.com',
    note: 'everything on',
    plan: 'Standard',
    curation: true,
    trialUsed: false,
    full: false,
    auditToken: true,
    ...NOTHING_MANAGED,
    people: [toPerson('ada.auditor', 'audit'), toInvitee('ivan.invitee', 'platform')],
    providers: [
      ['public', 'hashicorp', 'aws'],
      ['public', 'hashicorp', 'random'],
      ['public', 'integrations', 'github'],
      ['private', 'acme', 'internal-dns'],
      ['private', 'acme', 'inventory'],
    ],
    tokens: [
      { team: 'platform', description: 'ci', created: 75, expires: 45, used: 0.1 },
      { team: 'platform', description: 'laptop of rex', created: 120, expires: 245, used: null },
    ],
  },
  {
    name: 'globex',
    email: 'cloud@globex.example.com',
    note: 'trial used, so no trial feature set; SSO and SCIM fill two teams',
    plan: 'Plus',
    curation: true,
    trialUsed: true,
    full: false,
    auditToken: true,
    isUnified: false,
    hasScim: true,
    people: [toPerson('gina.globex', 'platform'), toInvitee('noor.newcomer', 'audit')],
    providers: [
      ['public', 'hashicorp', 'google'],
      ['private', 'globex', 'reactor'],
    ],
    managedTeams: [
      { name: 'network', visibility: 'organization', access: [], ssoTeamId: 'globex-network' },
      { name: 'data', visibility: 'organization', access: [], scimGroup: 'Globex Data' },
    ],
    tokens: [],
    managed: [
      toManaged('sam.sso', { has_second_factor: 1 }, 'network'),
      { ...toManaged('priya.provisioned', {}, 'data'), scim: 'provisioned' },
      { ...toManaged('ines.inactive', {}, 'platform', 'data'), scim: 'claimed', status: 'inactive' },
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
    curation: false,
    trialUsed: false,
    full: true,
    auditToken: false,
    ...NOTHING_MANAGED,
    tokens: [],
    isUnified: true,
    people: [toInvitee('peter.programmer', 'platform')],
    providers: [['private', 'initech', 'tps']],
  },
];

function toPerson(name: string, team: string): PersonFixture {
  return { email: `${name}@example.com`, username: name.replace('.', '-'), team, status: 'active' };
}

function toInvitee(name: string, team: string): PersonFixture {
  return { email: `${name}@example.com`, username: null, team, status: 'invited' };
}

function toManaged(name: string, more: Partial<NewUser>, ...teams: readonly string[]): ManagedFixture {
  const { email, username, status } = toPerson(name, '');
  return { user: { email, username, auth_method: 'hcp_sso', ...more }, teams, status };
}
