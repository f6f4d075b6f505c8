import type { JsonObject } from '../../lib/json.ts';
import { assertUnmanaged, withTeam } from '../access.ts';
import { asObject, type Context, NO_CONTENT, type Reply, type Route, readChoice } from '../context.ts';
import { createHttpError } from '../errors.ts';
import { recordTeamEvents } from '../events.ts';
import { replyList } from '../pages.ts';
import { findMembership, selectTeamMembers } from '../people.ts';
import { OWNERS_TEAM } from '../permissions.ts';
import { type MembershipRow, type OrganizationRow, STATUSES, type TeamRow } from '../rows.ts';
import { fold } from '../store.ts';
import { formatMemberships, INCLUDES } from './memberships.ts';

const BY_MEMBERSHIP = '/teams/:team_id/relationships/organization-memberships';
const BY_USER = '/teams/:team_id/relationships/users';

export const TEAM_MEMBERS: Route[] = [
  { method: 'GET', path: BY_MEMBERSHIP, handle: withTeam('teams.read', list), includes: INCLUDES },
  { method: 'POST', path: BY_MEMBERSHIP, handle: withTeam('teams.change-members', add) },
  { method: 'DELETE', path: BY_MEMBERSHIP, handle: withTeam('teams.change-members', remove) },
  { method: 'POST', path: BY_USER, handle: withTeam('teams.change-members', add) },
  { method: 'DELETE', path: BY_USER, handle: withTeam('teams.change-members', remove) },
];

function list(ctx: Context, _organization: OrganizationRow, team: TeamRow): Reply {
  const status = readChoice(ctx, 'filter[status]', STATUSES);
  return replyList(ctx, selectTeamMembers(ctx.store, team, status), (page) => formatMemberships(ctx, page));
}

function isInTeam({ store }: Context, team: TeamRow, membership: MembershipRow): boolean {
  return store.count('membership_teams WHERE membership = ? AND team = ?', membership.seq, team.seq) > 0;
}

function add(ctx: Context, organization: OrganizationRow, team: TeamRow): Reply {
  for (const member of readMembers(ctx, organization, team)) {
    if (isInTeam(ctx, team, member)) throw createHttpError(400, `${member.id} is already a member`);
    ctx.store.insert('membership_teams', { membership: member.seq, team: team.seq });
    recordTeamEvents(ctx, organization, { action: 'add_member', teams: [team], user: member.user_id });
  }
  return NO_CONTENT;
}

function remove(ctx: Context, organization: OrganizationRow, team: TeamRow): Reply {
  const members = readMembers(ctx, organization, team);
  const nonMember = members.find((member) => !isInTeam(ctx, team, member));
  if (nonMember !== undefined) throw createHttpError(400, `${nonMember.id} is not a member`);
  // A service account is not an owner.
  const leaving = members.filter((member) => member.status === 'active' && member.is_service_account === 0).length;
  if (team.name === OWNERS_TEAM && leaving > 0 && leaving >= team.users_count - team.service_accounts) {
    throw createHttpError(403, 'You cannot remove the last active owner of the organization');
  }
  for (const member of members) {
    ctx.store.run('DELETE FROM membership_teams WHERE membership = ? AND team = ?', member.seq, team.seq);
    recordTeamEvents(ctx, organization, { action: 'remove_member', teams: [team], user: member.user_id });
  }
  return NO_CONTENT;
}

function readMembers(ctx: Context, organization: OrganizationRow, team: TeamRow): MembershipRow[] {
  assertUnmanaged(team.scim_group_name, organization);
  const entries = ctx.body()['data'];
  const type = ctx.url.pathname.endsWith('/users') ? 'users' : 'organization-memberships';
  if (!Array.isArray(entries) || entries.length === 0) {
    throw createHttpError(400, `Data must be a list of ${type.replace('-', ' ')}`);
  }
  const rows = entries.map((entry) => findMember(ctx, organization.seq, asObject(entry), type));
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** `id` of users: the username of an active member, or the id of the user. Throws 400. */
function findMember(ctx: Context, organization: number, { id, type }: JsonObject, expected: string): MembershipRow {
  if (type !== expected) throw createHttpError(400, `Type must be ${expected}`);
  if (typeof id !== 'string' || id === '') throw createHttpError(400, "Id can't be blank");
  const byUser = "memberships.status = 'active' AND (users.username_folded = ? OR users.id = ?)";
  const [noun, where, ...values] =
    expected === 'users' ? ['member', byUser, fold(id), id] : ['membership', 'memberships.id = ?', id];
  const row = findMembership(ctx.store, `memberships.organization = ? AND ${where}`, organization, ...values);
  if (row === undefined) throw createHttpError(400, `${id} is not a ${noun} of the organization`);
  return row;
}
