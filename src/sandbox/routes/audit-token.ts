import { AUTHENTICATION_TOKEN_REQUEST, TEAMS, USERS } from '../../wire/resources.ts';
import { requireOrganization, requirePresent } from '../access.ts';
import { recordEvent } from '../audit-events.ts';
import { ORGANIZATIONS, toAuthenticationToken } from '../documents.ts';
import { parseInstant } from '../iso-date.ts';
import type { Operation } from '../permissions.ts';
import { createInvalid, createNotFound, type Flaw } from '../problems.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import { findTeamByName, OWNERS_TEAM } from '../queries/teams.ts';
import { deleteToken, findAuditToken, insertToken } from '../queries/tokens.ts';
import { readParameter } from '../query.ts';
import { findTypeFlaws, toMembers } from '../request-body.ts';
import { type Answer, type Context, NO_CONTENT, type Route } from '../route.ts';

const PATH = '/organizations/:organization_name/authentication-token';

export const AUDIT_TOKEN_ROUTES: readonly Route[] = [
  { method: 'POST', path: PATH, documented: true, handle: generate },
  { method: 'DELETE', path: PATH, documented: true, handle: remove },
  { method: 'GET', path: PATH, documented: false, writes: true, handle: show },
];

function generate(context: Context): Answer {
  const organization = requireTokenOf(context, 'audit-token.generate');
  const expiredAt = readExpiry(context);
  const { store, ids, now } = context;
  const previous = findAuditToken(store, organization.seq);
  if (previous !== undefined) {
    deleteToken(store, previous.id);
  }
  const secret = ids.secret();
  insertToken(store, {
    text: secret,
    id: ids.id('at'),
    kind: 'audit-token',
    organization: organization.seq,
    user: null,
    createdAt: now,
    expiredAt,
    creator: toCreator(context, organization),
  });
  const token = requirePresent(findAuditToken(store, organization.seq));
  recordEvent(context, organization, { type: 'authentication_token', action: 'create', id: token.id });
  return { status: 201, body: { data: toAuthenticationToken(token, secret) } };
}

function remove(context: Context): Answer {
  const organization = requireTokenOf(context, 'audit-token.delete');
  // Assumed: nothing to delete is 404, like every absence.
  const token = requirePresent(findAuditToken(context.store, organization.seq));
  deleteToken(context.store, token.id);
  recordEvent(context, organization, { type: 'authentication_token', action: 'destroy', id: token.id });
  return NO_CONTENT;
}

function show(context: Context): Answer {
  const organization = requireTokenOf(context, 'audit-token.show');
  const token = requirePresent(findAuditToken(context.store, organization.seq));
  recordEvent(context, organization, { type: 'authentication_token', action: 'show', id: token.id });
  return { status: 200, body: { data: toAuthenticationToken(token, null) } };
}

function requireTokenOf(context: Context, operation: Operation): OrganizationRow {
  const organization = requireOrganization(context, context.params['organization_name'] ?? '', operation);
  // Assumed: 404. Without this parameter the path means the organization's ordinary token, which is not here;
  // whatever the request was for, it was not the audit trail token.
  if (readParameter(context.url, 'token') !== 'audit-trails') {
    throw createNotFound();
  }
  return organization;
}

/**
 * Milliseconds; null means the token never expires.
 * Assumed: 422 for a body that is none, and that any instant in the future is taken, with a fraction or without seconds.
 */
function readExpiry(context: Context): number | null {
  const data = toMembers(context.body()['data']);
  const flaws: Flaw[] = findTypeFlaws(data, AUTHENTICATION_TOKEN_REQUEST);
  const expiry = toMembers(data['attributes'])['expired-at'] ?? null;
  const instant = typeof expiry === 'string' ? parseInstant(expiry) : undefined;
  const pointer = '/data/attributes/expired-at';
  if (expiry !== null && instant === undefined) {
    // Assumed, with the next: the service's document gives no answer for an expiry that cannot be.
    flaws.push({ detail: 'Expired at must be an ISO 8601 date and time', pointer });
  } else if (instant !== undefined && instant <= context.now) {
    flaws.push({ detail: 'Expired at must be in the future', pointer });
  }
  if (flaws.length > 0) {
    throw createInvalid(flaws);
  }
  return instant ?? null;
}

function toCreator({ caller, store }: Context, organization: OrganizationRow): { type: string; id: string } {
  if (caller.user !== null) {
    return { type: USERS, id: caller.user.id };
  }
  return caller.holder === 'team'
    ? { type: TEAMS, id: findTeamByName(store, organization.seq, OWNERS_TEAM)?.id ?? '' }
    : { type: ORGANIZATIONS, id: organization.name };
}
