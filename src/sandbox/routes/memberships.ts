import * as access from '../access.ts';
import { readForm, text } from '../bodies.ts';
import type { Answer, Call, Route } from '../call.ts';
import { asMembers, NO_CONTENT, readChoice, readQuery, readQueryList } from '../call.ts';
import { formatMembership, formatOrganization, formatTeam, formatUser, type Resource } from '../documents.ts';
import { createProblem } from '../errors.ts';
import { recordEvent, recordTeamEvents } from '../events.ts';
import { answerAll, answerList, answerOne, type Resources } from '../pages.ts';
import * as people from '../people.ts';
import { OWNERS_TEAM } from '../permissions.ts';
import { type MembershipRow, type OrganizationRow, STATUSES, type TeamRow } from '../rows.ts';
import { contains, fold, isOneOf, NO_ROWS } from '../store.ts';

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
  const user = people.findUser(store, email) ?? people.insertUser(store, { id: ids.id('user'), email, username: null });
  const invitation = { id: ids.id('ou'), organization: seq, user, status: 'invited', created_at: now } as const;
  const teamSeqs = teams.map((team) => team.seq);
  people.insertMembership(store, invitation, teamSeqs);
  const row = access.assertFound(people.findMembership(store, 'memberships.id = ?', invitation.id));
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
  const rows = people.joinMemberships(
    call.store,
    seqs,
    search === undefined && emails === undefined ? known : undefined,
  );
  const meta = { 'status-counts': { total, active, invited } };
  return answerList(call, rows, (some) => formatMemberships(call, some), meta);
}

/** All at once unless the request asks for a page; none for a token that belongs to no person. */
function listOwn(call: Call): Answer {
  const { user } = call.caller;
  const rows = user === null ? NO_ROWS : people.selectMemberships(call.store, ['memberships.user = ?', user.seq]);
  return answerAll(call, rows, (some) => formatMemberships(call, some));
}

function findOne(call: Call, operation: 'memberships.read' | 'memberships.manage') {
  const row = access.assertFound(people.findMembership(call.store, 'memberships.id = ?', call.param('id')));
  return { row, organization: access.findOrganization(call, operation, row.organization) };
}

function show(call: Call): Answer {
  return answerOne(call, formatMemberships(call, [findOne(call, 'memberships.read').row]));
}

function remove(call: Call): Answer {
  const { row, organization } = findOne(call, 'memberships.manage');
  const teams = people.listTeamsOf(call.store, [row])(row);
  if (call.caller.user?.seq === row.user && teams.some(({ name }) => name === OWNERS_TEAM)) {
    throw createProblem(403, 'You cannot remove yourself from an organization you own');
  }
  if (row.scim_identity !== null) throw createProblem(403, `${row.id} is managed by SCIM`);
  call.store.remove('memberships', row.seq);
  recordTeamEvents(call, organization, { action: 'remove_member', teams, user: row.user_id });
  recordEvent(call, organization, { type: 'organization_user', action: 'destroy', id: row.id });
  return NO_CONTENT;
}

export function formatMemberships(call: Call, rows: readonly MembershipRow[]): Resources {
  const { include, store, rules } = call;
  const teamsOf = people.listTeamsOf(store, rows);
  const included = new Map<string, Resource>();
  const seqs = rules.hidesSecretTeams || include.size > 0 ? new Set(rows.map(({ organization }) => organization)) : [];
  const entries = new Map([...seqs].map((seq) => [seq, enter(call, seq)]));
  const data = rows.map((row) => {
    const entry = entries.get(row.organization);
    const teams = teamsOf(row).filter((team) => access.isVisible(entry?.secret, team));
    if (include.has('user')) included.set(row.user_id, formatUser(row));
    if (entry && include.has('teams')) {
      const others = teams.filter(({ id }) => !included.has(id));
      for (const team of others) included.set(team.id, formatTeam(team, entry.organization, entry.may));
    }
    const { scim_identity: id, scim_status: status } = row;
    const identity = id === null ? undefined : { id, type: 'scim-identities', attributes: { status } };
    if (identity && include.has('scim-identity')) included.set(identity.id, identity);
    if (entry && include.has('organization')) {
      const plan = access.findPlan(store, row.organization);
      included.set(entry.organization.id, formatOrganization(entry.organization, plan, entry.may, call));
    }
    return formatMembership(row, teams);
  });
  return { data, included: [...included.values()] };
}

function enter(call: Call, seq: number) {
  const organization = access.assertFound(access.getOrganization(call, seq));
  return { organization, may: access.findMay(call, seq), secret: access.listSecretTeams(call, seq) };
}

function readInvitation(call: Call, organization: OrganizationRow): { email: string; teams: TeamRow[] } {
  const { values, data, note, check } = readForm(call, 'organization-memberships', { email: text('Email') });
  const flaw = values.email === undefined ? undefined : findEmailFlaw(call, values.email, organization);
  if (flaw !== undefined) note('attributes/email', flaw);
  const identifiers = asMembers(asMembers(data['relationships'])['teams'])['data'] ?? [];
  const isList = Array.isArray(identifiers) && (identifiers.length > 0 || call.rules.invitesWithoutTeams);
  if (!isList) note('relationships/teams', 'Teams must name at least one team');
  const teams = readTeams(call, isList ? identifiers : [], note, organization);
  return { ...check(), teams };
}

/** No commas: they separate addresses in a filter. */
const EMAIL = /^[^\s@,;<>]+@[^\s@,;<>.]+(\.[^\s@,;<>.]+)*$/;

function findEmailFlaw({ store }: Call, email: string, { seq }: OrganizationRow): string | undefined {
  if (email.length > 254 || !EMAIL.test(email)) return 'Email is not an email address';
  const where = 'memberships.organization = ? AND users.email_folded = ?';
  const membership = people.findMembership(store, where, seq, fold(email));
  const state = membership?.status === 'invited' ? 'has been invited to' : 'belongs to a member of';
  return membership && `Email ${state} the organization already`;
}

type Note = (member: string, detail: string) => void;

function readTeams({ store }: Call, identifiers: readonly unknown[], note: Note, { seq }: OrganizationRow): TeamRow[] {
  const wanted = new Map<string, string>();
  for (const [index, identifier] of identifiers.entries()) {
    const path = `relationships/teams/data/${index}`;
    const { id, type } = asMembers(identifier) as { id?: unknown; type?: unknown };
    if (type !== 'teams') note(`${path}/type`, 'Type must be teams');
    if (typeof id !== 'string' || id === '') note(`${path}/id`, 'Id must be the id of a team');
    else if (!wanted.has(id)) wanted.set(id, `${path}/id`);
  }
  const rows = people.selectTeams(store, ['organization = ?', seq], isOneOf('id', [...wanted.keys()])).list();
  for (const [id, path] of wanted) {
    const row = rows.find((team) => team.id === id);
    if (row === undefined) note(path, 'Team not found in the organization');
    if (row?.scim_group_name) note(path, 'Team is managed by SCIM, which alone adds members to it');
  }
  return rows;
}
