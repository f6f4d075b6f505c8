import * as access from '../access.ts';
import { withOrganization, withPermission } from '../access.ts';
import { createFieldError, parseAttributes, text } from '../bodies.ts';
import type { Context, Reply, Route } from '../context.ts';
import { asObject, NO_CONTENT, readChoice, readQuery, readQueryList } from '../context.ts';
import { createHttpError } from '../errors.ts';
import { recordEvent, recordTeamEvents } from '../events.ts';
import { type CompoundDocument, replyAll, replyList, replyOne } from '../pages.ts';
import * as people from '../people.ts';
import { OWNERS_TEAM } from '../permissions.ts';
import { formatMembership, formatOrganization, formatTeam, formatUser, type ResourceObject } from '../resources.ts';
import { type MembershipRow, type OrganizationRow, STATUSES, type TeamRow } from '../rows.ts';
import { contains, fold, isOneOf, NO_ROWS } from '../store.ts';

const ALL = '/organizations/:organization_name/organization-memberships';
const OWN = '/organization-memberships';
const ITEM = `${OWN}/:id`;

/** The document does not list the values of `include` (facts). */
export const INCLUDES = ['user', 'teams'];

const LIST_INCLUDES = [...INCLUDES, 'scim-identity'];
const OWN_INCLUDES = [...INCLUDES, 'organization'];
const documented = true;

export const MEMBERSHIPS: Route[] = [
  { method: 'POST', path: ALL, handle: withOrganization('memberships.manage', invite), documented },
  { method: 'GET', path: ALL, handle: withOrganization('memberships.read', list), documented, includes: LIST_INCLUDES },
  { method: 'GET', path: OWN, handle: withPermission('service.read', own), documented, includes: OWN_INCLUDES },
  { method: 'GET', path: ITEM, handle: show, documented, includes: INCLUDES },
  { method: 'DELETE', path: ITEM, handle: remove, documented },
];

function invite(ctx: Context, organization: OrganizationRow): Reply {
  const { store, ids, now } = ctx;
  const email = readEmail(ctx, organization);
  const teams = readTeams(ctx, organization);
  const { seq, name, active, invited, user_limit: limit } = organization;
  if (limit !== null && active + invited >= limit) {
    throw createHttpError(400, `The organization ${name} has reached its limit of ${limit} users`);
  }
  const user = people.findUser(store, email) ?? people.insertUser(store, { id: ids.id('user'), email, username: null });
  const invitation = { id: ids.id('ou'), organization: seq, user, status: 'invited', created_at: now } as const;
  const teamSeqs = teams.map((team) => team.seq);
  people.insertMembership(store, invitation, teamSeqs);
  const row = access.assertFound(people.findMembership(store, 'memberships.id = ?', invitation.id));
  recordEvent(ctx, organization, { type: 'organization_user', action: 'create', id: row.id });
  recordTeamEvents(ctx, organization, { action: 'add_member', teams, user: row.user_id });
  const data = formatMembership(row, people.listTeams(store, row));
  return { status: 201, body: { data, included: [formatUser(row)] } };
}

