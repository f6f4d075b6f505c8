import type { MembershipStatus, RegistryName } from '../wire/resources.ts';
import type { TokenKind } from './callers.ts';
import { OWNERS_TEAM } from './queries/teams.ts';

export interface PersonFixture {
  readonly email: string;
  readonly username: string | null;
  readonly team: string;
  readonly status: MembershipStatus;
}

export interface OrganizationFixture {
  readonly name: string;
  readonly email: string;
  readonly note: string;
  readonly curation: boolean;
  readonly trialUsed: boolean;
  readonly full: boolean;
  readonly auditToken: boolean;
  readonly people: readonly PersonFixture[];
  readonly providers: readonly (readonly [RegistryName, string, string])[];
}

/** The people behind the user tokens, in every organization; what they may do follows from their teams. */
export const CALLER_FIXTURES: readonly (PersonFixture & { readonly kind: TokenKind })[] = [
  { kind: 'owner', ...toPerson('olive.owner', OWNERS_TEAM) },
  { kind: 'member', ...toPerson('milo.member', 'audit') },
  { kind: 'team-manager', ...toPerson('tara.team-manager', 'security') },
  { kind: 'registry-manager', ...toPerson('rex.registry-manager', 'platform') },
];

export const TEAM_FIXTURES = [
  { name: OWNERS_TEAM, visibility: 'organization', managesMemberships: true, managesProviders: true },
  { name: 'platform', visibility: 'organization', managesMemberships: false, managesProviders: true },
  { name: 'security', visibility: 'organization', managesMemberships: true, managesProviders: false },
  { name: 'audit', visibility: 'secret', managesMemberships: false, managesProviders: false },
] as const;

export const ORGANIZATION_FIXTURES: readonly OrganizationFixture[] = [
  {
    name: 'acme',
    email: 'platform@acme.example.com',
    note: 'everything on',
    curation: true,
    trialUsed: false,
    full: false,
    auditToken: true,
    people: [toPerson('ada.auditor', 'audit'), toInvitee('ivan.invitee', 'platform')],
    providers: [
      ['public', 'hashicorp', 'aws'],
      ['public', 'hashicorp', 'random'],
      ['public', 'integrations', 'github'],
      ['private', 'acme', 'internal-dns'],
      ['private', 'acme', 'inventory'],
    ],
  },
  {
    name: 'globex',
    email: 'cloud@globex.example.com',
    note: 'trial used, so no trial feature set',
    curation: true,
    trialUsed: true,
    full: false,
    auditToken: true,
    people: [toPerson('gina.globex', 'platform'), toInvitee('noor.newcomer', 'audit')],
    providers: [
      ['public', 'hashicorp', 'google'],
      ['private', 'globex', 'reactor'],
    ],
  },
  {
    name: 'initech',
    email: 'it@initech.example.com',
    note: 'public provider curation disabled, user limit reached',
    curation: false,
    trialUsed: false,
    full: true,
    auditToken: false,
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
