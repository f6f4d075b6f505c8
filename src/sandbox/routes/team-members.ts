import { ofTeam, refuseManaged, requireTeamFor, type Within } from '../access.ts';
import { answerList } from '../answers.ts';
import { recordTeamEvents } from '../audit-events.ts';
import { readPage } from '../pagination.ts';
import type { Operation } from '../permissions.ts';
import { createProblem } from '../problems.ts';
import {
  findActiveMember,
  findMembership,
  type MembershipRow,
  STATUSES,
  selectTeamMembers,
} from '../queries/memberships.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import { addToTeam, isInTeam, OWNERS_TEAM, removeFromTeam, type TeamRow } from '../queries/teams.ts';
import { readChoice, toMembers } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, type Route, routesAbout, TEAM } from '../route.ts';
import { ORGANIZATION_MEMBERSHIPS, USERS } from '../wire/resources.ts';
import { INCLUDES, toResources } from './memberships.ts';

const PATH = `${TEAM}/relationships/organization-memberships`;
const OF_USERS = `${TEAM}/relationships/users`;

const CHANGE = 'teams.change-members';

const byMembership = routesAbout(toReader(toMember));
const byUser = routesAbout(toReader(toUserMember));

/** Who is in a team, by membership, or by name of a user. Outside the service's document, which refers to it, so Assumed throughout. */
export const TEAM_MEMBER_ROUTES: readonly Route[] = [
  // Assumed: the list of a team's members takes the same parameters as the list of the organization's.
  ofTeam('GET', PATH, 'teams.show', list, { includes: INCLUDES }),
  byMembership('POST', PATH, CHANGE, add),
  byMembership('DELETE', PATH, CHANGE, remove),
  byUser('POST', OF_USERS, CHANGE, add),
  byUser('DELETE', OF_USERS, CHANGE, remove),
];

function toReader(toMember: ToMember) {
  return (context: Context, operation: Operation): Change =>
    readChange(context, requireTeamFor(context, operation), toMember);
}

function list(context: Context, { row: team }: Within<TeamRow>): Answer {
  const { store, url } = context;
  const status = readChoice(url, 'filter[status]', STATUSES);
  const sort = readChoice(url, 'sort', ['status', '-status'] as const);
  const wanted = readChoice(url, 'filter[is_service_account]', ['true', 'false']);
  const filter = { status, isServiceAccount: wanted === undefined ? undefined : wanted === 'true' };
  const page = readPage(url);
  return answerList(context, page, selectTeamMembers(store, team, filter, sort), (rows) => toResources(context, rows));
}

function add(context: Context, { row: team, organization, members }: Change): Answer {
  for (const member of members) {
    if (isInTeam(context.store, team.seq, member.seq)) throw createProblem(400, `${member.id} is already a member`);
    addToTeam(context.store, team.seq, member.seq);
    recordTeamEvents(context, organization, 'add_member', [team], member.user_id);
  }
  return NO_CONTENT;
}

function remove(context: Context, { row: team, organization, members }: Change): Answer {
  for (const member of members) {
    if (!isInTeam(context.store, team.seq, member.seq)) throw createProblem(400, `${member.id} is not a member`);
  }
  // Assumed: a service account does not count as the last owner of an organization.
  const leaving = members.filter((member) => member.status === 'active' && member.is_service_account === 0).length;
  if (team.name === OWNERS_TEAM && leaving > 0 && leaving >= team.users_count - team.service_accounts) {
    throw createProblem(403, 'You cannot remove the last active owner of the organization');
  }
  for (const member of members) {
    removeFromTeam(context.store, team.seq, member.seq);
    recordTeamEvents(context, organization, 'remove_member', [team], member.user_id);
  }
  return NO_CONTENT;
}

/** The membership that an entry of the request names. Throws 400 where it is none. */
type ToMember = (context: Context, organization: OrganizationRow, entry: unknown) => MembershipRow;

function toMember({ store }: Context, organization: OrganizationRow, entry: unknown): MembershipRow {
  const id = readId(entry, ORGANIZATION_MEMBERSHIPS);
  const member = findMembership(store, id);
  if (member !== undefined && member.organization === organization.seq) return member;
  throw createProblem(400, `${id} is not a membership of the organization`);
}

/** The entry has the name of an active member, or the id of the user. */
function toUserMember({ store }: Context, organization: OrganizationRow, entry: unknown): MembershipRow {
  const name = readId(entry, USERS);
  const member = findActiveMember(store, organization.seq, name);
  if (member === undefined) throw createProblem(400, `${name} is not a member of the organization`);
  return member;
}

function readId(entry: unknown, wanted: string): string {
  const { id, type } = toMembers(entry) as { id?: unknown; type?: unknown };
  if (type !== wanted) throw createProblem(400, `Type must be ${wanted}`);
  if (typeof id !== 'string' || id === '') throw createProblem(400, "Id can't be blank");
  return id;
}

interface Change extends Within<TeamRow> {
  /** Each once. */
  readonly members: readonly MembershipRow[];
}

/** Throws where one of those who are named cannot be a member of the team. */
function readChange(context: Context, { row: team, organization }: Within<TeamRow>, toMember: ToMember): Change {
  refuseManaged(team, organization);
  const entries = context.body()['data'];
  if (!Array.isArray(entries) || entries.length === 0) {
    throw createProblem(
      400,
      `Data must be a list of ${toMember === toUserMember ? 'users' : 'organization memberships'}`,
    );
  }
  const members = new Map<string, MembershipRow>();
  for (const entry of entries) {
    const member = toMember(context, organization, entry);
    members.set(member.id, member);
  }
  return { row: team, organization, members: [...members.values()] };
}
