import { AUTHENTICATION_TOKEN_REQUEST } from '../../wire/resources.ts';
import { findOwner, isInTeam, requireOrganization, requirePresent, requireTeam } from '../access.ts';
import { recordEvent } from '../audit-events.ts';
import { toAuthenticationToken } from '../documents.ts';
import { addYears, parseIsoDate } from '../iso-date.ts';
import type { Operation } from '../permissions.ts';
import { createProblem } from '../problems.ts';
import { hasFeature } from '../queries/feature-sets.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import { OWNERS_TEAM, type TeamRow } from '../queries/teams.ts';
import { findMaxTtl, type TokenType } from '../queries/token-policies.ts';
import {
  deleteToken,
  findTeamOfToken,
  findToken,
  insertToken,
  type TokenPlace,
  type TokenRow,
} from '../queries/tokens.ts';
import { readForm, readParameter } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, ORGANIZATION, type Route, routesAbout, TEAM } from '../route.ts';

const OF_ORGANIZATION = `${ORGANIZATION}/authentication-token`;
const OF_TEAM = `${TEAM}/authentication-token`;
/** The id of a team's token, or of the team. Assumed: other tokens have no path by id. */
const BY_ID = '/authentication-tokens/:id';

type Act = 'generate' | 'show' | 'delete';

const ofOrganizationToken = routesAbout(requireOrganizationToken);
const ofTeamToken = routesAbout(requireTeamToken);

/** Outside the service's document but for the audit trail token, so Assumed throughout: each place has one token. */
export const AUTHENTICATION_TOKEN_ROUTES: readonly Route[] = [
  ofOrganizationToken('POST', OF_ORGANIZATION, 'generate', generate, { documented: true }),
  ofOrganizationToken('DELETE', OF_ORGANIZATION, 'delete', remove, { documented: true }),
  ofOrganizationToken('GET', OF_ORGANIZATION, 'show', show, { writes: true }),
  ofTeamToken('POST', OF_TEAM, 'generate', generate),
  ofTeamToken('DELETE', OF_TEAM, 'delete', remove),
  ofTeamToken('GET', OF_TEAM, 'show', show, { writes: true }),
  ofTeamToken('DELETE', BY_ID, 'delete', remove),
  ofTeamToken('GET', BY_ID, 'show', show, { writes: true }),
];

/** What a token is for. */
interface Holding {
  readonly organization: OrganizationRow;
  readonly team: TeamRow | undefined;
  readonly place: TokenPlace;
  readonly type: TokenType;
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
  // Assumed: 404 for other values.
  if (!isOfAuditTrail && (parameter !== undefined || !rules.hasGeneralToken)) throw createProblem(404);
  const isLacking = act === 'generate' && isOfAuditTrail && rules.appliesPlans;
  if (isLacking && !hasFeature(store, organization.seq, 'audit-logging')) throw createProblem(404);
  const kind = isOfAuditTrail ? 'audit-token' : 'org-token';
  return {
    organization,
    team: undefined,
    place: { kind, organization: organization.seq, team: null },
    type: isOfAuditTrail ? 'audit_trails' : 'organization',
  };
}

/** Assumed: who manages teams manages their tokens, and members that of their team where it lets them. */
function requireTeamToken(context: Context, act: Act): Holding {
  const { id } = context.params;
  const team = requireTeam(context, id === undefined ? undefined : (findTeamOfToken(context.store, id) ?? id));
  const isOwners = team.name === OWNERS_TEAM;
  const letsMembers = team.allow_member_token_management === 1 && isInTeam(context, team);
  const operation: Operation = isOwners ? `owners-token.${act}` : letsMembers ? 'teams.show' : `team-token.${act}`;
  const organization = requireOrganization(context, operation, team.organization);
  const place: TokenPlace = isOwners
    ? { kind: 'owners-team', organization: organization.seq, team: null }
    : { kind: 'team-token', organization: organization.seq, team: team.seq };
  return { organization, team, place, type: 'team' };
}

function generate(context: Context, holding: Holding): Answer {
  const { organization, place, type } = holding;
  const { store, ids, now } = context;
  const times = { created_at: now, expired_at: readExpiry(context, findMaxTtl(store, organization, type)) };
  const previous = findToken(store, place);
  if (previous !== undefined) deleteToken(store, previous.id);
  const secret = ids.secret();
  const owner = findOwner(context, organization);
  insertToken(store, {
    ...place,
    ...times,
    creator_type: owner.type,
    creator_id: owner.id,
    text: secret,
    id: ids.id('at'),
  });
  return toAnswer(context, holding, 'create', secret);
}

function remove(context: Context, { organization, place }: Holding): Answer {
  // Assumed: nothing to delete is 404, like every absence.
  const token = requirePresent(findToken(context.store, place));
  deleteToken(context.store, token.id);
  recordEvent(context, organization, { type: 'authentication_token', action: 'destroy', id: token.id });
  return NO_CONTENT;
}

function show(context: Context, holding: Holding): Answer {
  return toAnswer(context, holding, 'show', null);
}

function toAnswer(
  context: Context,
  { organization, team, place }: Holding,
  action: 'create' | 'show',
  secret: string | null,
): Answer {
  const token: TokenRow = requirePresent(findToken(context.store, place));
  recordEvent(context, organization, { type: 'authentication_token', action, id: token.id });
  const status = action === 'create' ? 201 : 200;
  return { status, body: { data: toAuthenticationToken(token, secret, team?.id) } };
}

/**
 * When the token expires, in milliseconds; null for never. `maxTtl`: the most milliseconds that an owner allows.
 * Assumed: 422 for an expiry beyond that, and that a token that is asked for without an expiry gets the latest one.
 * Assumed: 422 for a body that is no JSON. A time may have a fraction, or no seconds.
 */
function readExpiry(context: Context, maxTtl: number | undefined): number | null {
  const { now, rules } = context;
  const form = readForm(context, rules.takesAnyTokenType ? undefined : AUTHENTICATION_TOKEN_REQUEST);
  const text = form.attributes['expired-at'] ?? null;
  const expiry = typeof text === 'string' ? parseIsoDate(text) : undefined;
  const note = (detail: string): void => form.note('attributes/expired-at', `Expired at must be ${detail}`);
  if (text !== null && expiry === undefined) {
    // Assumed: this and the next answer. The service's document has none for an expiry that cannot be.
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
