import type { Resource, ResourceIdentifier } from '../../wire/json-api.ts';
import { TEAMS } from '../../wire/resources.ts';
import {
  findRights,
  findSecretTeams,
  isAllowed,
  refuseManaged,
  requireOrganization,
  requirePresent,
  requireTeam,
} from '../access.ts';
import { type Included, toIncluded, toListDocument, toMembership, toTeam, toUser } from '../documents.ts';
import { ALL_ROWS, readPage, toRange } from '../pagination.ts';
import { ACCESSES, type Access } from '../permissions.ts';
import { createInvalid, createProblem, type Flaw } from '../problems.ts';
import { getMemberships } from '../queries/memberships.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import {
  countTeams,
  deleteTeam,
  findTeamByName,
  findTeamsOf,
  getTeam,
  insertTeam,
  listTeamMembers,
  listTeams,
  OWNERS_TEAM,
  type TeamChange,
  type TeamFilter,
  type TeamRow,
  updateTeam,
} from '../queries/teams.ts';
import { findTypeFlaws, type Members, readList, readParameter, readText, toMembers } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, type Route } from '../route.ts';

const INCLUDES = ['users', 'organization-memberships'] as const;

const ALL = '/organizations/:organization_name/teams';
const ONE = '/teams/:team_id';

/** Outside the service's document, which refers to it for the ids that invitations need; so Assumed throughout. */
export const TEAM_ROUTES: readonly Route[] = [
  {
    method: 'GET',
    path: ALL,
    documented: false,
    includes: INCLUDES,
    handle: list,
  },
  { method: 'POST', path: ALL, documented: false, handle: create },
  { method: 'GET', path: ONE, documented: false, includes: INCLUDES, handle: show },
  { method: 'PATCH', path: ONE, documented: false, handle: change },
  { method: 'DELETE', path: ONE, documented: false, handle: remove },
];

const VISIBILITIES = ['secret', 'organization'] as const;

function list(context: Context): Answer {
  const { store, url } = context;
  const organization = requireOrganization(context, 'teams.list');
  const page = readPage(url);
  const filter: TeamFilter = {
    search: readParameter(url, 'q'),
    names: readList(url, 'filter[names]'),
    secret: findSecretTeams(context, organization.seq),
  };
  const total = countTeams(store, organization.seq, filter);
  const rows = listTeams(store, organization.seq, filter, toRange(page));
  const { data, included } = toResources(context, organization, rows);
  return { status: 200, body: toListDocument(url, page, total, data, included) };
}

function show(context: Context): Answer {
  const team = requireTeam(context);
  const organization = requireOrganization(context, 'teams.show', team.organization);
  const { data, included } = toResources(context, organization, [team]);
  return { status: 200, body: { data: data[0], ...included } };
}

const NEW: TeamChange = {
  name: '',
  visibility: 'secret',
  sso_team_id: null,
  allow_member_token_management: 1,
  access: [],
};

/** 200, as the service is known to answer. */
function create(context: Context): Answer {
  const organization = requireOrganization(context, 'teams.create');
  refuseManaged({ scim_group_name: null }, organization);
  const { store, ids, rules } = context;
  const wanted = readTeam(context, organization, undefined);
  const flaws = findAccessFlaws(wanted.access);
  if (flaws.length > 0 && !rules.keepsRefusedTeams) throw createInvalid(flaws);
  const id = ids.id('team');
  const { name, visibility } = wanted;
  const seq = insertTeam(store, { id, organization: organization.seq, name, visibility, access: [] });
  updateTeam(store, seq, flaws.length > 0 ? { ...wanted, access: [] } : wanted);
  // An answer, and nothing that is thrown: the team stays.
  if (flaws.length > 0) return { status: 422, body: { errors: createInvalid(flaws).errors } };
  return answerWith(context, organization, seq);
}

/** What the body leaves out stays as it is, each access too. */
function change(context: Context): Answer {
  const team = requireTeam(context);
  const organization = requireOrganization(context, 'teams.change', team.organization);
  refuseManaged(team, organization);
  const wanted = readTeam(context, organization, team);
  const flaws = findAccessFlaws(wanted.access);
  if (flaws.length > 0) throw createInvalid(flaws);
  updateTeam(context.store, team.seq, wanted);
  return answerWith(context, organization, team.seq);
}

function remove(context: Context): Answer {
  const team = requireTeam(context);
  const organization = requireOrganization(context, 'teams.delete', team.organization);
  refuseManaged(team, organization);
  if (team.name === OWNERS_TEAM) throw createProblem(403, 'The owners team cannot be deleted');
  deleteTeam(context.store, team.seq);
  return NO_CONTENT;
}

function answerWith(context: Context, organization: OrganizationRow, seq: number): Answer {
  const { data } = toResources(context, organization, [requirePresent(getTeam(context.store, seq))]);
  return { status: 200, body: { data: data[0] } };
}

