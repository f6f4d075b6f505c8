import { assertFound, findMay, findOrganization, getOrganization, isVisible, listSecretTeams } from '../access.ts';
import { readForm, text } from '../bodies.ts';
import {
  type Answer,
  asMembers,
  type Call,
  type Members,
  NO_CONTENT,
  type Route,
  readChoice,
  readQuery,
  readQueryList,
} from '../call.ts';
import { formatMembership, formatOrganization, formatTeam, formatUser, type Resource } from '../documents.ts';
import { createProblem } from '../errors.ts';
import { recordEvent, recordTeamEvents } from '../events.ts';
import { findPlan } from '../organizations.ts';
import { answerList, answerOne, type Resources, readPage, readPageIfAsked } from '../pages.ts';
import {
  findMembership,
  findUser,
  insertMembership,
  insertUser,
  joinMemberships,
  selectMemberships,
} from '../people.ts';
import { OWNERS_TEAM } from '../permissions.ts';
import { type MembershipRow, type OrganizationRow, STATUSES, type TeamRow } from '../rows.ts';
import { contains, fold, isOneOf, NO_ROWS } from '../store.ts';
import { listTeamsOf, selectTeams } from '../teams.ts';

const OF_ORGANIZATION = '/organizations/:organization_name/organization-memberships';
const OWN = '/organization-memberships';
const ONE = `${OWN}/:id`;

/** The document does not list what include takes (facts). */
export const INCLUDES = ['user', 'teams'];
const documented = true;

export const MEMBERSHIPS: readonly Route[] = [
  ['POST', OF_ORGANIZATION, 'memberships.manage', invite, { documented }],
  ['GET', OF_ORGANIZATION, 'memberships.read', list, { documented, includes: [...INCLUDES, 'scim-identity'] }],
  ['GET', OWN, 'memberships.read-own', listOwn, { documented, includes: [...INCLUDES, 'organization'] }],
  ['GET', ONE, undefined, show, { documented, includes: INCLUDES }],
  ['DELETE', ONE, undefined, remove, { documented }],
];

function invite(call: Call, organization: OrganizationRow): Answer {
  const { store, ids, now } = call;
  const { email, teams } = readInvitation(call, organization);
  const { seq, name, active, invited, user_limit: limit } = organization;
  // Invitations count as members do.
  if (limit !== null && active + invited >= limit) {
    throw createProblem(400, `The organization ${name} has reached its limit of ${limit} users`);
  }
  const user = findUser(store, email) ?? insertUser(store, { id: ids.id('user'), email, username: null });
  const invitation = { id: ids.id('ou'), organization: seq, user, status: 'invited', created_at: now } as const;
  insertMembership(
    store,
    invitation,
    teams.map((team) => team.seq),
  );
  const row = assertFound(findMembership(store, 'memberships.id = ?', invitation.id));
  recordEvent(call, organization, { type: 'organization_user', action: 'create', id: row.id });
  recordTeamEvents(call, organization, { action: 'add_member', teams, user: row.user_id });
  return { status: 201, body: { data: formatMembership(row, teams), included: [formatUser(row)] } };
}

function list(call: Call, { seq, active, invited, inactive }: OrganizationRow): Answer {
  const search = readQuery(call, 'q');
  const status = readChoice(call, 'filter[status]', STATUSES);
  const emails = readQueryList(call, 'filter[email]')?.map(fold);
  // The plus keeps SQLite from walking the whole organization if a few addresses lead straight to their users.
  const plus = emails === undefined ? '' : '+';
  const [isOneOfEmails, ...values] = isOneOf('email_folded', emails ?? []);
  const seqs = call.store.select<{ seq: number }>(
    'memberships.seq',
    search === undefined ? 'memberships' : 'memberships JOIN users ON users.seq = memberships.user',
    [
      [`${plus}memberships.organization = ?`, seq],
      status !== undefined && [`${plus}memberships.status = ?`, status],
      emails !== undefined && [`memberships.user IN (SELECT seq FROM users WHERE ${isOneOfEmails})`, ...values],
      contains(search, 'users.email_folded', 'users.username_folded'),
    ],
    `${plus}memberships.seq`,
  );
  // The counts beside a list are those of the whole organization.
  const total = active + invited + inactive;
  const known = { active, invited, inactive, all: total }[status ?? 'all'];
  const rows = joinMemberships(call.store, seqs, search === undefined && emails === undefined ? known : undefined);
  const meta = { 'status-counts': { total, active, invited } };
  return answerList(call, readPage(call), rows, (some) => formatMemberships(call, some), meta);
}

/** All at once unless the request asks for a page; none for a token that belongs to no person. */
function listOwn(call: Call): Answer {
  const { user } = call.caller;
  const rows = user === null ? NO_ROWS : selectMemberships(call.store, ['memberships.user = ?', user.seq]);
  return answerList(call, readPageIfAsked(call), rows, (some) => formatMemberships(call, some));
}

function findOne(call: Call, operation: 'memberships.read' | 'memberships.manage') {
  const row = assertFound(findMembership(call.store, 'memberships.id = ?', call.param('id')));
  return { row, organization: findOrganization(call, operation, row.organization) };
}

