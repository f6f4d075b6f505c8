import {
  findOwner,
  findSecretTeams,
  isAllowed,
  isInTeam,
  ofOrganization,
  requireOrganization,
  requirePresent,
  requireTeam,
} from '../access.ts';
import { answerList } from '../answers.ts';
import { recordEvent } from '../audit-events.ts';
import { toAuthenticationToken } from '../documents.ts';
import { addYears, parseIsoDate } from '../iso-date.ts';
import { readPage } from '../pagination.ts';
import type { Operation } from '../permissions.ts';
import { createProblem, Problem } from '../problems.ts';
import { hasFeature } from '../queries/feature-sets.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import { OWNERS_TEAM, type TeamRow } from '../queries/teams.ts';
import { findMaxTtl, type TokenType } from '../queries/token-policies.ts';
import {
  deleteToken,
  findTeamToken,
  findToken,
  insertToken,
  isDescriptionTaken,
  selectTeamTokens,
  TOKEN_ORDERS,
  type TokenPlace,
  type TokenRow,
} from '../queries/tokens.ts';
import { type Form, readChoice, readForm, readParameter } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, ORGANIZATION, type Route, routesAbout, TEAM } from '../route.ts';
import { AUTHENTICATION_TOKEN_REQUEST, AUTHENTICATION_TOKENS } from '../wire/resources.ts';

const OF_ORGANIZATION = `${ORGANIZATION}/authentication-token`;
const OF_TEAM = `${TEAM}/authentication-token`;
/** Beside the others of the team. */
const DESCRIBED = `${TEAM}/authentication-tokens`;
const OF_TEAMS = `${ORGANIZATION}/team-tokens`;
/** Assumed: only tokens of teams have a path with an id, which is that of the token or of the team. */
const BY_ID = '/authentication-tokens/:id';

type Act = 'generate' | 'show' | 'delete';

const ofOrganizationToken = routesAbout(requireOrganizationToken);
const ofTeamToken = routesAbout(requireTeamToken);

/**
 * Outside the service's document but for the audit trail token, so Assumed throughout: each place has one token, and a team
 * has others beside it, with descriptions.
 */
export const AUTHENTICATION_TOKEN_ROUTES: readonly Route[] = [
  ofOrganizationToken('POST', OF_ORGANIZATION, 'generate', generate, { documented: true }),
  ofOrganizationToken('DELETE', OF_ORGANIZATION, 'delete', remove, { documented: true }),
  ofOrganizationToken('GET', OF_ORGANIZATION, 'show', show, { writes: true }),
  ofTeamToken('POST', OF_TEAM, 'generate', generate),
  ofTeamToken('DELETE', OF_TEAM, 'delete', remove),
  ofTeamToken('GET', OF_TEAM, 'show', show, { writes: true }),
  ofTeamToken('POST', DESCRIBED, 'generate', add),
  ofTeamToken('DELETE', BY_ID, 'delete', remove),
  ofTeamToken('GET', BY_ID, 'show', show, { writes: true }),
  ofOrganization('GET', OF_TEAMS, 'team-tokens.list', list),
];

/** What a token is for, and the one that is there. */
interface Holding {
  readonly organization: OrganizationRow;
  readonly team: TeamRow | undefined;
  readonly place: TokenPlace;
  readonly type: TokenType;
  readonly token: TokenRow | undefined;
}

/** Throws 404 where the caller may not do this, and where there is no such kind of token. */
function requireOrganizationToken(context: Context, act: Act): Holding {
  const { rules, store, url } = context;
  const parameter = rules.hasAuditTokens ? readParameter(url, 'token') : undefined;
  const isOfAuditTrail = parameter === 'audit-trails';
  const organization = requireOrganization(
    context,
    isOfAuditTrail ? `audit-token.${act}` : `organization-token.${act}`,
  );
  // Assumed: the parameter `token` of the organization's token takes `audit-trails` alone, and another value is
  // answered with 404.
  if (!isOfAuditTrail && (parameter !== undefined || !rules.hasGeneralToken)) throw createProblem(404);
  const isLacking = act === 'generate' && isOfAuditTrail && rules.appliesPlans;
  if (isLacking && !hasFeature(store, organization.seq, 'audit-logging')) throw createProblem(404);
  const kind = isOfAuditTrail ? 'audit-token' : 'org-token';
  const place: TokenPlace = { kind, organization: organization.seq, team: null };
  const type = isOfAuditTrail ? 'audit_trails' : 'organization';
  return { organization, team: undefined, place, type, token: findToken(store, place) };
}

/**
 * Assumed: a caller who manages teams manages the tokens of all teams, and members manage those of their own team where
 * it lets them.
 */
function requireTeamToken(context: Context, act: Act): Holding {
  const { store, params } = context;
  const named = params['id'] === undefined ? undefined : findTeamToken(store, params['id']);
  const team = requireTeam(context, named?.team_id ?? params['id']);
  const isOwners = team.name === OWNERS_TEAM;
  const letsMembers = team.allow_member_token_management === 1 && isInTeam(context, team);
  const operation: Operation = isOwners ? `owners-token.${act}` : letsMembers ? 'teams.show' : `team-token.${act}`;
  const organization = requireOrganization(context, operation, team.organization);
  const place: TokenPlace = isOwners
    ? { kind: 'owners-team', organization: organization.seq, team: null }
    : { kind: 'team-token', organization: organization.seq, team: team.seq };
  return { organization, team, place, type: 'team', token: named ?? findToken(store, place) };
}

