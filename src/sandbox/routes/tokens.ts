import * as v from 'valibot';
import * as access from '../access.ts';
import { readForm } from '../bodies.ts';
import { type Answer, type Call, NO_CONTENT, type Route, readChoice, readQuery } from '../call.ts';
import { addYears, parseDate } from '../dates.ts';
import { formatColumns, type Resource, refer } from '../documents.ts';
import { createProblem, Problem } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { answerList } from '../pages.ts';
import { OWNERS_TEAM } from '../permissions.ts';
import { type OrganizationRow, readAttributes, type TokenRow } from '../rows.ts';
import { type Condition, contains } from '../store.ts';
import { findToken, insertToken, type TokenPlace } from '../tokens.ts';
import { findMaxTtl, type TokenType } from './token-policies.ts';

const OF_ORGANIZATION = '/organizations/:organization_name/authentication-token';
const OF_TEAM = '/teams/:id/authentication-token';
const BY_ID = '/authentication-tokens/:id';

/** Each place has one token, and a team has others beside it, with descriptions. The document has the audit trail's alone. */
export const TOKENS: readonly Route[] = [
  ['POST', OF_ORGANIZATION, undefined, (call) => generate(call, findOrganizationPlace(call)), { documented: true }],
  ['DELETE', OF_ORGANIZATION, undefined, (call) => remove(call, findOrganizationPlace(call)), { documented: true }],
  ['GET', OF_ORGANIZATION, undefined, (call) => show(call, findOrganizationPlace(call)), { writes: true }],
  ['POST', OF_TEAM, undefined, (call) => generate(call, findTeamPlace(call))],
  ['DELETE', OF_TEAM, undefined, (call) => remove(call, findTeamPlace(call))],
  ['GET', OF_TEAM, undefined, (call) => show(call, findTeamPlace(call)), { writes: true }],
  ['POST', `${OF_TEAM}s`, undefined, add],
  ['DELETE', BY_ID, undefined, (call) => remove(call, findTeamPlace(call))],
  ['GET', BY_ID, undefined, (call) => show(call, findTeamPlace(call)), { writes: true }],
  ['GET', '/organizations/:organization_name/team-tokens', 'team-tokens.manage', listTeamTokens],
];

type Holding = { owner: OrganizationRow; type: TokenType; teamId: string | null; token?: TokenRow | undefined };
type Place = TokenPlace & Holding;

function findOrganizationPlace(call: Call): Place {
  const { rules, store } = call;
  const parameter = rules.hasAuditTokens ? readQuery(call, 'token') : undefined;
  const isAudit = parameter === 'audit-trails';
  const owner = access.findOrganization(call, isAudit ? 'audit-token.manage' : 'organization-token.manage');
  if (!isAudit && (parameter !== undefined || !rules.hasGeneralToken)) throw createProblem(404);
  const place: TokenPlace = { kind: isAudit ? 'audit-token' : 'org-token', organization: owner.seq, team: null };
  const type = isAudit ? 'audit_trails' : 'organization';
  return { ...place, owner, type, teamId: null, token: findToken(store, place) };
}

const TEAM_TOKENS = `tokens JOIN teams ON teams.organization = tokens.organization
  AND (teams.seq = tokens.team OR (tokens.kind = 'owners-team' AND teams.name = '${OWNERS_TEAM}'))`;

type TeamTokenRow = TokenRow & { team_id: string };

function findTeamPlace(call: Call): Place {
  const { store } = call;
  const sql = `SELECT tokens.*, teams.id AS team_id FROM ${TEAM_TOKENS} WHERE tokens.id = ?`;
  const named = store.first<TeamTokenRow>(sql, call.param('id'));
  const team = access.findVisibleTeam(call, named?.team_id ?? call.param('id'));
  const isOwners = team.name === OWNERS_TEAM;
  // Members manage the tokens of their own team if it lets them.
  const letsMembers = team.allow_member_token_management === 1 && access.isInTeam(call, team);
  const operation = letsMembers ? 'teams.read' : 'team-tokens.manage';
  const owner = access.findOrganization(call, isOwners ? 'owners-token.manage' : operation, team.organization);
  const kind = isOwners ? 'owners-team' : 'team-token';
  const place: TokenPlace = { kind, organization: owner.seq, team: isOwners ? null : team.seq };
  return { ...place, owner, type: 'team', teamId: team.id, token: named ?? findToken(store, place) };
}

