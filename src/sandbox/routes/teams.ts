import * as v from 'valibot';
import { assertFound, assertUnmanaged, findMay, isShownTo } from '../access.ts';
import { members, readForm, text } from '../bodies.ts';
import { type Answer, type Call, NO_CONTENT, type Route, readQuery, readQueryList } from '../call.ts';
import { formatMembership, formatTeam, formatUser, type Resource, referAll } from '../documents.ts';
import { createInvalid, createProblem, type Flaw } from '../errors.ts';
import { answerList, answerOne, type Resources } from '../pages.ts';
import { findTeam, listTeamsOf, selectTeamMembers, selectTeams } from '../people.ts';
import { ACCESSES, OWNERS_TEAM } from '../permissions.ts';
import type { OrganizationRow, TeamRow } from '../rows.ts';
import { contains, fold, isOneOf } from '../store.ts';

const ALL = '/organizations/:organization_name/teams';
const ONE = '/teams/:team_id';
const includes = ['users', 'organization-memberships'];

/** The document refers to them for the ids that invitations need. */
export const TEAMS: readonly Route[] = [
  ['GET', ALL, 'teams.read', list, { includes }],
  ['POST', ALL, 'teams.manage', save],
  ['GET', ONE, 'teams.read', show, { includes }],
  ['PATCH', ONE, 'teams.manage', save],
  ['DELETE', ONE, 'teams.delete', remove],
];

function list(call: Call, organization: OrganizationRow): Answer {
  const names = readQueryList(call, 'filter[names]');
  const rows = selectTeams(
    call.store,
    ['organization = ?', organization.seq],
    contains(readQuery(call, 'q'), 'name_folded'),
    names !== undefined && isOneOf('name', names),
    isShownTo(call, organization.seq),
  );
  return answerList(call, rows, (some) => formatTeams(call, organization, some));
}

function show(call: Call, organization: OrganizationRow, team: TeamRow): Answer {
  return answerOne(call, formatTeams(call, organization, [team]));
}

/** Creates a team, or changes the one that is there. Also a creation is answered with 200 (facts). */
function save(call: Call, organization: OrganizationRow, present: TeamRow | undefined): Answer {
  const { store, ids, rules } = call;
  assertUnmanaged(present?.scim_group_name ?? null, organization);
  const { access, ...wanted } = readTeam(call, organization, present);
  const flaws = findAccessFlaws(access);
  const isKept = flaws.length === 0 || (present === undefined && rules.keepsRefusedTeams);
  if (!isKept) throw createInvalid(...flaws);
  const row = { ...wanted, name_folded: fold(wanted.name), access: JSON.stringify(flaws.length > 0 ? [] : access) };
  if (present !== undefined) store.update('teams', present.seq, row);
  const insert = () => store.insert('teams', { ...row, id: ids.id('team'), organization: organization.seq });
  const { seq } = present ?? insert();
  // The flaws are answered and not thrown, so that the team stays.
  if (flaws.length > 0) return { status: 422, body: { errors: createInvalid(...flaws).errors } };
  return show(call, organization, assertFound(findTeam(store, 'seq = ?', seq)));
}

function remove(call: Call, organization: OrganizationRow, team: TeamRow): Answer {
  assertUnmanaged(team.scim_group_name, organization);
  if (team.name === OWNERS_TEAM) throw createProblem(403, 'The owners team cannot be deleted');
  call.store.remove('teams', team.seq);
  return NO_CONTENT;
}

const NEW = {
  ...{ name: undefined, visibility: 'secret', sso_team_id: null, allow_member_token_management: 1, access: '[]' },
};

const VISIBILITY = v.picklist(['secret', 'organization'], 'Visibility is invalid');