function list(ctx: Context, { seq, active, invited, inactive }: OrganizationRow): Reply {
  const search = readQuery(ctx, 'q');
  const status = readChoice(ctx, 'filter[status]', STATUSES);
  const emails = readQueryList(ctx, 'filter[email]')?.map(fold);
  // The plus keeps SQLite from scanning the organization if a few addresses lead straight to their users.
  const plus = emails === undefined ? '' : '+';
  const [isOneOfEmails, ...values] = isOneOf('email_folded', emails ?? []);
  const seqs = ctx.store.select<{ seq: number }>(
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
  const total = active + invited + inactive;
  const rows = people.joinMemberships(ctx.store, seqs);
  const meta = { 'status-counts': { total, active, invited } };
  return replyList(ctx, rows, (page) => formatMemberships(ctx, page), meta);
}

function own(ctx: Context): Reply {
  const { user } = ctx.caller;
  const rows = user === null ? NO_ROWS : people.selectMemberships(ctx.store, ['memberships.user = ?', user.seq]);
  return replyAll(ctx, rows, (page) => formatMemberships(ctx, page));
}

function findOne(ctx: Context, permission: 'memberships.read' | 'memberships.manage') {
  const row = access.assertFound(people.findMembership(ctx.store, 'memberships.id = ?', ctx.param('id')));
  return { row, organization: access.authorizeOrganization(ctx, permission, row.organization) };
}

function show(ctx: Context): Reply {
  return replyOne(ctx, formatMemberships(ctx, [findOne(ctx, 'memberships.read').row]));
}

function remove(ctx: Context): Reply {
  const { row, organization } = findOne(ctx, 'memberships.manage');
  const teams = people.listTeams(ctx.store, row);
  if (ctx.caller.user?.seq === row.user && teams.some(({ name }) => name === OWNERS_TEAM)) {
    throw createHttpError(403, 'You cannot remove yourself from an organization you own');
  }
  if (row.scim_identity !== null) throw createHttpError(403, `${row.id} is managed by SCIM`);
  ctx.store.remove('memberships', row.seq);
  recordTeamEvents(ctx, organization, { action: 'remove_member', teams, user: row.user_id });
  recordEvent(ctx, organization, { type: 'organization_user', action: 'destroy', id: row.id });
  return NO_CONTENT;
}

export function formatMemberships(ctx: Context, rows: MembershipRow[]): CompoundDocument {
  const { include, store, rules } = ctx;
  const teamsOf = people.indexTeams(store, rows);
  const included: ResourceObject[] = [];
  const seqs = rules.isReal || include.size > 0 ? new Set(rows.map(({ organization }) => organization)) : [];
  const scopes = new Map([...seqs].map((seq) => [seq, readScope(ctx, seq)]));
  const data = rows.map((row) => {
    const scope = scopes.get(row.organization);
    const teams = (teamsOf.get(row.seq) ?? []).filter((team) => access.isVisible(scope?.secretTeams, team));
    if (include.has('user')) included.push(formatUser(row));
    if (scope && include.has('teams')) {
      included.push(...teams.map((team) => formatTeam(team, scope.organization, scope.permissions)));
    }
    if (scope && include.has('organization')) included.push(formatOrganization(ctx, scope.organization));
    const { scim_identity: id, scim_status: status } = row;
    if (id !== null && include.has('scim-identity')) {
      included.push({ id, type: 'scim-identities', attributes: { status } });
    }
    return formatMembership(row, teams);
  });
  return { data, included };
}

function readScope(ctx: Context, seq: number) {
  const organization = access.assertFound(access.findOrganizationRow(ctx, seq));
  return { organization, permissions: access.findPermissions(ctx, seq), secretTeams: access.listSecretTeams(ctx, seq) };
}

/** Without commas, which separate addresses in a filter. */
const EMAIL = /^[^\s@,;<>]+@[^\s@,;<>.]+(\.[^\s@,;<>.]+)*$/;

function readEmail(ctx: Context, { seq }: OrganizationRow): string {
  const { email } = parseAttributes(ctx, 'organization-memberships', { email: text('Email') });
  if (email.length > 254 || !EMAIL.test(email))
    throw createFieldError('attributes/email', 'Email is not an email address');
  const where = 'memberships.organization = ? AND users.email_folded = ?';
  const membership = people.findMembership(ctx.store, where, seq, fold(email));
  if (membership === undefined) return email;
  const state = membership.status === 'invited' ? 'has been invited to' : 'belongs to a member of';
  throw createFieldError('attributes/email', `Email ${state} the organization already`);
}

function readTeams({ store, rules, body }: Context, { seq }: OrganizationRow): TeamRow[] {
  const { teams } = asObject(asObject(body()['data'])['relationships']);
  const identifiers = asObject(teams)['data'] ?? [];
  if (!Array.isArray(identifiers) || (identifiers.length === 0 && !rules.isReal)) {
    throw createFieldError('relationships/teams', 'Teams must name at least one team');
  }
  const rows = identifiers.map((identifier, index) => {
    const path = `relationships/teams/data/${index}`;
    const { id, type } = asObject(identifier);
    if (type !== 'teams') throw createFieldError(`${path}/type`, 'Type must be teams');
    const row = people.findTeamRow(store, 'organization = ? AND id = ?', seq, String(id));
    if (row === undefined) throw createFieldError(`${path}/id`, 'Team not found in the organization');
    if (row.scim_group_name === null) return row;
    throw createFieldError(`${path}/id`, 'Team is managed by SCIM, and only SCIM adds members to it');
  });
  return [...new Map(rows.map((row) => [row.seq, row])).values()];
}