/** `present`: the team that is changed; undefined for a new one. Throws 422, and 404 for who may not give an access. */
function readTeam(context: Context, organization: OrganizationRow, present: TeamRow | undefined): TeamChange {
  const data = toMembers(context.body()['data']);
  const attributes = toMembers(data['attributes']);
  const flaws = findTypeFlaws(data, TEAMS);
  const before: TeamChange =
    present === undefined ? NEW : { ...present, access: JSON.parse(present.access) as readonly string[] };
  const read = <Value>(name: string, label: string, absent: Value, isValid: (value: unknown) => boolean): Value => {
    const value = attributes[name];
    if (value === undefined || isValid(value)) return value === undefined ? absent : (value as Value);
    flaws.push({ detail: `${label} is invalid`, pointer: `/data/attributes/${name}` });
    return absent;
  };
  const keepsName = present !== undefined && attributes['name'] === undefined;
  const name = keepsName ? present.name : (readText(attributes, 'name', 'Name', flaws) ?? '');
  const visibility = read('visibility', 'Visibility', before.visibility, (value) =>
    VISIBILITIES.some((known) => known === value),
  );
  const ssoTeamId = read(
    'sso-team-id',
    'Sso team',
    before.sso_team_id,
    (value) => value === null || typeof value === 'string',
  );
  const letsMembers = read(
    'allow-member-token-management',
    'Allow member token management',
    before.allow_member_token_management === 1,
    (value) => typeof value === 'boolean',
  );
  const access = readAccess(context, organization, toMembers(attributes['organization-access']), before.access, flaws);
  const other = findTeamByName(context.store, organization.seq, name);
  if (other !== undefined && other.seq !== present?.seq) {
    flaws.push({ detail: 'Name has already been taken', pointer: '/data/attributes/name' });
  }
  if (present?.name === OWNERS_TEAM && (name !== OWNERS_TEAM || visibility !== before.visibility)) {
    flaws.push({ detail: 'The owners team keeps its name and visibility', pointer: '/data/attributes' });
  }
  if (flaws.length > 0) throw createInvalid(flaws);
  return {
    name,
    visibility,
    sso_team_id: ssoTeamId === '' ? null : ssoTeamId,
    allow_member_token_management: letsMembers ? 1 : 0,
    access,
  };
}

/** Unknown ones are passed over. */
function readAccess(
  context: Context,
  { seq }: OrganizationRow,
  given: Members,
  before: readonly string[],
  flaws: Flaw[],
): readonly string[] {
  const named = ACCESSES.filter((name) => given[name] !== undefined && given[name] !== null);
  for (const name of named) {
    if (typeof given[name] === 'boolean') continue;
    const pointer = `/data/attributes/organization-access/${name}`;
    flaws.push({ detail: `${name} must be true or false`, pointer });
  }
  const isGiven = (name: string): boolean => (given[name] as boolean | null | undefined) ?? before.includes(name);
  const access = ACCESSES.filter((name) => isGiven(name) || (ACCESS_FORCED[name] ?? []).some(isGiven));
  const isSame = access.every((name) => before.includes(name)) && access.length === before.length;
  if (!isSame && !isAllowed(context, seq, 'teams.change-access')) throw createProblem(404);
  return access;
}

/** What comes with another. */
const ACCESS_FORCED: Readonly<Partial<Record<Access, readonly Access[]>>> = {
  'manage-workspaces': ['manage-projects'],
  'read-workspaces': ['read-projects'],
};

/** Each of these is given only together with those before it. */
const ACCESS_CHAIN = ['manage-membership', 'manage-teams', 'manage-organization-access'] as const;

function findAccessFlaws(access: readonly string[]): Flaw[] {
  return ACCESS_CHAIN.flatMap((name, index): Flaw[] => {
    const missing = ACCESS_CHAIN.slice(0, index).filter((needed) => !access.includes(needed));
    if (!access.includes(name) || missing.length === 0) return [];
    const detail = `${name} needs ${missing.join(' and ')}`;
    return [{ detail, pointer: `/data/attributes/organization-access/${name}` }];
  });
}

/** Who is in a team is part of it only where it is asked for: a team may have a hundred thousand members. */
function toResources(
  context: Context,
  organization: OrganizationRow,
  teams: readonly TeamRow[],
): { data: Resource[]; included: Included } {
  const { include, store } = context;
  const rights = findRights(context, organization.seq);
  const included = new Map<string, Resource>();
  const data = teams.map((team) => {
    const relationships: Record<string, { data: ResourceIdentifier[] }> = {};
    const members = include.size === 0 ? [] : getMemberships(store, listTeamMembers(store, team.seq, {}, ALL_ROWS));
    const relate = (name: string, resources: readonly Resource[]): void => {
      for (const resource of resources) included.set(resource.id, resource);
      relationships[name] = { data: resources.map(({ id, type }) => ({ id, type })) };
    };
    if (include.has('users')) {
      const active = members.filter(({ status }) => status === 'active');
      relate('users', active.map(toUser));
    }
    if (include.has('organization-memberships')) {
      const teamsOf = findTeamsOf(store, members);
      relate(
        'organization-memberships',
        members.map((row) => toMembership(row, teamsOf(row))),
      );
    }
    return toTeam(team, organization, rights, relationships);
  });
  return { data, included: toIncluded(context, included.values()) };
}
