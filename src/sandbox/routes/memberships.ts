import type { Resource } from '../../wire/json-api.ts';
import { ORGANIZATION_MEMBERSHIPS, TEAMS } from '../../wire/resources.ts';
import {
  isAllowed,
  requireOrganization,
  requireOrganizationBySeq,
  requirePermission,
  requirePresent,
} from '../access.ts';
import { recordEvent, recordTeamEvents } from '../audit-events.ts';
import { toListDocument, toMembership, toOrganization, toTeam, toUser } from '../documents.ts';
import { isPageAsked, readPage, toOffset } from '../pagination.ts';
import type { Operation } from '../permissions.ts';
import { createBadRequest, createForbidden, createInvalid, type Flaw } from '../problems.ts';
import {
  countMemberships,
  countMembershipsOfUser,
  deleteMembership,
  findMembership,
  findMembershipOf,
  findUser,
  insertMembership,
  insertUser,
  listMemberships,
  listMembershipsOfUser,
  type MembershipFilter,
  type MembershipRow,
  STATUSES,
} from '../queries/memberships.ts';
import { getOrganization, type OrganizationRow } from '../queries/organizations.ts';
import { findTeams, findTeamsOf, OWNERS_TEAM, type TeamRow } from '../queries/teams.ts';
import { readChoice, readList, readParameter } from '../query.ts';
import { findTypeFlaws, type Members, readText, toMembers } from '../request-body.ts';
import { type Answer, type Context, NO_CONTENT, type Route } from '../route.ts';

const OF_ORGANIZATION = '/organizations/:organization_name/organization-memberships';
const ONE = '/organization-memberships/:organization_membership_id';

// Assumed from what is known of the service: its document does not list what include takes.
const INCLUDES = ['user', 'teams'] as const;

export const MEMBERSHIP_ROUTES: readonly Route[] = [
  { method: 'POST', path: OF_ORGANIZATION, documented: true, handle: invite },
  { method: 'GET', path: OF_ORGANIZATION, documented: true, includes: INCLUDES, handle: list },
  {
    method: 'GET',
    path: '/organization-memberships',
    documented: true,
    includes: [...INCLUDES, 'organization'],
    handle: listOwn,
  },
  { method: 'GET', path: ONE, documented: true, includes: INCLUDES, handle: show },
  { method: 'DELETE', path: ONE, documented: true, handle: remove },
];

const POINTER_TO_EMAIL = '/data/attributes/email';
const POINTER_TO_TEAMS = '/data/relationships/teams';
const LONGEST_EMAIL = 254;

function invite(context: Context): Answer {
  const organization = requireOrganization(context, context.params['organization_name'] ?? '', 'memberships.invite');
  const { store, ids, now } = context;
  const { email, teams } = readInvitation(context, organization);
  // Assumed: invitations count against the limit like members, and a flawed one is told its flaws first.
  if (organization.user_limit !== null && organization.active + organization.invited >= organization.user_limit) {
    throw createBadRequest(
      `The organization ${organization.name} has reached its limit of ${organization.user_limit} users`,
    );
  }
  const user = findUser(store, email)?.seq ?? insertUser(store, { id: ids.id('user'), email, username: null });
  insertMembership(store, {
    id: ids.id('ou'),
    organization: organization.seq,
    user,
    status: 'invited',
    createdAt: now,
    teams: teams.map(({ seq }) => seq),
  });
  const row = requirePresent(findMembershipOf(store, organization.seq, user));
  recordEvent(context, organization, { type: 'organization_user', action: 'create', id: row.id });
  recordTeamEvents(context, organization, 'add_member', teams, row.user_id);
  // Assumed: the user is included, asked for or not.
  return { status: 201, body: { data: toMembership(row, teams), included: [toUser(row)] } };
}

function list(context: Context): Answer {
  const { store, url } = context;
  const organization = requireOrganization(context, context.params['organization_name'] ?? '', 'memberships.list');
  const filter: MembershipFilter = {
    search: readParameter(url, 'q'),
    status: readChoice(url, 'filter[status]', STATUSES),
    emails: readList(url, 'filter[email]'),
  };
  const page = readPage(url);
  const rows = listMemberships(store, organization.seq, filter, page.size, toOffset(page));
  // Assumed: the counts are of the whole organization, whatever the list is restricted to.
  const counts = {
    total: organization.active + organization.invited,
    active: organization.active,
    invited: organization.invited,
  };
  const total = countMemberships(store, organization, filter);
  const { data, included } = toResources(context, rows);
  const body = toListDocument(url, page, total, data, { ...included, meta: { 'status-counts': counts } });
  return { status: 200, body };
}

/** Everything at once unless pages are asked for: the service's document shows no parameters here. */
function listOwn(context: Context): Answer {
  requirePermission(context, 'memberships.list-own');
  const { caller, store, url } = context;
  const page = isPageAsked(url) ? readPage(url) : undefined;
  const rows =
    caller.user === null
      ? []
      : listMembershipsOfUser(store, caller.user.seq, page?.size ?? -1, page === undefined ? 0 : toOffset(page));
  const { data, included } = toResources(context, rows);
  if (page === undefined) {
    return { status: 200, body: { data, ...included } };
  }
  const total = caller.user === null ? 0 : countMembershipsOfUser(store, caller.user.seq);
  return { status: 200, body: toListDocument(url, page, total, data, included) };
}

function show(context: Context): Answer {
  const { row } = requireMembership(context, 'memberships.show');
  const { data, included } = toResources(context, [row]);
  return { status: 200, body: { data: data[0], ...included } };
}

