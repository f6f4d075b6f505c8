import * as v from 'valibot';
import {
  assertFound,
  assertUnmanaged,
  findMay,
  findOrganization,
  findTeamFor,
  isAllowed,
  listSecretTeams,
} from '../access.ts';
import { members, readForm, text } from '../bodies.ts';
import { type Answer, type Call, NO_CONTENT, type Route, readQuery, readQueryList } from '../call.ts';
import { formatMembership, formatTeam, formatUser, type Resource, referAll } from '../documents.ts';
import { createInvalid, createProblem, type Flaw } from '../errors.ts';
import { answerList, answerOne, type Resources, readPage } from '../pages.ts';
import { selectTeamMembers } from '../people.ts';
import { ACCESSES, OWNERS_TEAM } from '../permissions.ts';
import type { OrganizationRow, TeamRow } from '../rows.ts';
import { contains, fold, isOneOf } from '../store.ts';
import { findTeam, insertTeam, isShownTeam, listTeamsOf, TEAM_COLUMNS } from '../teams.ts';

const ALL = '/organizations/:organization_name/teams';
const ONE = '/teams/:team_id';
const includes = ['users', 'organization-memberships'];

/** The document refers to them for the ids that invitations need. */
export const TEAMS: readonly Route[] = [
  ['GET', ALL, list, { includes }],
  ['POST', ALL, create],
  ['GET', ONE, show, { includes }],
  ['PATCH', ONE, change],
  ['DELETE', ONE, remove],
];

function list(call: Call): Answer {
  const organization = findOrganization(call, 'teams.list');
  const { seq } = organization;
  const page = readPage(call);
  const names = readQueryList(call, 'filter[names]');
  const rows = call.store.select<TeamRow>(TEAM_COLUMNS, 'teams', [
    ['organization = ?', seq],
    contains(readQuery(call, 'q'), 'name_folded'),
    names !== undefined && isOneOf('name', names),
    isShownTeam(listSecretTeams(call, seq)),
  ]);
  return answerList(call, page, rows, (some) => formatTeams(call, organization, some));
}

function show(call: Call): Answer {
  const { team, organization } = findTeamFor(call, 'teams.show');
  return answerOne(call, formatTeams(call, organization, [team]));
}

const NEW = {
  name: undefined,
  visibility: 'secret',
  sso_team_id: null,
  allow_member_token_management: 1,
  access: '[]',
};

/** 200, as the service is known to answer (facts). */
function create(call: Call): Answer {
  const { store, ids, rules } = call;
  const organization = findOrganization(call, 'teams.create');
  assertUnmanaged({ scim_group_name: null }, organization);
  const { access, ...wanted } = readTeam(call, organization, undefined);
  const flaws = findAccessFlaws(access);
  if (flaws.length > 0 && !rules.keepsRefusedTeams) throw createInvalid(...flaws);
  const given = JSON.stringify(flaws.length > 0 ? [] : access);
  const seq = insertTeam(store, { ...wanted, access: given, id: ids.id('team'), organization: organization.seq });
  // The flaws are answered and not thrown, so that the team stays.
  if (flaws.length > 0) return { status: 422, body: { errors: createInvalid(...flaws).errors } };
  return answer(call, organization, seq);
}

function change(call: Call): Answer {
  const { team, organization } = findTeamFor(call, 'teams.change');
  assertUnmanaged(team, organization);
  const { access, ...wanted } = readTeam(call, organization, team);
  const flaws = findAccessFlaws(access);
  if (flaws.length > 0) throw createInvalid(...flaws);
  const columns = { ...wanted, name_folded: fold(wanted.name), access: JSON.stringify(access) };
  call.store.update('teams', team.seq, columns);
  return answer(call, organization, team.seq);
}

/** Its token goes, too. Its members stay in the organization. */
function remove(call: Call): Answer {
  const { team, organization } = findTeamFor(call, 'teams.delete');
  assertUnmanaged(team, organization);
  if (team.name === OWNERS_TEAM) throw createProblem(403, 'The owners team cannot be deleted');
  call.store.remove('teams', team.seq);
  return NO_CONTENT;
}

function answer(call: Call, organization: OrganizationRow, seq: number): Answer {
  return answerOne(call, formatTeams(call, organization, [assertFound(findTeam(call.store, 'seq = ?', seq))]));
}

