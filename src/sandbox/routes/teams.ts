import * as v from 'valibot';
import type { JsonObject } from '../../lib/json.ts';
import { assertFound, assertUnmanaged, findPermissions, isVisibleTo, withOrganization, withTeam } from '../access.ts';
import { createFieldError, optionalObject, parseAttributes, text } from '../bodies.ts';
import { type Context, NO_CONTENT, type Reply, type Route, readQuery, readQueryList } from '../context.ts';
import { createHttpError, createValidationError, type FieldError } from '../errors.ts';
import { type CompoundDocument, replyList, replyOne } from '../pages.ts';
import { findTeamRow, indexTeams, selectTeamMembers, selectTeams } from '../people.ts';
import { ACCESSES, OWNERS_TEAM, TEAM_MANAGEMENT } from '../permissions.ts';
import { formatMembership, formatTeam, formatToMany, formatUser, type ResourceObject } from '../resources.ts';
import type { OrganizationRow, TeamRow } from '../rows.ts';
import { contains, fold, isOneOf } from '../store.ts';

const COLLECTION = '/organizations/:organization_name/teams';
const ITEM = '/teams/:team_id';
const includes = ['users', 'organization-memberships'];

export const TEAMS: Route[] = [
  { method: 'GET', path: COLLECTION, handle: withOrganization('teams.read', list), includes },
  { method: 'POST', path: COLLECTION, handle: withOrganization('teams.manage', save) },
  { method: 'GET', path: ITEM, handle: withTeam('teams.read', show), includes },
  { method: 'PATCH', path: ITEM, handle: withTeam('teams.manage', save) },
  { method: 'DELETE', path: ITEM, handle: withTeam('teams.delete', remove) },
];

function list(ctx: Context, organization: OrganizationRow): Reply {
  const names = readQueryList(ctx, 'filter[names]');
  const rows = selectTeams(
    ctx.store,
    ['organization = ?', organization.seq],
    contains(readQuery(ctx, 'q'), 'name_folded'),
    names !== undefined && isOneOf('name', names),
    isVisibleTo(ctx, organization.seq),
  );
  return replyList(ctx, rows, (page) => formatTeams(ctx, organization, page));
}

function show(ctx: Context, organization: OrganizationRow, team: TeamRow): Reply {
  return replyOne(ctx, formatTeams(ctx, organization, [team]));
}

/** Creates a team, or updates `existing`. The service answers both with 200 (facts). */
function save(ctx: Context, organization: OrganizationRow, existing?: TeamRow): Reply {
  const { store, ids, rules } = ctx;
  assertUnmanaged(existing?.scim_group_name ?? null, organization);
  const { access, ...columns } = readTeam(ctx, organization, existing);
  const errors = findAccessErrors(access);
  const isRejected = errors.length > 0;
  if (isRejected && (existing !== undefined || !rules.isReal)) throw createValidationError(...errors);
  const row = { ...columns, name_folded: fold(columns.name), access: JSON.stringify(isRejected ? [] : access) };
  if (existing !== undefined) store.update('teams', existing.seq, row);
  const insert = () => store.insert('teams', { ...row, id: ids.id('team'), organization: organization.seq });
  const { seq } = existing ?? insert();
  // The team is there anyway, without access. An error that is thrown would undo the insert.
  if (isRejected) return { status: 422, body: { errors: createValidationError(...errors).errors } };
  return show(ctx, organization, assertFound(findTeamRow(store, 'seq = ?', seq)));
}

function remove(ctx: Context, organization: OrganizationRow, team: TeamRow): Reply {
  assertUnmanaged(team.scim_group_name, organization);
  if (team.name === OWNERS_TEAM) throw createHttpError(403, 'The owners team cannot be deleted');
  ctx.store.remove('teams', team.seq);
  return NO_CONTENT;
}

const VISIBILITY = v.picklist(['secret', 'organization'], 'Visibility is invalid');

