import { assertUnmanaged, findTeamFor } from '../access.ts';
import { type Answer, asMembers, type Call, NO_CONTENT, type Route, readChoice } from '../call.ts';
import { createProblem } from '../errors.ts';
import { recordTeamEvents } from '../events.ts';
import { answerList, readPage } from '../pages.ts';
import { findMembership, selectTeamMembers } from '../people.ts';
import { OWNERS_TEAM } from '../permissions.ts';
import { type MembershipRow, type OrganizationRow, STATUSES, type TeamRow } from '../rows.ts';
import { fold } from '../store.ts';
import { formatMemberships, INCLUDES } from './memberships.ts';

const BY_MEMBERSHIP = '/teams/:team_id/relationships/organization-memberships';
const BY_USER = '/teams/:team_id/relationships/users';

/** Who is in a team, by membership, or by the name of a user. The document refers to it. */
export const TEAM_MEMBERS: readonly Route[] = [
  ['GET', BY_MEMBERSHIP, list, { includes: INCLUDES }],
  ['POST', BY_MEMBERSHIP, (call) => add(call, readChange(call, findMember, 'organization memberships'))],
  ['DELETE', BY_MEMBERSHIP, (call) => remove(call, readChange(call, findMember, 'organization memberships'))],
  ['POST', BY_USER, (call) => add(call, readChange(call, findUserMember, 'users'))],
  ['DELETE', BY_USER, (call) => remove(call, readChange(call, findUserMember, 'users'))],
];

function list(call: Call): Answer {
  const { team } = findTeamFor(call, 'teams.show');
  const status = readChoice(call, 'filter[status]', STATUSES);
  const sort = readChoice(call, 'sort', ['status', '-status']);
  const isServiceAccount = readChoice(call, 'filter[is_service_account]', ['true', 'false']);
  const page = readPage(call);
  const rows = selectTeamMembers(call.store, team, { status, isServiceAccount, sort });
  return answerList(call, page, rows, (some) => formatMemberships(call, some));
}

interface Change {
  team: TeamRow;
  organization: OrganizationRow;
  members: readonly MembershipRow[];
}

function isInTeam({ store }: Call, { seq }: TeamRow, membership: MembershipRow): boolean {
  return store.count('membership_teams WHERE membership = ? AND team = ?', membership.seq, seq) > 0;
}

function add(call: Call, { team, organization, members }: Change): Answer {
  for (const member of members) {
    if (isInTeam(call, team, member)) throw createProblem(400, `${member.id} is already a member`);
    call.store.insert('membership_teams', { membership: member.seq, team: team.seq });
    recordTeamEvents(call, organization, 'add_member', [team], member.user_id);
  }
  return NO_CONTENT;
}

function remove(call: Call, { team, organization, members }: Change): Answer {
  for (const member of members) {
    if (!isInTeam(call, team, member)) throw createProblem(400, `${member.id} is not a member`);
  }
  // A service account is no owner.
  const leaving = members.filter((member) => member.status === 'active' && member.is_service_account === 0).length;
  if (team.name === OWNERS_TEAM && leaving > 0 && leaving >= team.users_count - team.service_accounts) {
    throw createProblem(403, 'You cannot remove the last active owner of the organization');
  }
  for (const member of members) {
    call.store.run('DELETE FROM membership_teams WHERE membership = ? AND team = ?', member.seq, team.seq);
    recordTeamEvents(call, organization, 'remove_member', [team], member.user_id);
  }
  return NO_CONTENT;
}

/** The membership that an entry of the request names. Throws 400 if it is none. */
type FindMember = (call: Call, organization: OrganizationRow, entry: unknown) => MembershipRow;

function findMember({ store }: Call, { seq }: OrganizationRow, entry: unknown): MembershipRow {
  const id = readId(entry, 'organization-memberships');
  const member = findMembership(store, 'memberships.id = ? AND memberships.organization = ?', id, seq);
  if (member === undefined) throw createProblem(400, `${id} is not a membership of the organization`);
  return member;
}

/** The entry has the name of an active member, or the id of the user. */
function findUserMember({ store }: Call, { seq }: OrganizationRow, entry: unknown): MembershipRow {
  const name = readId(entry, 'users');
  const where = `memberships.organization = ? AND memberships.status = 'active'
    AND (users.username_folded = ? OR users.id = ?)`;
  const member = findMembership(store, where, seq, fold(name), name);
  if (member === undefined) throw createProblem(400, `${name} is not a member of the organization`);
  return member;
}

function readId(entry: unknown, wanted: string): string {
  const { id, type } = asMembers(entry) as { id?: unknown; type?: unknown };
  if (type !== wanted) throw createProblem(400, `Type must be ${wanted}`);
  if (typeof id !== 'string' || id === '') throw createProblem(400, "Id can't be blank");
  return id;
}

/** Throws if one of those who are named cannot be a member of the team. */
function readChange(call: Call, find: FindMember, what: string): Change {
  const { team, organization } = findTeamFor(call, 'teams.change-members');
  assertUnmanaged(team, organization);
  const entries = call.body()['data'];
  if (!Array.isArray(entries) || entries.length === 0) throw createProblem(400, `Data must be a list of ${what}`);
  const members = new Map(entries.map((entry) => find(call, organization, entry)).map((row) => [row.id, row]));
  return { team, organization, members: [...members.values()] };
}