function generate(context: Context, holding: Holding): Answer {
  const form = readForm(context, context.rules.takesAnyTokenType ? undefined : AUTHENTICATION_TOKEN_REQUEST);
  const expiredAt = readExpiry(context, form, holding);
  if (holding.token !== undefined) deleteToken(context.store, holding.token.id);
  return make(context, holding, { expired_at: expiredAt, description: null });
}

/**
 * Assumed: a new token of a team beside its first one is refused with 422 without a description. An empty text is a
 * description.
 */
function add(context: Context, holding: Holding): Answer {
  const { store, rules } = context;
  const form = readForm(context, rules.takesAnyTokenType ? undefined : AUTHENTICATION_TOKENS);
  const { description } = form.attributes;
  if (typeof description !== 'string') form.note('attributes/description', "Description can't be blank");
  const expiredAt = readExpiry(context, form, holding);
  // The service has these words, and this title alone in the plural.
  if (isDescriptionTaken(store, holding.place, String(description))) {
    const detail = 'Validation failed: Description has already been taken';
    throw new Problem(422, [{ status: '422', title: 'invalid attributes', detail }]);
  }
  return make(context, holding, { expired_at: expiredAt, description: String(description) });
}

function make(context: Context, holding: Holding, wanted: Pick<TokenRow, 'expired_at' | 'description'>): Answer {
  const { store, ids, now } = context;
  const owner = findOwner(context, holding.organization);
  const creator = { creator_type: owner.type, creator_id: owner.id };
  const text = ids.secret();
  const token = insertToken(store, {
    ...holding.place,
    ...wanted,
    ...creator,
    created_at: now,
    id: ids.id('at'),
    text,
  });
  return toAnswer(context, { ...holding, token }, 'create', text);
}

function remove(context: Context, { organization, token }: Holding): Answer {
  // Assumed: deleting a token that does not exist is answered with 404.
  const { id } = requirePresent(token);
  deleteToken(context.store, id);
  recordEvent(context, organization, { type: 'authentication_token', action: 'destroy', id });
  return NO_CONTENT;
}

function show(context: Context, holding: Holding): Answer {
  return toAnswer(context, holding, 'show', null);
}

function toAnswer(
  context: Context,
  { organization, team, token: found }: Holding,
  action: 'create' | 'show',
  secret: string | null,
): Answer {
  const token = requirePresent(found);
  recordEvent(context, organization, { type: 'authentication_token', action, id: token.id });
  const status = action === 'create' ? 201 : 200;
  return { status, body: { data: toAuthenticationToken(token, secret, team?.id) } };
}

/**
 * Assumed: a search for tokens of teams finds any part of a team's name, an unknown order is answered with 400, and a
 * filter by status restricts nothing.
 */
function list(context: Context, organization: OrganizationRow): Answer {
  const { store, url } = context;
  const page = readPage(url);
  const order = readChoice(url, 'sort', TOKEN_ORDERS);
  const filter = {
    search: readParameter(url, 'q'),
    withOwners: isAllowed(context, organization.seq, 'owners-token.show'),
    secret: findSecretTeams(context, organization.seq),
  };
  const rows = selectTeamTokens(store, organization.seq, filter, order ?? 'expired-at');
  return answerList(context, page, rows, (some) => ({
    data: some.map((row) => toAuthenticationToken(row, null, row.team_id)),
  }));
}

/**
 * When the token expires, in milliseconds; null for never. Throws 422 with all that the form has noted. Assumed: an
 * expiry later than the token policy allows is refused with 422, and a token without an expiry gets the latest one that
 * the policy allows. A time may have a fraction of a second, or no seconds.
 */
function readExpiry({ now, rules, store }: Context, form: Form, { organization, type }: Holding): number | null {
  const maxTtl = findMaxTtl(store, organization, type);
  const text = form.attributes['expired-at'] ?? null;
  const expiry = typeof text === 'string' ? parseIsoDate(text) : undefined;
  const note = (detail: string): void => form.note('attributes/expired-at', `Expired at must be ${detail}`);
  if (text !== null && expiry === undefined) {
    // Assumed: an expiry that is no ISO 8601 time, or lies in the past, is refused with 422; the service's document
    // doesn't say how.
    note('an ISO 8601 date and time');
  } else if (expiry !== undefined && expiry <= now) {
    note('in the future');
  } else if (expiry !== undefined && maxTtl !== undefined && expiry > now + maxTtl) {
    note(`at most ${maxTtl} ms from now`);
  }
  form.check();
  if (expiry !== undefined) return expiry;
  if (maxTtl !== undefined) return now + maxTtl;
  return rules.tokenYears === undefined ? null : addYears(now, rules.tokenYears);
}
