import {
  findMay,
  findSecretTeams,
  isVisible,
  ofCaller,
  ofOrganization,
  requirePresent,
  requireWithin,
  type Within,
} from '../access.ts';
import { answerList, answerOne, NO_ROWS, type Resources } from '../answers.ts';
import { recordEvent, recordTeamEvents } from '../audit-events.ts';
import { toMembership, toOrganization, toScimIdentity, toTeam, toUser } from '../documents.ts';
import { readPage, readPageIfAsked } from '../pagination.ts';
import type { May, Operation } from '../permissions.ts';
import { createProblem } from '../problems.ts';
import { findCurrentFeatureSet } from '../queries/feature-sets.ts';
import {
  countAll,
  findMembership,
  findMembershipOf,
  findUser,
  insertMembership,
  insertUser,
  type MembershipRow,
  STATUSES,
  selectMemberships,
  selectMembershipsOfUser,
} from '../queries/memberships.ts';
import { getOrganization, type OrganizationRow } from '../queries/organizations.ts';
import { findTeams, findTeamsOf, OWNERS_TEAM, type TeamRow } from '../queries/teams.ts';
import { type Form, readChoice, readForm, readList, readParameter, toMembers } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, ORGANIZATION, type Route, routesAbout } from '../route.ts';
import type { Resource } from '../wire/json-api.ts';
import { ORGANIZATION_MEMBERSHIPS, TEAMS } from '../wire/resources.ts';

const OF_ORGANIZATION = `${ORGANIZATION}/organization-memberships`;
const OWN = '/organization-memberships';
const ONE = `${OWN}/:organization_membership_id`;

// Assumed: memberships can include the user and the teams; the service's document does not list what include takes.
export const INCLUDES = ['user', 'teams'] as const;

const ofMembership = routesAbout(requireMembership);

export const MEMBERSHIP_ROUTES: readonly Route[] = [
  ofOrganization('POST', OF_ORGANIZATION, 'memberships.invite', invite, { documented: true }),
  ofOrganization('GET', OF_ORGANIZATION, 'memberships.list', list, {
    documented: true,
    includes: [...INCLUDES, 'scim-identity'],
  }),
  ofCaller('GET', OWN, 'memberships.list-own', listOwn, { documented: true, includes: [...INCLUDES, 'organization'] }),
  ofMembership('GET', ONE, 'memberships.show', show, { documented: true, includes: INCLUDES }),
  ofMembership('DELETE', ONE, 'memberships.remove', remove, { documented: true }),
];

const LONGEST_EMAIL = 254;

function invite(context: Context, organization: OrganizationRow): Answer {
  const { store, ids, now } = context;
  const { email, teams } = readInvitation(context, organization);
  const { name, active, invited, user_limit: limit } = organization;
  // Assumed: invitations count against the limit of users as members do, and a request that is wrong in itself is
  // refused for that first.
  if (limit !== null && active + invited >= limit) {
    throw createProblem(400, `The organization ${name} has reached its limit of ${limit} users`);
  }
  const user = findUser(store, email)?.seq ?? insertUser(store, { id: ids.id('user'), email, username: null });
  const { seq } = organization;
  const invitation = { id: ids.id('ou'), organization: seq, user, status: 'invited', created_at: now } as const;
  const teamSeqs = teams.map((team) => team.seq);
  insertMembership(store, invitation, teamSeqs);
  const row = requirePresent(findMembershipOf(store, seq, user));
  recordEvent(context, organization, { type: 'organization_user', action: 'create', id: row.id });
  recordTeamEvents(context, organization, 'add_member', teams, row.user_id);
  // Assumed: the answer to an invitation includes the user, whether the request asks for that or not.
  return { status: 201, body: { data: toMembership(row, teams), included: [toUser(row)] } };
}

function list(context: Context, organization: OrganizationRow): Answer {
  const { store, url } = context;
  const rows = selectMemberships(store, organization, {
    search: readParameter(url, 'q'),
    status: readChoice(url, 'filter[status]', STATUSES),
    emails: readList(url, 'filter[email]'),
  });
  // Assumed: the counts of members beside a list are those of the whole organization, whatever the list is restricted
  // to.
  const { active, invited } = organization;
  const meta = { 'status-counts': { total: countAll(organization), active, invited } };
  return answerList(context, readPage(url), rows, (some) => toResources(context, some), meta);
}

/**
 * Assumed: a caller's own memberships come all at once unless the request asks for a page. The service's document shows
 * no parameters here.
 */
function listOwn(context: Context): Answer {
  const user = context.caller.user?.seq;
  const rows = user === undefined ? NO_ROWS : selectMembershipsOfUser(context.store, user);
  return answerList(context, readPageIfAsked(context.url), rows, (some) => toResources(context, some));
}

function show(context: Context, { row }: Within<MembershipRow>): Answer {
  return answerOne(context, toResources(context, [row]));
}

function remove(context: Context, { row, organization }: Within<MembershipRow>): Answer {
  const teams = findTeamsOf(context.store, [row])(row);
  // Assumed: the organization token and other callers can remove even the last owner; the document forbids owners to
  // remove themselves.
  if (context.caller.user?.seq === row.user && teams.some(({ name }) => name === OWNERS_TEAM)) {
    throw createProblem(403, 'You cannot remove yourself from an organization you own');
  }
  // Assumed: removing a person whom SCIM manages is refused with 403.
  if (row.scim_identity !== null) throw createProblem(403, `${row.id} is managed by SCIM`);
  context.store.remove('memberships', row.seq);
  recordTeamEvents(context, organization, 'remove_member', teams, row.user_id);
  recordEvent(context, organization, { type: 'organization_user', action: 'destroy', id: row.id });
  return NO_CONTENT;
}

