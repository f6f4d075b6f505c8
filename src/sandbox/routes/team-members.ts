import { ORGANIZATION_MEMBERSHIPS } from '../../wire/resources.ts';
import { requireOrganization, requirePresent } from '../access.ts';
import { recordTeamEvents } from '../audit-events.ts';
import { toListDocument } from '../documents.ts';
import { readPage, toRange } from '../pagination.ts';
import { findManager } from '../permissions.ts';
import { createProblem } from '../problems.ts';
import { findMembership, getMemberships, type MembershipRow, STATUSES } from '../queries/memberships.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import {
  addToTeam,
  countTeamMembers,
  findTeam,
  isInTeam,
  listTeamMembers,
  OWNERS_TEAM,
  removeFromTeam,
  type TeamRow,
} from '../queries/teams.ts';
import { readChoice, toMembers } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, type Route } from '../route.ts';
import { INCLUDES, toResources } from './memberships.ts';

const PATH = '/teams/:team_id/relationships/organization-memberships';

/** Who is in a team, by membership. Outside the service's document, which refers to it, so Assumed throughout. */
export const TEAM_MEMBER_ROUTES: readonly Route[] = [
  // Assumed: as the other lists of memberships.
  { method: 'GET', path: PATH, documented: false, includes: INCLUDES, handle: list },
  { method: 'POST', path: PATH, documented: false, handle: add },
  { method: 'DELETE', path: PATH, documented: false, handle: remove },
];

function list(context: Context): Answer {
  const { store, url } = context;
  const team = requireTeam(context);
  requireOrganization(context, 'teams.show', team.organization);
  const status = readChoice(url, 'filter[status]', STATUSES);
  const sort = readChoice(url, 'sort', ['status', '-status'] as const);
  const wanted = readChoice(url, 'filter[is_service_account]', ['true', 'false']);
  const filter = { status, isServiceAccount: wanted === undefined ? undefined : wanted === 'true' };
  const page = readPage(url);
  const rows = getMemberships(store, listTeamMembers(store, team.seq, { ...filter, sort }, toRange(page)));
  const { data, included } = toResources(context, rows);
  const total = countTeamMembers(store, team, filter);
  return { status: 200, body: toListDocument(url, page, total, data, included) };
}

function add(context: Context): Answer {
  const { team, organization, members } = readChange(context);
  for (const member of members) {
    if (isInTeam(context.store, team.seq, member.seq)) throw createProblem(400, `${member.id} is already a member`);
    addToTeam(context.store, team.seq, member.seq);
    recordTeamEvents(context, organization, 'add_member', [team], member.user_id);
  }
  return NO_CONTENT;
}

function remove(context: Context): Answer {
  const { team, organization, members } = readChange(context);
  for (const member of members) {
    if (!isInTeam(context.store, team.seq, member.seq)) throw createProblem(400, `${member.id} is not a member`);
  }
  // Assumed: a service account is no owner that could stay alone.
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

const MANAGED = {
  HCP: 'The organization is managed by HCP',
  SCIM: 'The team is managed by SCIM',
} as const;

/** The members are named once each. Throws where one of them cannot be a member of the team. */
function readChange(context: Context): {
  team: TeamRow;
  organization: OrganizationRow;
  members: readonly MembershipRow[];
} {
  const team = requireTeam(context);
  const organization = requireOrganization(context, 'teams.change-members', team.organization);
  const manager = findManager(team, organization);
  if (manager !== undefined) throw createProblem(403, MANAGED[manager]);
  const identifiers = context.body()['data'];
  if (!Array.isArray(identifiers) || identifiers.length === 0) {
    throw createProblem(400, 'Data must be a list of organization memberships');
  }
  const members = new Map<string, MembershipRow>();
  for (const identifier of identifiers) {
    const { id, type } = toMembers(identifier) as { id?: unknown; type?: unknown };
    if (type !== ORGANIZATION_MEMBERSHIPS) throw createProblem(400, `Type must be ${ORGANIZATION_MEMBERSHIPS}`);
    if (typeof id !== 'string' || id === '') throw createProblem(400, "Id can't be blank");
    const member = findMembership(context.store, id);
    if (member === undefined || member.organization !== organization.seq) {
      throw createProblem(400, `${id} is not a membership of the organization`);
    }
    members.set(id, member);
  }
  return { team, organization, members: [...members.values()] };
}

function requireTeam({ store, params }: Context): TeamRow {
  return requirePresent(findTeam(store, params['team_id'] ?? ''));
}
