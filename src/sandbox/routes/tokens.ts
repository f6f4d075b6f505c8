import * as v from 'valibot';
import {
  assertFound,
  findOrganization,
  findOwner,
  findVisibleTeam,
  isAllowed,
  isInTeam,
  listSecretTeams,
} from '../access.ts';
import { readForm } from '../bodies.ts';
import { type Answer, type Call, NO_CONTENT, type Route, readChoice, readQuery } from '../call.ts';
import { addYears, parseDate } from '../dates.ts';
import { formatColumns, type Resource, refer } from '../documents.ts';
import { createProblem, Problem } from '../errors.ts';
import { recordEvent } from '../events.ts';
import { findPlan, readAttributes } from '../organizations.ts';
import { answerList, readPage } from '../pages.ts';
import { OWNERS_TEAM } from '../permissions.ts';
import type { OrganizationRow, TeamRow, TokenRow } from '../rows.ts';
import { type Condition, contains } from '../store.ts';
import { isShownTeam } from '../teams.ts';
import { findToken, insertToken, type TokenPlace } from '../tokens.ts';
import { findMaxTtl, type TokenType } from './token-policies.ts';

const OF_ORGANIZATION = '/organizations/:organization_name/authentication-token';
const OF_TEAM = '/teams/:team_id/authentication-token';
const BY_ID = '/authentication-tokens/:id';

/** Each place has one token, and a team has others beside it, with descriptions. The document has the audit trail's alone. */
export const TOKENS: readonly Route[] = [
  ['POST', OF_ORGANIZATION, (call) => generate(call, findOrganizationPlace(call, 'generate')), { documented: true }],
  ['DELETE', OF_ORGANIZATION, (call) => remove(call, findOrganizationPlace(call, 'delete')), { documented: true }],
  ['GET', OF_ORGANIZATION, (call) => show(call, findOrganizationPlace(call, 'show')), { writes: true }],
  ['POST', OF_TEAM, (call) => generate(call, findTeamPlace(call, 'generate'))],
  ['DELETE', OF_TEAM, (call) => remove(call, findTeamPlace(call, 'delete'))],
  ['GET', OF_TEAM, (call) => show(call, findTeamPlace(call, 'show')), { writes: true }],
  ['POST', `${OF_TEAM}s`, add],
  ['DELETE', BY_ID, (call) => remove(call, findTeamPlace(call, 'delete'))],
  ['GET', BY_ID, (call) => show(call, findTeamPlace(call, 'show')), { writes: true }],
  ['GET', '/organizations/:organization_name/team-tokens', listTeamTokens],
];

type Act = 'generate' | 'show' | 'delete';

/** What a token is for, and the one that is there. */
interface Place extends TokenPlace {
  owner: OrganizationRow;
  type: TokenType;
  teamId?: string;
  token: TokenRow | undefined;
}

/** Throws 404 if the caller may not do this, and if there is no such kind of token. */
function findOrganizationPlace(call: Call, act: Act): Place {
  const { rules, store } = call;
  const parameter = rules.hasAuditTokens ? readQuery(call, 'token') : undefined;
  const isAudit = parameter === 'audit-trails';
  const owner = findOrganization(call, isAudit ? `audit-token.${act}` : `organization-token.${act}`);
  if (!isAudit && (parameter !== undefined || !rules.hasGeneralToken)) throw createProblem(404);
  if (isAudit && act === 'generate' && rules.appliesPlans) {
    if (readAttributes(findPlan(store, owner.seq))['audit-logging'] !== true) throw createProblem(404);
  }
  const place: TokenPlace = { kind: isAudit ? 'audit-token' : 'org-token', organization: owner.seq, team: null };
  return { ...place, owner, type: isAudit ? 'audit_trails' : 'organization', token: findToken(store, place) };
}

const TEAM_TOKENS = `tokens JOIN teams ON teams.organization = tokens.organization
  AND (teams.seq = tokens.team OR (tokens.kind = 'owners-team' AND teams.name = '${OWNERS_TEAM}'))`;

type TeamTokenRow = TokenRow & { team_id: string };

/** `:id` is that of a token or of a team. Members manage the tokens of their own team if it lets them. */
function findTeamPlace(call: Call, act: Act): Place {
  const { store } = call;
  const id = call.param('id');
  const sql = `SELECT tokens.*, teams.id AS team_id FROM ${TEAM_TOKENS} WHERE tokens.id = ?`;
  const named = id === '' ? undefined : store.first<TeamTokenRow>(sql, id);
  const team = findVisibleTeam(call, named?.team_id ?? (id || call.param('team_id')));
  const owner = findOrganization(call, findTeamOperation(call, team, act), team.organization);
  const place: TokenPlace =
    team.name === OWNERS_TEAM
      ? { kind: 'owners-team', organization: owner.seq, team: null }
      : { kind: 'team-token', organization: owner.seq, team: team.seq };
  return { ...place, owner, type: 'team', teamId: team.id, token: named ?? findToken(store, place) };
}

function findTeamOperation(call: Call, team: TeamRow, act: Act) {
  if (team.name === OWNERS_TEAM) return `owners-token.${act}` as const;
  const letsMembers = team.allow_member_token_management === 1 && isInTeam(call, team);
  return letsMembers ? 'teams.show' : (`team-token.${act}` as const);
}

function generate(call: Call, place: Place): Answer {
  const type = call.rules.takesAnyTokenType ? undefined : 'authentication-token';
  const maxTtl = findMaxTtl(call, place.owner, place.type);
  const { 'expired-at': expiry } = readForm(call, type, { 'expired-at': createExpirySchema(call, maxTtl) }).check();
  if (place.token !== undefined) deleteToken(call, place.token);
  return create(call, place, expiry ?? findDefaultExpiry(call, maxTtl), null);
}