function show(call: Call): Answer {
  return answerOne(call, formatMemberships(call, [findOne(call, 'memberships.read').row]));
}

function remove(call: Call): Answer {
  const { row, organization } = findOne(call, 'memberships.manage');
  const teams = listTeamsOf(call.store, [row])(row);
  if (call.caller.user?.seq === row.user && teams.some(({ name }) => name === OWNERS_TEAM)) {
    throw createProblem(403, 'You cannot remove yourself from an organization you own');
  }
  if (row.scim_identity !== null) throw createProblem(403, `${row.id} is managed by SCIM`);
  call.store.remove('memberships', row.seq);
  recordTeamEvents(call, organization, { action: 'remove_member', teams, user: row.user_id });
  recordEvent(call, organization, { type: 'organization_user', action: 'destroy', id: row.id });
  return NO_CONTENT;
}

/** The memberships of a page, and what belongs to them. */
export function formatMemberships(call: Call, rows: readonly MembershipRow[]): Resources {
  const { include, store, rules } = call;
  const teamsOf = listTeamsOf(store, rows);
  const included = new Map<string, Resource>();
  const enter = createEntry(call);
  const data = rows.map((row) => {
    const entry = rules.hidesSecretTeams || include.size > 0 ? enter(row.organization) : undefined;
    const teams = teamsOf(row).filter((team) => isVisible(entry?.secret, team));
    if (include.has('user')) included.set(row.user_id, formatUser(row));
    if (entry !== undefined && include.has('teams')) {
      // Many members are in the same teams.
      const others = teams.filter(({ id }) => !included.has(id));
      for (const team of others) included.set(team.id, formatTeam(team, entry.organization, entry.may));
    }
    const { scim_identity: id, scim_status: status } = row;
    if (id !== null && include.has('scim-identity'))
      included.set(id, { id, type: 'scim-identities', attributes: { status } });
    if (entry !== undefined && include.has('organization')) {
      const plan = findPlan(store, row.organization);
      included.set(entry.organization.id, formatOrganization(entry.organization, plan, entry.may, call));
    }
    return formatMembership(row, teams);
  });
  return { data, included: [...included.values()] };
}

/** Reads each organization once, with what the caller may do and see in it. */
function createEntry(call: Call) {
  const read = (seq: number) => {
    const organization = assertFound(getOrganization(call, seq));
    return { organization, may: findMay(call, seq), secret: listSecretTeams(call, seq) };
  };
  const entered = new Map<number, ReturnType<typeof read>>();
  return (seq: number) => {
    const found = entered.get(seq) ?? read(seq);
    entered.set(seq, found);
    return found;
  };
}

function readInvitation(call: Call, organization: OrganizationRow): { email: string; teams: TeamRow[] } {
  const { values, data, note, check } = readForm(call, 'organization-memberships', { email: text('Email') });
  const flaw = values.email === undefined ? undefined : findEmailFlaw(call, values.email, organization);
  if (flaw !== undefined) note('attributes/email', flaw);
  const teams = readTeams(call, data, note, organization);
  return { ...check(), teams };
}

/** No commas: they separate addresses in a filter. */
const EMAIL = /^[^\s@,;<>]+@[^\s@,;<>.]+(\.[^\s@,;<>.]+)*$/;

function findEmailFlaw({ store }: Call, email: string, { seq }: OrganizationRow): string | undefined {
  if (email.length > 254 || !EMAIL.test(email)) return 'Email is not an email address';
  const where = 'memberships.organization = ? AND users.email_folded = ?';
  const membership = findMembership(store, where, seq, fold(email));
  const state = membership?.status === 'invited' ? 'has been invited to' : 'belongs to a member of';
  return membership && `Email ${state} the organization already`;
}

type Note = (member: string, detail: string) => void;

function readTeams({ store, rules }: Call, data: Members, note: Note, { seq }: OrganizationRow): TeamRow[] {
  const identifiers = asMembers(asMembers(data['relationships'])['teams'])['data'] ?? [];
  if (!Array.isArray(identifiers) || identifiers.length === 0) {
    const isRight = rules.invitesWithoutTeams && Array.isArray(identifiers);
    if (!isRight) note('relationships/teams', 'Teams must name at least one team');
    return [];
  }
  const noteAt = (index: number, member: string, detail: string): void =>
    note(`relationships/teams/data/${index}/${member}`, detail);
  const wanted = new Map<string, number>();
  for (const [index, identifier] of identifiers.entries()) {
    const { id, type } = asMembers(identifier) as { id?: unknown; type?: unknown };
    if (type !== 'teams') noteAt(index, 'type', 'Type must be teams');
    if (typeof id !== 'string' || id === '') noteAt(index, 'id', 'Id must be the id of a team');
    else if (!wanted.has(id)) wanted.set(id, index);
  }
  const rows = selectTeams(store, ['organization = ?', seq], isOneOf('id', [...wanted.keys()])).list();
  for (const [id, index] of wanted) {
    const row = rows.find((team) => team.id === id);
    if (row === undefined) noteAt(index, 'id', 'Team not found in the organization');
    if (row?.scim_group_name) noteAt(index, 'id', 'Team is managed by SCIM, which alone adds members to it');
  }
  return rows;
}
