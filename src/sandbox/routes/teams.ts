import {
  findMay,
  findSecretTeams,
  isAllowed,
  ofOrganization,
  ofTeam,
  refuseManaged,
  requirePresent,
  type Within,
} from '../access.ts';
import { answerList, answerOne, type Resources } from '../answers.ts';
import { referAll, toMembership, toTeam, toUser } from '../documents.ts';
import { readPage } from '../pagination.ts';
import { ACCESSES, type Access } from '../permissions.ts';
import { createInvalid, createProblem, type Flaw } from '../problems.ts';
import { selectTeamMembers } from '../queries/memberships.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import {
  deleteTeam,
  findTeamByName,
  findTeamsOf,
  getTeam,
  insertTeam,
  OWNERS_TEAM,
  selectTeams,
  type TeamChange,
  type TeamRow,
  updateTeam,
} from '../queries/teams.ts';
import { type Form, readForm, readList, readParameter, toMembers } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, ORGANIZATION, type Route, TEAM } from '../route.ts';
import type { Relationship, Resource } from '../wire/json-api.ts';
import { TEAMS } from '../wire/resources.ts';

const INCLUDES = ['users', 'organization-memberships'] as const;

const ALL = `${ORGANIZATION}/teams`;

/** Outside the service's document, which refers to it for the ids that invitations need; so Assumed throughout. */
export const TEAM_ROUTES: readonly Route[] = [
  ofOrganization('GET', ALL, 'teams.list', list, { includes: INCLUDES }),
  ofOrganization('POST', ALL, 'teams.create', create),
  ofTeam('GET', TEAM, 'teams.show', show, { includes: INCLUDES }),
  ofTeam('PATCH', TEAM, 'teams.change', change),
  ofTeam('DELETE', TEAM, 'teams.delete', remove),
];

const VISIBILITIES = ['secret', 'organization'] as const;

function list(context: Context, organization: OrganizationRow): Answer {
  const { store, url } = context;
  const page = readPage(url);
  const rows = selectTeams(store, organization.seq, {
    search: readParameter(url, 'q'),
    names: readList(url, 'filter[names]'),
    secret: findSecretTeams(context, organization.seq),
  });
  return answerList(context, page, rows, (some) => toResources(context, organization, some));
}

function show(context: Context, { row: team, organization }: Within<TeamRow>): Answer {
  return answerOne(context, toResources(context, organization, [team]));
}

const NEW: TeamChange = {
  name: '',
  visibility: 'secret',
  sso_team_id: null,
  allow_member_token_management: 1,
  access: [],
};

/** 200, as the service is known to answer. */
function create(context: Context, organization: OrganizationRow): Answer {
  refuseManaged({ scim_group_name: null }, organization);
  const { store, ids, rules } = context;
  const wanted = readTeam(context, organization, undefined);
  const flaws = findAccessFlaws(wanted.access);
  if (flaws.length > 0 && !rules.keepsRefusedTeams) throw createInvalid(flaws);
  const access = flaws.length > 0 ? [] : wanted.access;
  const seq = insertTeam(store, { ...wanted, access, id: ids.id('team'), organization: organization.seq });
  // The flaws are answered and not thrown, so that the team stays.
  if (flaws.length > 0) return { status: 422, body: { errors: createInvalid(flaws).errors } };
  return answerWith(context, organization, seq);
}

/** Attributes and accesses that the body leaves out stay as they are. */
function change(context: Context, { row: team, organization }: Within<TeamRow>): Answer {
  refuseManaged(team, organization);
  const wanted = readTeam(context, organization, team);
  const flaws = findAccessFlaws(wanted.access);
  if (flaws.length > 0) throw createInvalid(flaws);
  updateTeam(context.store, team.seq, wanted);
  return answerWith(context, organization, team.seq);
}

function remove(context: Context, { row: team, organization }: Within<TeamRow>): Answer {
  refuseManaged(team, organization);
  if (team.name === OWNERS_TEAM) throw createProblem(403, 'The owners team cannot be deleted');
  deleteTeam(context.store, team.seq);
  return NO_CONTENT;
}

function answerWith(context: Context, organization: OrganizationRow, seq: number): Answer {
  return answerOne(context, toResources(context, organization, [requirePresent(getTeam(context.store, seq))]));
}