/** `present`: the team that is changed; what the body leaves out stays. Throws 422, and 404 for who may not give an access. */
function readTeam(call: Call, organization: OrganizationRow, present: TeamRow | undefined) {
  const before = present ?? NEW;
  const letsMembers = before.allow_member_token_management === 1;
  const name = text('Name');
  const { values, note, check } = readForm(call, 'teams', {
    name: before.name === undefined ? name : v.optional(name, before.name),
    visibility: v.optional(VISIBILITY, before.visibility as 'secret'),
    'sso-team-id': v.optional(v.nullable(v.string('Sso team is invalid')), before.sso_team_id),
    'allow-member-token-management': v.optional(v.boolean('Allow member token management is invalid'), letsMembers),
    'organization-access': ACCESS_SCHEMA,
  });
  const access = readAccess(call, organization, values['organization-access'] ?? {}, JSON.parse(before.access));
  const other = findTeam(call.store, 'organization = ? AND name = ?', organization.seq, values.name ?? '');
  if (other !== undefined && other.seq !== present?.seq) note('attributes/name', 'Name has already been taken');
  const isSame = values.name === before.name && (values.visibility ?? before.visibility) === before.visibility;
  if (before.name === OWNERS_TEAM && !isSame) note('attributes', 'The owners team keeps its name and visibility');
  const { 'sso-team-id': ssoTeamId, 'allow-member-token-management': allowsMembers, ...wanted } = check();
  const { visibility } = wanted;
  const columns = { sso_team_id: ssoTeamId || null, allow_member_token_management: Number(allowsMembers) };
  return { name: wanted.name, visibility, ...columns, access };
}

type GivenAccess = { [name in string]?: boolean | null | undefined };

const ACCESS_SCHEMA = members(
  Object.fromEntries(ACCESSES.map((name) => [name, v.nullish(v.boolean(`${name} must be true or false`))])),
);

/** The accesses that come with another (facts). */
const FORCED: Record<string, string> = { 'manage-workspaces': 'manage-projects', 'read-workspaces': 'read-projects' };

function readAccess(call: Call, { seq }: OrganizationRow, given: GivenAccess, before: readonly string[]): string[] {
  const isGiven = (name = ''): boolean => given[name] ?? before.includes(name);
  const access = ACCESSES.filter((name) => isGiven(name) || isGiven(FORCED[name]));
  const isSame = access.every((name) => before.includes(name)) && access.length === before.length;
  if (!isSame && !findMay(call, seq)('teams.change-access')) throw createProblem(404);
  return access;
}

/** A team can have each of these only together with those before it (facts). */
const CHAIN = ['manage-membership', 'manage-teams', 'manage-organization-access'];

function findAccessFlaws(access: readonly string[]): Flaw[] {
  return CHAIN.flatMap((name, index): Flaw[] => {
    const missing = CHAIN.slice(0, index).filter((needed) => !access.includes(needed));
    if (!access.includes(name) || missing.length === 0) return [];
    const pointer = `/data/attributes/organization-access/${name}`;
    return [{ detail: `${name} needs ${missing.join(' and ')}`, pointer }];
  });
}

/** A team shows its members only if the request asks for them: there may be a hundred thousand. */
function formatTeams(call: Call, organization: OrganizationRow, teams: readonly TeamRow[]): Resources {
  const { include, store } = call;
  const may = findMay(call, organization.seq);
  const included: Resource[] = [];
  const data = teams.map((team) => {
    const rows = include.size === 0 ? [] : selectTeamMembers(store, team).list();
    const teamsOf = listTeamsOf(store, rows);
    const users = rows.filter(({ status }) => status === 'active').map(formatUser);
    const memberships = rows.map((row) => formatMembership(row, teamsOf(row)));
    const all = Object.entries({ users, 'organization-memberships': memberships });
    const related = all.filter(([name]) => include.has(name));
    included.push(...related.flatMap(([, resources]) => resources));
    const relationships = related.map(([name, resources]) => [name, referAll(name, resources)]);
    return formatTeam(team, organization, may, Object.fromEntries(relationships));
  });
  return { data, included };
}