/** `present`: the team that is changed; what the body leaves out stays. Throws 422, and 404 for who may not give an access. */
function readTeam(call: Call, organization: OrganizationRow, present: TeamRow | undefined) {
  const before = present ?? NEW;
  const name = text('Name');
  const form = readForm(call, 'teams', {
    name: before.name === undefined ? name : v.optional(name, before.name),
    visibility: v.optional(
      v.picklist(['secret', 'organization'], 'Visibility is invalid'),
      before.visibility as 'secret',
    ),
    'sso-team-id': v.optional(v.nullable(v.string('Sso team is invalid')), before.sso_team_id),
    'allow-member-token-management': v.optional(
      v.boolean('Allow member token management is invalid'),
      before.allow_member_token_management === 1,
    ),
    'organization-access': ACCESS_SCHEMA,
  });
  const { values } = form;
  const access = readAccess(call, organization, values['organization-access'] ?? {}, JSON.parse(before.access));
  const other = findTeam(call.store, 'organization = ? AND name = ?', organization.seq, values.name ?? '');
  if (other !== undefined && other.seq !== present?.seq) form.note('attributes/name', 'Name has already been taken');
  const isSame = values.name === before.name && (values.visibility ?? before.visibility) === before.visibility;
  if (before.name === OWNERS_TEAM && !isSame) {
    form.note('attributes', 'The owners team keeps its name and visibility');
  }
  const wanted = form.check();
  return {
    name: wanted.name,
    visibility: wanted.visibility,
    sso_team_id: wanted['sso-team-id'] || null,
    allow_member_token_management: wanted['allow-member-token-management'] ? 1 : 0,
    access,
  };
}

type GivenAccess = { [name in string]?: boolean | null | undefined };

/** Accesses that it does not know are passed over. */
const ACCESS_SCHEMA = members(
  Object.fromEntries(ACCESSES.map((name) => [name, v.nullish(v.boolean(`${name} must be true or false`))])),
);

/** The accesses that come with another (facts). */
const FORCED: Record<string, string> = { 'manage-workspaces': 'manage-projects', 'read-workspaces': 'read-projects' };

function readAccess(call: Call, { seq }: OrganizationRow, given: GivenAccess, before: readonly string[]): string[] {
  const isGiven = (name = ''): boolean => given[name] ?? before.includes(name);
  const access = ACCESSES.filter((name) => isGiven(name) || isGiven(FORCED[name]));
  const isSame = access.every((name) => before.includes(name)) && access.length === before.length;
  if (!isSame && !isAllowed(call, seq, 'teams.change-access')) throw createProblem(404);
  return access;
}

/** A team can have each of these only together with those before it (facts). */
const CHAIN = ['manage-membership', 'manage-teams', 'manage-organization-access'];

function findAccessFlaws(access: readonly string[]): Flaw[] {
  return CHAIN.flatMap((name, index): Flaw[] => {
    const missing = CHAIN.slice(0, index).filter((needed) => !access.includes(needed));
    if (!access.includes(name) || missing.length === 0) return [];
    const detail = `${name} needs ${missing.join(' and ')}`;
    return [{ detail, pointer: `/data/attributes/organization-access/${name}` }];
  });
}

/** A team shows its members only if the request asks for them: there may be a hundred thousand. */
function formatTeams(call: Call, organization: OrganizationRow, teams: readonly TeamRow[]): Resources {
  const { include, store } = call;
  const may = findMay(call, organization.seq);
  const included: Resource[] = [];
  const data = teams.map((team) => {
    const relationships: Record<string, object> = {};
    const relate = (name: string, resources: readonly Resource[]): void => {
      included.push(...resources);
      relationships[name] = referAll(resources);
    };
    const rows = include.size === 0 ? [] : selectTeamMembers(store, team).list();
    if (include.has('users')) relate('users', rows.filter(({ status }) => status === 'active').map(formatUser));
    if (include.has('organization-memberships')) {
      const teamsOf = listTeamsOf(store, rows);
      relate(
        'organization-memberships',
        rows.map((row) => formatMembership(row, teamsOf(row))),
      );
    }
    return formatTeam(team, organization, may, relationships);
  });
  return { data, included };
}
