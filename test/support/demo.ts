import { FEATURE_SET_FIXTURES } from '../../src/sandbox/feature-set-fixtures.ts';
import { ACCESSES } from '../../src/sandbox/permissions.ts';
import type { Names } from './names.ts';
import type { SentRequest } from './service.ts';

/**
 * What the demo organizations hold, with the ids that `createNames` gives: as the service sends it (documents and
 * resources), and as the json format shows it (records).
 */

export type Json = Readonly<Record<string, unknown>>;

export interface Person {
  readonly organization: string;
  /** What the ids of the membership and of the user end in. */
  readonly name: string;
  /** Absent for a service account. */
  readonly email?: string;
  readonly username: string | null;
  readonly status: 'invited' | 'active' | 'inactive';
  readonly createdAt: string;
  /** What the ids of the teams end in. */
  readonly teams: readonly string[];
  readonly authMethod?: string;
  readonly hasSecondFactor?: boolean;
  /** The id of what SCIM has of this person, as `createNames` numbers it. */
  readonly scim?: string;
}

const toPerson = (day: number, name: string, role: string, team: string): Person => ({
  organization: 'acme',
  name,
  email: `${name}.${role}@example.com`,
  username: role === 'invitee' ? null : `${name}-${role}`,
  status: role === 'invitee' ? 'invited' : 'active',
  createdAt: `2026-09-${day}T09:00:00.000Z`,
  teams: [team],
});
const OLIVE = toPerson(22, 'olive', 'owner', 'owners');
const MILO = toPerson(23, 'milo', 'member', 'audit');
const TARA = toPerson(24, 'tara', 'team-manager', 'security');
const REX = toPerson(25, 'rex', 'registry-manager', 'platform');
const ADA = toPerson(26, 'ada', 'auditor', 'audit');
const IVAN = toPerson(27, 'ivan', 'invitee', 'platform');

/** The members of acme, in the order of its list. */
export const MEMBERS: readonly Person[] = [OLIVE, MILO, TARA, REX, ADA, IVAN];
export const PEOPLE = { olive: OLIVE, milo: MILO, tara: TARA, rex: REX, ada: ADA, ivan: IVAN } as const;

/** The same person's membership of another organization. */
export function elsewhere(person: Person, organization: string): Person {
  return { ...person, organization };
}

function idOf(kind: 'ou' | 'team', name: string, organization: string): string {
  // A new user is named by the order of appearance, without an organization.
  return `${kind}-${name}${organization === 'acme' || /^\d+$/.test(name) ? '' : `.${organization}`}`;
}

function toScimIdentity({ scim }: Person): Json | null {
  return scim === undefined ? null : { id: scim, type: 'scim-identities' };
}

const toEmail = ({ email }: Person): Json => (email === undefined ? {} : { email });

export function toMembership(person: Person): Json {
  return {
    id: idOf('ou', person.name, person.organization),
    type: 'organization-memberships',
    attributes: { status: person.status, ...toEmail(person), 'created-at': person.createdAt },
    relationships: {
      teams: { data: person.teams.map((team) => ({ id: idOf('team', team, person.organization), type: 'teams' })) },
      user: { data: { id: `user-${person.name}`, type: 'users' } },
      organization: { data: { id: person.organization, type: 'organizations' } },
      ...(person.organization === 'globex' ? { 'scim-identity': { data: toScimIdentity(person) } } : {}),
    },
  };
}

function toUserAttributes(person: Person): Json {
  const hasSecondFactor = person.hasSecondFactor ?? false;
  return {
    username: person.username,
    'is-service-account': person.email === undefined,
    'auth-method': person.authMethod ?? 'tfc',
    'avatar-url': null,
    'two-factor': { enabled: hasSecondFactor, verified: hasSecondFactor },
    ...toEmail(person),
    permissions: {
      'can-create-organizations': false,
      'can-change-email': true,
      'can-change-username': true,
      'can-manage-user-tokens': false,
    },
  };
}

