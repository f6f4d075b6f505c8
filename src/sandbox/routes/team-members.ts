import { assertUnmanaged } from '../access.ts';
import { type Answer, asMembers, type Call, type Members, NO_CONTENT, type Route, readChoice } from '../call.ts';
import { createProblem } from '../errors.ts';
import { recordTeamEvents } from '../events.ts';
import { answerList } from '../pages.ts';
import { findMembership, selectTeamMembers } from '../people.ts';
import { OWNERS_TEAM } from '../permissions.ts';
import { type MembershipRow, type OrganizationRow, STATUSES, type TeamRow } from '../rows.ts';
import { fold } from '../store.ts';
import { formatMemberships, INCLUDES } from './memberships.ts';

const BY_MEMBERSHIP = '/teams/:team_id/relationships/organization-memberships';
const BY_USER = '/teams/:team_id/relationships/users';

/** Who is in a team, by membership, or by the name of a user. The document refers to it. */
export const TEAM_MEMBERS: readonly Route[] = [
  ['GET', BY_MEMBERSHIP, 'teams.read', list, { includes: INCLUDES }],
  ['POST', BY_MEMBERSHIP, 'teams.change-members', add],
  ['DELETE', BY_MEMBERSHIP, 'teams.change-members', remove],
  ['POST', BY_USER, 'teams.change-members', add],
  ['DELETE', BY_USER, 'teams.change-members', remove],
];

function list(call: Call, _organization: OrganizationRow, team: TeamRow): Answer {
  const status = readChoice(call, 'filter[status]', STATUSES);
  const sort = readChoice(call, 'sort', ['status', '-status']);
  const isServiceAccount = readChoice(call, 'filter[is_service_account]', ['true', 'false']);
  const rows = selectTeamMembers(call.store, team, { status, isServiceAccount, sort });
  return answerList(call, rows, (some) => formatMemberships(call, some));
}

function isInTeam({ store }: Call, team: TeamRow, membership: MembershipRow): boolean {
  return store.count('membership_teams WHERE membership = ? AND team = ?', membership.seq, team.seq) > 0;
}

function add(call: Call, organization: OrganizationRow, team: TeamRow): Answer {
  for (const member of readMembers(call, organization, team)) {
    if (isInTeam(call, team, member)) throw createProblem(400, `${member.id} is already a member`);
    call.store.insert('membership_teams', { membership: member.seq, team: team.seq });
    recordTeamEvents(call, organization, { action: 'add_member', teams: [team], user: member.user_id });
  }
  return NO_CONTENT;
}

function remove(call: Call, organization: OrganizationRow, team: TeamRow): Answer {
  const members = readMembers(call, organization, team);
  const other = members.find((member) => !isInTeam(call, team, member));
  if (other !== undefined) throw createProblem(400, `${other.id} is not a member`);
  // A service account is no owner.
  const leaving = members.filter((member) => member.status === 'active' && member.is_service_account === 0).length;
  if (team.name === OWNERS_TEAM && leaving > 0 && leaving >= team.users_count - team.service_accounts) {
    throw createProblem(403, 'You cannot remove the last active owner of the organization');
  }
  for (const member of members) {
    call.store.run('DELETE FROM membership_teams WHERE membership = ? AND team = ?', member.seq, team.seq);
    recordTeamEvents(call, organization, { action: 'remove_member', teams: [team], user: member.user_id });
  }
  return NO_CONTENT;
}

/** Those whom the request names, each once. Throws if one of them cannot be a member of the team. */
function readMembers(call: Call, organization: OrganizationRow, team: TeamRow): MembershipRow[] {
  assertUnmanaged(team.scim_group_name, organization);
  const entries = call.body()['data'];
  const type = call.url.pathname.endsWith('/users') ? 'users' : 'organization-memberships';
  if (!Array.isArray(entries) || entries.length === 0) {
    throw createProblem(400, `Data must be a list of ${type.replace('-', ' ')}`);
  }
  const rows = entries.map((entry) => findMember(call, organization.seq, asMembers(entry), type));
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

const BY_ID = 'memberships.id = ?';

/** Users are named by the name of an active member, or by the id of the user. Throws 400. */
function findMember({ store }: Call, organization: number, { id, type }: Members, wanted: string): MembershipRow {
  if (type !== wanted) throw createProblem(400, `Type must be ${wanted}`);
  if (typeof id !== 'string' || id === '') throw createProblem(400, "Id can't be blank");
  const byUser = "memberships.status = 'active' AND (users.username_folded = ? OR users.id = ?)";
  const [what, where, ...values] = wanted === 'users' ? ['member', byUser, fold(id), id] : ['membership', BY_ID, id];
  const row = findMembership(store, `memberships.organization = ? AND ${where}`, organization, ...values);
  if (row === undefined) throw createProblem(400, `${id} is not a ${what} of the organization`);
  return row;
}