function readTeam(ctx: Context, organization: OrganizationRow, existing: TeamRow | undefined) {
  const values = parseAttributes(ctx, 'teams', {
    name: v.optional(text('Name'), existing?.name ?? ''),
    visibility: v.optional(VISIBILITY, existing?.visibility ?? 'secret'),
    'sso-team-id': v.optional(v.nullable(v.string('Sso team is invalid')), existing?.sso_team_id ?? null),
    'allow-member-token-management': v.optional(
      v.boolean('Allow member token management is invalid'),
      existing?.allow_member_token_management !== 0,
    ),
    'organization-access': ACCESS_SCHEMA,
  });
  const before = JSON.parse(existing?.access ?? '[]') as string[];
  const access = mergeAccess(ctx, organization, values['organization-access'], before);
  const { name, visibility, 'sso-team-id': ssoTeamId, 'allow-member-token-management': isAllowed } = values;
  const other = findTeamRow(ctx.store, 'organization = ? AND name = ?', organization.seq, name);
  if (other !== undefined && other.seq !== existing?.seq) {
    throw createFieldError('attributes/name', 'Name has already been taken');
  }
  const isSame = name === existing?.name && visibility === existing?.visibility;
  if (existing?.name === OWNERS_TEAM && !isSame) {
    throw createFieldError('attributes', 'The owners team keeps its name and visibility');
  }
  return { name, visibility, sso_team_id: ssoTeamId || null, allow_member_token_management: Number(isAllowed), access };
}

const ACCESS_SCHEMA = optionalObject(
  Object.fromEntries(ACCESSES.map((name) => [name, v.nullish(v.boolean(`${name} must be true or false`))])),
);

/** Accesses that another access implies (facts). */
const IMPLIED: Record<string, string> = { 'manage-workspaces': 'manage-projects', 'read-workspaces': 'read-projects' };

function mergeAccess(ctx: Context, { seq }: OrganizationRow, changes: JsonObject, before: string[]): string[] {
  const isGranted = (name = ''): boolean => Boolean(changes[name] ?? before.includes(name));
  const access = ACCESSES.filter((name) => isGranted(name) || isGranted(IMPLIED[name]));
  const isSame = access.every((name) => before.includes(name)) && access.length === before.length;
  if (!isSame && !findPermissions(ctx, seq).has('teams.change-access')) throw createHttpError(404);
  return access;
}

function findAccessErrors(access: string[]): FieldError[] {
  return TEAM_MANAGEMENT.flatMap((name, index): FieldError[] => {
    const missing = TEAM_MANAGEMENT.slice(0, index).filter((needed) => !access.includes(needed));
    if (!access.includes(name) || missing.length === 0) return [];
    const pointer = `/data/attributes/organization-access/${name}`;
    return [{ detail: `${name} needs ${missing.join(' and ')}`, pointer }];
  });
}

/** Members are read only for an include: a team may have a hundred thousand. */
function formatTeams(ctx: Context, organization: OrganizationRow, teams: TeamRow[]): CompoundDocument {
  const { include, store } = ctx;
  const permissions = findPermissions(ctx, organization.seq);
  const included: ResourceObject[] = [];
  const data = teams.map((team) => {
    const rows = include.size === 0 ? [] : selectTeamMembers(store, team).list();
    const teamsOf = indexTeams(store, rows);
    const users = rows.filter(({ status }) => status === 'active').map(formatUser);
    const memberships = rows.map((row) => formatMembership(row, teamsOf.get(row.seq) ?? []));
    const includable = Object.entries({ users, 'organization-memberships': memberships });
    const related = includable.filter(([name]) => include.has(name));
    included.push(...related.flatMap(([, resources]) => resources));
    const relationships = related.map(([name, resources]) => [name, formatToMany(name, resources)]);
    const resource = formatTeam(team, organization, permissions);
    return { ...resource, relationships: { ...resource.relationships, ...Object.fromEntries(relationships) } };
  });
  return { data, included };
}