export function toUser(person: Person): Json {
  return { id: `user-${person.name}`, type: 'users', attributes: toUserAttributes(person) };
}

const TEAM_FACTS: Readonly<
  Record<string, { readonly users: number; readonly visibility: string; readonly may: string }>
> = {
  owners: { users: 1, visibility: 'organization', may: 'everything' },
  platform: { users: 1, visibility: 'organization', may: 'manage-providers' },
  security: { users: 1, visibility: 'organization', may: 'manage-membership' },
  audit: { users: 2, visibility: 'secret', may: 'nothing' },
};

/** As an owner sees it. */
function toTeamAttributes(name: string, organization: string): Json {
  const { users, visibility, may } = TEAM_FACTS[name] ?? { users: 0, visibility: '', may: '' };
  const isUnified = organization === 'initech';
  const isOwners = name === 'owners';
  return {
    name,
    'sso-team-id': null,
    'users-count': users,
    'non-service-users-count': users,
    visibility,
    'allow-member-token-management': true,
    'is-unified': isUnified,
    'hcp-resource-name': isUnified ? `iam/organization/org-1/group/${name}` : null,
    ...(organization === 'globex'
      ? { 'scim-linked': false, 'scim-group-name': null, 'scim-updated-at': null, 'scim-sync-paused': false }
      : {}),
    'organization-access': Object.fromEntries(ACCESSES.map((access) => [access, isOwners || may === access])),
    permissions: {
      'can-update-membership': !isUnified,
      'can-destroy': !(isUnified || isOwners),
      'can-update-organization-access': !(isUnified || isOwners),
      'can-update-api-token': !isUnified,
      'can-update-visibility': !(isUnified || isOwners),
      'can-update-name': !(isUnified || isOwners),
      'can-update-sso-team-id': !(isUnified || isOwners),
      'can-update-member-token-management': !isUnified,
      'can-view-api-token': !isUnified,
    },
  };
}

export function toTeam(name: string, organization = 'acme'): Json {
  return {
    id: idOf('team', name, organization),
    type: 'teams',
    attributes: toTeamAttributes(name, organization),
    relationships: { organization: { data: { id: organization, type: 'organizations' } } },
  };
}

/** A membership as the json format shows it; `include`: what was included. */
export function toMemberRecord(person: Person, ...include: readonly ('user' | 'teams')[]): Json {
  return {
    id: idOf('ou', person.name, person.organization),
    type: 'organization-memberships',
    status: person.status,
    ...toEmail(person),
    'created-at': person.createdAt,
    teams: person.teams.map((team) => ({
      id: idOf('team', team, person.organization),
      type: 'teams',
      ...(include.includes('teams') ? toTeamAttributes(team, person.organization) : {}),
    })),
    user: { id: `user-${person.name}`, type: 'users', ...(include.includes('user') ? toUserAttributes(person) : {}) },
    organization: { id: person.organization, type: 'organizations' },
    ...(person.organization === 'globex' ? { 'scim-identity': toScimIdentity(person) } : {}),
  };
}

export interface Provider {
  readonly organization: string;
  readonly registry: 'public' | 'private';
  readonly namespace: string;
  readonly name: string;
  readonly id: string;
  readonly createdAt: string;
}

const toDemoProvider =
  (organization: string) =>
  (address: string): Provider => {
    const [registry, namespace = '', name = ''] = address.split('/');
    return {
      organization,
      registry: registry === 'public' ? 'public' : 'private',
      namespace,
      name,
      id: `prov-${namespace}-${name}`,
      createdAt: '2026-10-22T09:00:00.000Z',
    };
  };

/** The providers of acme, in the order of its list. */
export const PROVIDERS: readonly Provider[] = [
  'public/hashicorp/aws',
  'public/hashicorp/random',
  'public/integrations/github',
  'private/acme/internal-dns',
  'private/acme/inventory',
].map(toDemoProvider('acme'));