function remove(context: Context): Answer {
  const { row, organization } = requireMembership(context, 'memberships.remove');
  const teams = findTeamsOf(context.store, [row.seq]).get(row.seq) ?? [];
  // Assumed: others may remove even the last owner; the document forbids it to owners themselves only.
  if (context.caller.user?.seq === row.user && teams.some(({ name }) => name === OWNERS_TEAM)) {
    throw createForbidden('You cannot remove yourself from an organization you own');
  }
  deleteMembership(context.store, row.seq);
  recordTeamEvents(context, organization, 'remove_member', teams, row.user_id);
  recordEvent(context, organization, { type: 'organization_user', action: 'destroy', id: row.id });
  return NO_CONTENT;
}

/** Assumed: 404 also for the person who is invited, and not yet a member, and asks for the invitation by its id. */
function requireMembership(
  context: Context,
  operation: Operation,
): { row: MembershipRow; organization: OrganizationRow } {
  const row = requirePresent(findMembership(context.store, context.params['organization_membership_id'] ?? ''));
  return { row, organization: requireOrganizationBySeq(context, row.organization, operation) };
}

/** The memberships of a page and, each once, what belongs to them. */
function toResources(
  context: Context,
  rows: readonly MembershipRow[],
): { data: Resource[]; included: { included?: Resource[] } } {
  const { include, store } = context;
  const teamsOf = findTeamsOf(
    store,
    rows.map(({ seq }) => seq),
  );
  const included = new Map<string, Resource>();
  const add = (resource: Resource): void => {
    included.set(`${resource.type} ${resource.id}`, resource);
  };
  const canUpdate = new Map<number, boolean>();
  const data = rows.map((row) => {
    const teams = teamsOf.get(row.seq) ?? [];
    if (include.has('user')) {
      add(toUser(row));
    }
    if (include.has('teams')) {
      const { organization } = row;
      const mayUpdate = canUpdate.get(organization) ?? isAllowed(context, organization, 'teams.change-members');
      canUpdate.set(organization, mayUpdate);
      for (const team of teams) {
        add(toTeam(team, row.organization_name, mayUpdate));
      }
    }
    if (include.has('organization')) {
      add(toOrganization(requirePresent(getOrganization(store, row.organization))));
    }
    return toMembership(row, teams);
  });
  return { data, included: include.size === 0 ? {} : { included: [...included.values()] } };
}

function readInvitation(context: Context, organization: OrganizationRow): { email: string; teams: TeamRow[] } {
  const data = toMembers(context.body()['data']);
  const flaws = findTypeFlaws(data, ORGANIZATION_MEMBERSHIPS);
  const email = readEmail(context, toMembers(data['attributes']), organization);
  const teams = readTeams(context, toMembers(data['relationships'])['teams'], organization);
  flaws.push(...('flaws' in email ? email.flaws : []), ...('flaws' in teams ? teams.flaws : []));
  if ('flaws' in email || 'flaws' in teams || flaws.length > 0) {
    throw createInvalid(flaws);
  }
  return { email: email.text, teams: teams.rows };
}

function readEmail(
  { store }: Context,
  attributes: Members,
  organization: OrganizationRow,
): { text: string } | { flaws: Flaw[] } {
  const email = readText(attributes, 'email', 'Email');
  if ('flaws' in email) {
    return email;
  }
  const flawed = (detail: string): { flaws: Flaw[] } => ({ flaws: [{ detail, pointer: POINTER_TO_EMAIL }] });
  if (!isEmailAddress(email.text)) {
    return flawed('Email is not an email address');
  }
  // Assumed: addresses are the same person's whatever their case, and 422 for one who is invited or a member already.
  const user = findUser(store, email.text);
  const membership = user === undefined ? undefined : findMembershipOf(store, organization.seq, user.seq);
  if (membership === undefined) {
    return email;
  }
  return flawed(
    membership.status === 'active'
      ? 'Email belongs to a member of the organization already'
      : 'Email has been invited to the organization already',
  );
}

/** Assumed: one `@` with something around it; no blanks, and no commas, which separate addresses in a filter. */
function isEmailAddress(text: string): boolean {
  return text.length <= LONGEST_EMAIL && /^[^\s@,;<>]+@[^\s@,;<>.]+(\.[^\s@,;<>.]+)*$/.test(text);
}

function readTeams({ store }: Context, relationship: unknown, organization: OrganizationRow): TeamsRead {
  const identifiers = toMembers(relationship)['data'];
  if (!Array.isArray(identifiers) || identifiers.length === 0) {
    return { flaws: [{ detail: 'Teams must name at least one team', pointer: POINTER_TO_TEAMS }] };
  }
  const flaws: Flaw[] = [];
  const wanted = new Map<string, number>();
  for (const [index, identifier] of identifiers.entries()) {
    const { id, type } = toMembers(identifier) as { id?: unknown; type?: unknown };
    const pointer = `${POINTER_TO_TEAMS}/data/${index}`;
    if (type !== TEAMS) {
      flaws.push({ detail: `Type must be ${TEAMS}`, pointer: `${pointer}/type` });
    }
    if (typeof id !== 'string' || id === '') {
      flaws.push({ detail: 'Id must be the id of a team', pointer: `${pointer}/id` });
    } else if (!wanted.has(id)) {
      wanted.set(id, index);
    }
  }
  const rows = findTeams(store, organization.seq, [...wanted.keys()]);
  const found = new Set(rows.map(({ id }) => id));
  for (const [id, index] of wanted) {
    if (!found.has(id)) {
      flaws.push({ detail: 'Team not found in the organization', pointer: `${POINTER_TO_TEAMS}/data/${index}/id` });
    }
  }
  return flaws.length > 0 ? { flaws } : { rows };
}

type TeamsRead = { readonly rows: TeamRow[] } | { readonly flaws: Flaw[] };