function generate(call: Call, place: Place): Answer {
  const { rules, store } = call;
  const isInPlan = readAttributes(access.findPlan(store, place.owner.seq))['audit-logging'] === true;
  if (place.kind === 'audit-token' && rules.appliesPlans && !isInPlan) throw createProblem(404);
  const expiry = createExpirySchema(call, place);
  const form = readForm(call, rules.takesAnyTokenType ? undefined : 'authentication-token', { 'expired-at': expiry });
  const expiredAt = form.check()['expired-at'];
  if (place.token !== undefined) store.run('DELETE FROM tokens WHERE id = ?', place.token.id);
  return create(call, place, expiredAt, null);
}

/** A token beside the one of the team. An empty text is a description, too. */
function add(call: Call): Answer {
  const place = findTeamPlace(call);
  const { store, rules } = call;
  const text = v.optional(v.string("Description can't be blank"), null as never);
  const schema = { description: text, 'expired-at': createExpirySchema(call, place) };
  const form = readForm(call, rules.takesAnyTokenType ? undefined : 'authentication-tokens', schema);
  const { description, 'expired-at': expiredAt } = form.check();
  const where = 'tokens WHERE organization IS ? AND team IS ? AND description = ?';
  if (store.count(where, place.organization, place.team, description) > 0) {
    // The service has these words, and this title alone in the plural (facts).
    const detail = 'Validation failed: Description has already been taken';
    throw new Problem(422, { status: '422', title: 'invalid attributes', detail });
  }
  return create(call, place, expiredAt, description);
}

function create(call: Call, place: Place, expiredAt: number | null, description: string | null): Answer {
  const { store, ids, now } = call;
  const { kind, organization, team, owner, teamId } = place;
  const { id: creator_id, type: creator_type } = access.findOwner(call, owner);
  const text = ids.secret();
  const row = { id: ids.id('at'), kind, organization, team, description, created_at: now, expired_at: expiredAt };
  const token = insertToken(store, text, { ...row, creator_type, creator_id });
  recordEvent(call, owner, { type: 'authentication_token', action: 'create', id: token.id });
  return { status: 201, body: { data: formatToken(token, text, teamId) } };
}

function show(call: Call, { token: found, owner, teamId }: Place): Answer {
  const token = access.assertFound(found);
  recordEvent(call, owner, { type: 'authentication_token', action: 'show', id: token.id });
  return { status: 200, body: { data: formatToken(token, null, teamId) } };
}

function remove(call: Call, { token, owner }: Place): Answer {
  const { id } = access.assertFound(token);
  call.store.run('DELETE FROM tokens WHERE id = ?', id);
  recordEvent(call, owner, { type: 'authentication_token', action: 'destroy', id });
  return NO_CONTENT;
}

/** Tokens without such a time come last. */
const ORDERS: Record<string, string[]> = {
  'expired-at': ['tokens.expired_at IS NULL', 'tokens.expired_at'],
  'last-used-at': ['tokens.last_used_at IS NULL', 'tokens.last_used_at'],
  ...{ 'created-by': ['tokens.creator_id'], 'team-name': ['teams.name_folded'] },
};
const SORTS = Object.keys(ORDERS).flatMap((name) => [name, `-${name}`]);

function listTeamTokens(call: Call, { seq }: OrganizationRow): Answer {
  const sort = readChoice(call, 'sort', SORTS) ?? 'expired-at';
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const ranks = (ORDERS[sort.replace(/^-/, '')] ?? []).map((rank) => `${rank} ${direction}`);
  const conditions: (Condition | false)[] = [
    ['tokens.organization = ?', seq],
    ["tokens.kind IN ('team-token', 'owners-team')"],
    !access.findMay(call, seq)('owners-token.manage') && ["tokens.kind <> 'owners-team'"],
    contains(readQuery(call, 'q'), 'teams.name_folded'),
    access.isShownTo(call, seq),
  ];
  const order = `${ranks.join(', ')}, tokens.rowid`;
  const rows = call.store.select<TeamTokenRow>('tokens.*, teams.id AS team_id', TEAM_TOKENS, conditions, order);
  return answerList(call, rows, (some) => ({ data: some.map((row) => formatToken(row, null, row.team_id)) }));
}

function formatToken(row: TokenRow, secret: string | null, team: string | null): Resource {
  const columns = formatColumns(row, 'created_at', 'last_used_at', 'description');
  const attributes = { ...columns, token: secret, ...formatColumns(row, 'expired_at') };
  const relationships = { 'created-by': refer(row.creator_type, row.creator_id), team: refer('teams', team) };
  return { id: row.id, type: 'authentication-tokens', attributes, relationships };
}

/** When the token expires, in milliseconds; null for never. Without one it gets the latest that the policy allows. */
function createExpirySchema(call: Call, { owner, type }: Place) {
  const { now, rules } = call;
  const maxTtl = findMaxTtl(call, owner, type);
  const years = rules.tokenYears === undefined ? null : addYears(now, rules.tokenYears);
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