const GLOBEX = ['public/hashicorp/google', 'private/globex/reactor'];
export const GLOBEX_PROVIDERS: readonly Provider[] = GLOBEX.map(toDemoProvider('globex'));

export function toProvider(provider: Provider): Json {
  const { organization, registry, namespace, name } = provider;
  const address = [registry, namespace, name].map(encodeURIComponent).join('/');
  return {
    id: provider.id,
    type: 'registry-providers',
    attributes: toProviderAttributes(provider),
    relationships: {
      organization: { data: { id: organization, type: 'organizations' } },
      ...(registry === 'private' ? { 'registry-provider-versions': { data: [] } } : {}),
    },
    links: { self: `/api/v2/organizations/${organization}/registry-providers/${address}` },
  };
}

function toProviderAttributes({ registry, namespace, name, createdAt }: Provider): Json {
  return {
    name,
    namespace,
    'registry-name': registry,
    'created-at': createdAt,
    'updated-at': createdAt,
    permissions: { 'can-delete': true },
  };
}

export function toProviderRecord(provider: Provider): Json {
  return {
    id: provider.id,
    type: 'registry-providers',
    ...toProviderAttributes(provider),
    organization: { id: provider.organization, type: 'organizations' },
    ...(provider.registry === 'private' ? { 'registry-provider-versions': [] } : {}),
  };
}

const FEATURE_SET_IDS = ['fs-free', 'fs-trial', 'fs-standard', 'fs-standard-2', 'fs-plus', 'fs-premium'];

/** Every feature set, as the global list has it. */
export const FEATURE_SETS: readonly Json[] = FEATURE_SET_FIXTURES.map(({ attributes }, index) => ({
  id: FEATURE_SET_IDS[index],
  type: 'feature-sets',
  attributes,
}));

/** What acme is eligible for; some limits differ from the global list. */
export const ELIGIBLE_FEATURE_SETS: readonly Json[] = FEATURE_SET_FIXTURES.map(({ attributes, eligible }, index) => ({
  id: FEATURE_SET_IDS[index],
  type: 'feature-sets',
  attributes: { ...attributes, ...eligible },
}));

export function toFeatureSetRecord({ id, type, attributes }: Json): Json {
  return { id, type, ...(attributes as Json) };
}

/** The whole document of one page of a list. `path` has the other parameters of the request, encoded. */
export function toPage(
  path: string,
  data: readonly Json[],
  {
    number = 1,
    size = 20,
    total = data.length,
    ...more
  }: {
    readonly number?: number;
    readonly size?: number;
    readonly total?: number;
    readonly included?: readonly Json[];
    readonly meta?: Json;
  } = {},
): Json {
  const pages = Math.ceil(total / size);
  const previous = number > 1 && number <= pages ? number - 1 : null;
  const next = number < pages ? number + 1 : null;
  const link = (page: number | null): string | null =>
    page === null
      ? null
      : `http://127.0.0.1:PORT/api/v2${path}${path.includes('?') ? '&' : '?'}page%5Bnumber%5D=${page}&page%5Bsize%5D=${size}`;
  return {
    data,
    ...(more.included === undefined ? {} : { included: more.included }),
    links: {
      self: link(number),
      first: link(1),
      prev: link(previous),
      next: link(next),
      last: link(Math.max(1, pages)),
    },
    meta: {
      ...more.meta,
      pagination: {
        'current-page': number,
        'page-size': size,
        'prev-page': previous,
        'next-page': next,
        'total-pages': pages,
        'total-count': total,
      },
    },
  };
}

/** Requests as lines: method, path below the base URL, and the body if there was one. */
export function toRequestLines(requests: readonly SentRequest[], { plain }: Pick<Names, 'plain'>): readonly string[] {
  return requests.map(({ method, path, body }) =>
    plain(`${method} ${path.replace(/^\/api\/v2/, '')}${body === '' ? '' : ` ${body}`}`),
  );
}

/** A result as the json format prints it. */
export function toJsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
