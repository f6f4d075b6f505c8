import * as v from 'valibot';
import * as access from '../access.ts';
import { parseAttributes } from '../bodies.ts';
import { type Context, type Handle, NO_CONTENT, parseDate, type Reply, type Route, readQuery } from '../context.ts';
import { createHttpError, HttpError } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { replyList, replyOne } from '../pages.ts';
import { OWNERS_TEAM } from '../permissions.ts';
import { formatColumns, formatToOne, type ResourceObject } from '../resources.ts';
import { type OrganizationRow, readAttributes, type TokenRow } from '../rows.ts';
import { type Condition, contains } from '../store.ts';
import { findTokenRow, insertToken, type TokenSlot } from '../tokens.ts';
import { findMaxTtl, type TokenType } from './token-policies.ts';

const OF_ORGANIZATION = '/organizations/:organization_name/authentication-token';
const OF_TEAM = '/teams/:id/authentication-token';
const OF_TEAMS = '/organizations/:organization_name/team-tokens';
const BY_ID = '/authentication-tokens/:id';

/** Each slot has one token, and a team can have more, with descriptions. The document has only the audit trail's token. */
export const TOKENS: Route[] = [
  { method: 'POST', path: OF_ORGANIZATION, handle: withSlot(findOrganizationSlot, generate), documented: true },
  { method: 'DELETE', path: OF_ORGANIZATION, handle: withSlot(findOrganizationSlot, remove), documented: true },
  { method: 'GET', path: OF_ORGANIZATION, handle: withSlot(findOrganizationSlot, show), writes: true },
  { method: 'POST', path: OF_TEAM, handle: withSlot(findTeamSlot, generate) },
  { method: 'DELETE', path: OF_TEAM, handle: withSlot(findTeamSlot, remove) },
  { method: 'GET', path: OF_TEAM, handle: withSlot(findTeamSlot, show), writes: true },
  { method: 'POST', path: `${OF_TEAM}s`, handle: withSlot(findTeamSlot, add) },
  { method: 'DELETE', path: BY_ID, handle: withSlot(findTeamSlot, remove) },
  { method: 'GET', path: BY_ID, handle: withSlot(findTeamSlot, show), writes: true },
  { method: 'GET', path: OF_TEAMS, handle: access.withOrganization('team-tokens.manage', listTeamTokens) },
];

type Slot = TokenSlot & { owner: OrganizationRow; type: TokenType; teamId: string | null; token?: TokenRow };

function withSlot(find: (ctx: Context) => Slot, handle: (ctx: Context, slot: Slot) => Reply): Handle {
  return (ctx) => handle(ctx, find(ctx));
}

function findOrganizationSlot(ctx: Context): Slot {
  const { rules, store } = ctx;
  const parameter = rules.hasAuditTokens ? readQuery(ctx, 'token') : undefined;
  const isAudit = parameter === 'audit-trails';
  const owner = access.authorizeOrganization(ctx, isAudit ? 'audit-token.manage' : 'organization-token.manage');
  if (!isAudit && (parameter !== undefined || rules.documentOnly)) throw createHttpError(404);
  const slot: TokenSlot = { kind: isAudit ? 'audit-token' : 'org-token', organization: owner.seq, team: null };
  const type = isAudit ? 'audit_trails' : 'organization';
  return { ...slot, owner, type, teamId: null, token: findTokenRow(store, slot) };
}

const TEAM_TOKENS = 'tokens JOIN teams ON teams.seq = tokens.team';

type TeamTokenRow = TokenRow & { team_id: string };

function findTeamSlot(ctx: Context): Slot {
  const { store } = ctx;
  const sql = `SELECT tokens.*, teams.id AS team_id FROM ${TEAM_TOKENS} WHERE tokens.id = ?`;
  const byId = store.first<TeamTokenRow>(sql, ctx.param('id'));
  const team = access.findVisibleTeam(ctx, byId?.team_id ?? ctx.param('id'));
  const isOwners = team.name === OWNERS_TEAM;
  const isManagedByMembers = team.allow_member_token_management === 1 && access.isCallerInTeam(ctx, team);
  const permission = isManagedByMembers ? 'teams.read' : 'team-tokens.manage';
  const owner = access.authorizeOrganization(ctx, isOwners ? 'owners-token.manage' : permission, team.organization);
  const slot: TokenSlot = { kind: isOwners ? 'owners-team' : 'team-token', organization: owner.seq, team: team.seq };
  return { ...slot, owner, type: 'team', teamId: team.id, token: byId ?? findTokenRow(store, slot) };
}