/** `present`: the team that is changed; undefined for a new one. Throws 422, and 404 for who may not give an access. */
function readTeam(context: Context, organization: OrganizationRow, present: TeamRow | undefined): TeamChange {
  const form = readForm(context, TEAMS);
  const before: TeamChange =
    present === undefined ? NEW : { ...present, access: JSON.parse(present.access) as readonly string[] };
  const keepsName = present !== undefined && form.attributes['name'] === undefined;
  const name = keepsName ? present.name : form.text('name', 'Name');
  const visibility = form.value('visibility', 'Visibility', before.visibility, (value) =>
    VISIBILITIES.some((known) => known === value),
  );
  const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';
  const ssoTeamId = form.value('sso-team-id', 'Sso team', before.sso_team_id, isTextOrNull);
  const letsMembers = form.value(
    'allow-member-token-management',
    'Allow member token management',
    before.allow_member_token_management === 1,
    (value) => typeof value === 'boolean',
  );
  const access = readAccess(context, organization, form, before.access);
  const other = findTeamByName(context.store, organization.seq, name);
  if (other !== undefined && other.seq !== present?.seq) form.note('attributes/name', 'Name has already been taken');
  if (present?.name === OWNERS_TEAM && (name !== OWNERS_TEAM || visibility !== before.visibility)) {
    form.note('attributes', 'The owners team keeps its name and visibility');
  }
  form.check();
  return {
    name,
    visibility,
    sso_team_id: ssoTeamId === '' ? null : ssoTeamId,
    allow_member_token_management: letsMembers ? 1 : 0,
    access,
  };
}

/** Passes over accesses that it does not know. */
function readAccess(
  context: Context,
  { seq }: OrganizationRow,
  form: Form,
  before: readonly string[],
): readonly string[] {
  const given = toMembers(form.attributes['organization-access']);
  const named = ACCESSES.filter((name) => given[name] !== undefined && given[name] !== null);
  for (const name of named) {
    if (typeof given[name] === 'boolean') continue;
    form.note(`attributes/organization-access/${name}`, `${name} must be true or false`);
  }
  const isGiven = (name: string): boolean => (given[name] as boolean | null | undefined) ?? before.includes(name);
  const access = ACCESSES.filter((name) => isGiven(name) || (ACCESS_FORCED[name] ?? []).some(isGiven));
  const isSame = access.every((name) => before.includes(name)) && access.length === before.length;
  if (!isSame && !isAllowed(context, seq, 'teams.change-access')) throw createProblem(404);
  return access;
}

/** The accesses that come with another. */
const ACCESS_FORCED: Readonly<Partial<Record<Access, readonly Access[]>>> = {
  'manage-workspaces': ['manage-projects'],
  'read-workspaces': ['read-projects'],
};

/** A team can have each of these only together with those before it. */
const ACCESS_CHAIN = ['manage-membership', 'manage-teams', 'manage-organization-access'] as const;

function findAccessFlaws(access: readonly string[]): Flaw[] {
  return ACCESS_CHAIN.flatMap((name, index): Flaw[] => {
    const missing = ACCESS_CHAIN.slice(0, index).filter((needed) => !access.includes(needed));
    if (!access.includes(name) || missing.length === 0) return [];
    const detail = `${name} needs ${missing.join(' and ')}`;
    return [{ detail, pointer: `/data/attributes/organization-access/${name}` }];
  });
}

/** A team shows its members only where the request asks for them: there may be a hundred thousand. */
function toResources(context: Context, organization: OrganizationRow, teams: readonly TeamRow[]): Resources {
  const { include, store } = context;
  const may = findMay(context, organization.seq);
  const included: Resource[] = [];
  const relate = (resources: readonly Resource[]): Relationship => {
    included.push(...resources);
    return referAll(resources);
  };
  const data = teams.map((team) => {
    const relationships: Record<string, Relationship> = {};
    const members = include.size === 0 ? [] : selectTeamMembers(store, team).list();
    if (include.has('users')) {
      relationships['users'] = relate(members.filter(({ status }) => status === 'active').map(toUser));
    }
    if (include.has('organization-memberships')) {
      const teamsOf = findTeamsOf(store, members);
      relationships['organization-memberships'] = relate(members.map((row) => toMembership(row, teamsOf(row))));
    }
    return toTeam(team, organization, may, relationships);
  });
  return { data, included };
}