/** Assumed: a person who is invited, and not yet a member, gets 404 for the invitation by its id. */
function requireMembership(context: Context, operation: Operation): Within<MembershipRow> {
  const id = context.params['organization_membership_id'] ?? '';
  return requireWithin(context, operation, findMembership(context.store, id));
}

/** An organization, with what the caller may do and see in it. */
interface Entered {
  readonly row: OrganizationRow;
  readonly may: May;
  readonly secret: ReadonlySet<number> | undefined;
}

/** The memberships of a page, and what belongs to them. */
export function toResources(context: Context, rows: readonly MembershipRow[]): Resources {
  const { include, store, rules } = context;
  const teamsOf = findTeamsOf(store, rows);
  const included: Resource[] = [];
  // Many members are in the same teams.
  const shown = new Set<string>();
  // Each organization is read once, and not for every member.
  const organizations = new Map<number, Entered>();
  const enter = (seq: number): Entered => {
    const known = organizations.get(seq);
    if (known !== undefined) return known;
    const found = {
      row: requirePresent(getOrganization(store, seq)),
      may: findMay(context, seq),
      secret: findSecretTeams(context, seq),
    };
    organizations.set(seq, found);
    return found;
  };
  const data = rows.map((row) => {
    const secret = rules.hidesSecretTeams ? enter(row.organization).secret : undefined;
    const teams = teamsOf(row).filter((team) => isVisible(secret, team));
    if (include.has('user')) included.push(toUser(row));
    if (include.has('teams')) {
      const { row: organization, may } = enter(row.organization);
      for (const team of teams) if (!shown.has(team.id)) included.push(toTeam(team, organization, may));
      for (const { id } of teams) shown.add(id);
    }
    const identity = include.has('scim-identity') ? toScimIdentity(row) : undefined;
    if (identity !== undefined) included.push(identity);
    if (include.has('organization')) {
      const { row: owner, may } = enter(row.organization);
      included.push(toOrganization(owner, findCurrentFeatureSet(store, owner.seq), may, context));
    }
    return toMembership(row, teams);
  });
  return { data, included };
}

function readInvitation(context: Context, organization: OrganizationRow): { email: string; teams: TeamRow[] } {
  const form = readForm(context, ORGANIZATION_MEMBERSHIPS);
  const email = form.text('email', 'Email');
  const flaw = email === '' ? undefined : findEmailFlaw(context, email, organization);
  if (flaw !== undefined) form.note('attributes/email', flaw);
  const teams = readTeams(context, form, organization);
  form.check();
  return { email, teams };
}

function findEmailFlaw({ store }: Context, email: string, organization: OrganizationRow): string | undefined {
  // Assumed: an email address is one `@` with text on both sides, without blanks, and without commas, which separate
  // addresses in a filter.
  if (email.length > LONGEST_EMAIL || !/^[^\s@,;<>]+@[^\s@,;<>.]+(\.[^\s@,;<>.]+)*$/.test(email)) {
    return 'Email is not an email address';
  }
  // Assumed: email addresses are compared without case, and inviting a person who is invited or a member already is
  // answered with 422.
  const user = findUser(store, email);
  const membership = user === undefined ? undefined : findMembershipOf(store, organization.seq, user.seq);
  if (membership === undefined) return undefined;
  return membership.status === 'invited'
    ? 'Email has been invited to the organization already'
    : 'Email belongs to a member of the organization already';
}

function readTeams({ store, rules }: Context, { data, note }: Form, { seq }: OrganizationRow): TeamRow[] {
  const identifiers = toMembers(toMembers(data['relationships'])['teams'])['data'] ?? [];
  if (rules.invitesWithoutTeams && Array.isArray(identifiers) && identifiers.length === 0) return [];
  if (!Array.isArray(identifiers) || identifiers.length === 0) {
    note('relationships/teams', 'Teams must name at least one team');
    return [];
  }
  const noteOf = (index: number, member: string, detail: string): void =>
    note(`relationships/teams/data/${index}/${member}`, detail);
  const wanted = new Map<string, number>();
  for (const [index, identifier] of identifiers.entries()) {
    const { id, type } = toMembers(identifier) as { id?: unknown; type?: unknown };
    if (type !== TEAMS) noteOf(index, 'type', `Type must be ${TEAMS}`);
    if (typeof id !== 'string' || id === '') noteOf(index, 'id', 'Id must be the id of a team');
    else if (!wanted.has(id)) wanted.set(id, index);
  }
  const rows = findTeams(store, seq, [...wanted.keys()]);
  const found = new Map(rows.map((row) => [row.id, row]));
  for (const [id, index] of wanted) {
    const row = found.get(id);
    if (row === undefined) noteOf(index, 'id', 'Team not found in the organization');
    // Assumed: an invitation names teams also where HCP manages the organization.
    else if (row.scim_group_name !== null)
      noteOf(index, 'id', 'Team is managed by SCIM, which alone adds members to it');
  }
  return rows;
}