/** A token beside the one of the team. An empty text is a description, too. */
function add(call: Call): Answer {
  const place = findTeamPlace(call, 'generate');
  const { store, rules } = call;
  const maxTtl = findMaxTtl(call, place.owner, place.type);
  const { description, 'expired-at': expiry } = readForm(
    call,
    rules.takesAnyTokenType ? undefined : 'authentication-tokens',
    {
      description: v.optional(v.string("Description can't be blank"), null as never),
      'expired-at': createExpirySchema(call, maxTtl),
    },
  ).check();
  const where = 'tokens WHERE organization IS ? AND team IS ? AND description = ?';
  if (store.count(where, place.organization, place.team, description) > 0) {
    // The service has these words, and this title alone in the plural (facts).
    const detail = 'Validation failed: Description has already been taken';
    throw new Problem(422, [{ status: '422', title: 'invalid attributes', detail }]);
  }
  return create(call, place, expiry ?? findDefaultExpiry(call, maxTtl), description);
}

function create(call: Call, place: Place, expiredAt: number | null, description: string | null): Answer {
  const { store, ids, now } = call;
  const { kind, organization, team } = place;
  const creator = findOwner(call, place.owner);
  const text = ids.secret();
  const token = insertToken(store, text, {
    id: ids.id('at'),
    ...{ kind, organization, team, description, created_at: now, expired_at: expiredAt },
    creator_type: creator.type,
    creator_id: creator.id,
  });
  recordEvent(call, place.owner, { type: 'authentication_token', action: 'create', id: token.id });
  return { status: 201, body: { data: formatToken(token, text, place.teamId) } };
}

function show(call: Call, place: Place): Answer {
  const token = assertFound(place.token);
  recordEvent(call, place.owner, { type: 'authentication_token', action: 'show', id: token.id });
  return { status: 200, body: { data: formatToken(token, null, place.teamId) } };
}

function remove(call: Call, place: Place): Answer {
  const token = assertFound(place.token);
  deleteToken(call, token);
  recordEvent(call, place.owner, { type: 'authentication_token', action: 'destroy', id: token.id });
  return NO_CONTENT;
}

function deleteToken({ store }: Call, { id }: TokenRow): void {
  store.run('DELETE FROM tokens WHERE id = ?', id);
}

/** Tokens without such a time come last. */
const ORDERS = {
  'expired-at': ['tokens.expired_at IS NULL', 'tokens.expired_at'],
  'last-used-at': ['tokens.last_used_at IS NULL', 'tokens.last_used_at'],
  'created-by': ['tokens.creator_id'],
  'team-name': ['teams.name_folded'],
};
const SORTS = Object.keys(ORDERS).flatMap((name) => [name, `-${name}`]);

/** Of every team, with a description and without. */
function listTeamTokens(call: Call): Answer {
  const { seq } = findOrganization(call, 'team-tokens.list');
  const page = readPage(call);
  const sort = readChoice(call, 'sort', SORTS) ?? 'expired-at';
  const direction = sort.startsWith('-') ? 'DESC' : 'ASC';
  const ranks = ORDERS[sort.replace(/^-/, '') as keyof typeof ORDERS].map((rank) => `${rank} ${direction}`);
  const conditions: (Condition | false)[] = [
    ['tokens.organization = ?', seq],
    ["tokens.kind IN ('team-token', 'owners-team')"],
    !isAllowed(call, seq, 'owners-token.show') && ["tokens.kind <> 'owners-team'"],
    contains(readQuery(call, 'q'), 'teams.name_folded'),
    isShownTeam(listSecretTeams(call, seq)),
  ];
  const order = `${ranks.join(', ')}, tokens.rowid`;
  const rows = call.store.select<TeamTokenRow>('tokens.*, teams.id AS team_id', TEAM_TOKENS, conditions, order);
  return answerList(call, page, rows, (some) => ({ data: some.map((row) => formatToken(row, null, row.team_id)) }));
}

/** `secret`: only the answer to the creation of a token has it. */
function formatToken(row: TokenRow, secret: string | null, team?: string): Resource {
  return {
    id: row.id,
    type: 'authentication-tokens',
    attributes: {
      ...formatColumns(row, 'created_at', 'last_used_at', 'description'),
      token: secret,
      ...formatColumns(row, 'expired_at'),
    },
    relationships: {
      'created-by': refer(row.creator_type, row.creator_id),
      team: team === undefined ? { data: null } : refer('teams', team),
    },
  };
}

/** When the token expires, in milliseconds; null for never. */
function createExpirySchema({ now }: Call, maxTtl = Number.POSITIVE_INFINITY) {
  const time = v.pipe(
    v.unknown(),
    v.transform((value) => (typeof value === 'string' ? parseDate(value) : undefined)),
    v.number('Expired at must be an ISO 8601 date and time'),
    v.gtValue(now, 'Expired at must be in the future'),
    v.maxValue(now + maxTtl, `Expired at must be at most ${maxTtl} ms from now`),
  );
  return v.nullish(time, null);
}

/** A token without an expiry gets the latest one that the policy allows. */
function findDefaultExpiry({ now, rules }: Call, maxTtl: number | undefined): number | null {
  if (maxTtl !== undefined) return now + maxTtl;
  return rules.tokenYears === undefined ? null : addYears(now, rules.tokenYears);
}