function generate(ctx: Context, slot: Slot): Reply {
  const { rules, store } = ctx;
  const isInPlan = readAttributes(access.findPlan(store, slot.owner.seq))['audit-logging'] === true;
  if (slot.kind === 'audit-token' && rules.appliesPlans && !isInPlan) throw createHttpError(404);
  const type = rules.isReal ? undefined : 'authentication-token';
  const { 'expired-at': expiredAt } = parseAttributes(ctx, type, { 'expired-at': createExpirySchema(ctx, slot) });
  if (slot.token !== undefined) store.run('DELETE FROM tokens WHERE id = ?', slot.token.id);
  return create(ctx, slot, expiredAt, null);
}

function add(ctx: Context, slot: Slot): Reply {
  const { store, rules } = ctx;
  const type = rules.isReal ? undefined : 'authentication-tokens';
  const { description, 'expired-at': expiredAt } = parseAttributes(ctx, type, {
    description: v.optional(v.string("Description can't be blank"), null as never),
    'expired-at': createExpirySchema(ctx, slot),
  });
  const where = 'tokens WHERE organization IS ? AND team IS ? AND description = ?';
  if (store.count(where, slot.organization, slot.team, description) > 0) {
    // The title is plural only for this error (facts).
    const detail = 'Validation failed: Description has already been taken';
    throw new HttpError(422, { status: '422', title: 'invalid attributes', detail });
  }
  return create(ctx, slot, expiredAt, description);
}

function create(ctx: Context, slot: Slot, expiredAt: number | null, description: string | null): Reply {
  const { store, ids, now } = ctx;
  const { kind, organization, team, owner, teamId } = slot;
  const { id: creator_id, type: creator_type } = access.findActor(ctx, owner);
  const secret = ids.secret();
  const row = { id: ids.id('at'), kind, organization, team, description, created_at: now, expired_at: expiredAt };
  const token = insertToken(store, secret, { ...row, creator_type, creator_id });
  recordEvent(ctx, owner, { type: 'authentication_token', action: 'create', id: token.id });
  return replyOne(ctx, { data: [formatToken(token, secret, teamId)] }, 201);
}

function show(ctx: Context, { token: found, owner, teamId }: Slot): Reply {
  const token = access.assertFound(found);
  recordEvent(ctx, owner, { type: 'authentication_token', action: 'show', id: token.id });
  return replyOne(ctx, { data: [formatToken(token, null, teamId)] });
}

function remove(ctx: Context, { token, owner }: Slot): Reply {
  const { id } = access.assertFound(token);
  ctx.store.run('DELETE FROM tokens WHERE id = ?', id);
  recordEvent(ctx, owner, { type: 'authentication_token', action: 'destroy', id });
  return NO_CONTENT;
}

function listTeamTokens(ctx: Context, { seq }: OrganizationRow): Reply {
  const direction = readQuery(ctx, 'sort') === '-expired-at' ? 'DESC' : 'ASC';
  const conditions: (Condition | false)[] = [
    ['tokens.organization = ?', seq],
    !access.findPermissions(ctx, seq).has('owners-token.manage') && ["tokens.kind <> 'owners-team'"],
    contains(readQuery(ctx, 'q'), 'teams.name_folded'),
    access.isVisibleTo(ctx, seq),
  ];
  const order = `tokens.expired_at IS NULL ${direction}, tokens.expired_at ${direction}, tokens.rowid`;
  const rows = ctx.store.select<TeamTokenRow>('tokens.*, teams.id AS team_id', TEAM_TOKENS, conditions, order);
  return replyList(ctx, rows, (page) => ({ data: page.map((row) => formatToken(row, null, row.team_id)) }));
}

function formatToken(row: TokenRow, secret: string | null, team: string | null): ResourceObject {
  const columns = formatColumns(row, 'created_at', 'last_used_at', 'description');
  const attributes = { ...columns, token: secret, ...formatColumns(row, 'expired_at') };
  const relationships = {
    'created-by': formatToOne(row.creator_type, row.creator_id),
    team: formatToOne('teams', team),
  };
  return { id: row.id, type: 'authentication-tokens', attributes, relationships };
}

/** Milliseconds; null for never. The default is the latest time that the policy allows. */
function createExpirySchema(ctx: Context, { owner, type }: Slot) {
  const { now, rules } = ctx;
  const maxTtl = findMaxTtl(ctx, owner, type);
  const years = rules.isReal ? new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + 2) : null;
  const time = v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === 'string' ? parseDate(value) : undefined)),
    v.number('Expired at must be an ISO 8601 date and time'),
    v.gtValue(now, 'Expired at must be in the future'),
    v.maxValue(now + (maxTtl ?? Number.POSITIVE_INFINITY), `Expired at must be at most ${maxTtl} ms from now`),
  );
  const latest = maxTtl === undefined ? years : now + maxTtl;
  return v.pipe(
    v.nullish(time, null),
    v.transform((expiry) => expiry ?? latest),
  );
}
