import { AUTHENTICATION_TOKEN_REQUEST } from '../../wire/resources.ts';
import { findTokenOwner, requireOrganization, requirePresent } from '../access.ts';
import { recordEvent } from '../audit-events.ts';
import { toAuthenticationToken } from '../documents.ts';
import { parseIsoDate } from '../iso-date.ts';
import type { Operation } from '../permissions.ts';
import { createInvalid, createProblem, type Flaw } from '../problems.ts';
import type { OrganizationRow } from '../queries/organizations.ts';
import { findMaxTtl } from '../queries/token-policies.ts';
import { deleteToken, findAuditToken, insertToken } from '../queries/tokens.ts';
import { findTypeFlaws, readParameter, toMembers } from '../request.ts';
import { type Answer, type Context, NO_CONTENT, type Route } from '../route.ts';

const PATH = '/organizations/:organization_name/authentication-token';

export const AUDIT_TOKEN_ROUTES: readonly Route[] = [
  { method: 'POST', path: PATH, documented: true, handle: generate },
  { method: 'DELETE', path: PATH, documented: true, handle: remove },
  { method: 'GET', path: PATH, documented: false, writes: true, handle: show },
];

function generate(context: Context): Answer {
  const organization = requireTokenOf(context, 'audit-token.generate');
  const expiredAt = readExpiry(context, findMaxTtl(context.store, organization.seq, 'audit_trails'));
  const { store, ids, now } = context;
  const previous = findAuditToken(store, organization.seq);
  if (previous !== undefined) deleteToken(store, previous.id);
  const secret = ids.secret();
  insertToken(store, {
    text: secret,
    id: ids.id('at'),
    kind: 'audit-token',
    organization: organization.seq,
    user: null,
    createdAt: now,
    expiredAt,
    creator: findTokenOwner(context, organization),
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
  const organization = requireOrganization(context, operation);
  // Assumed: 404. Without this parameter the path means the organization's ordinary token, which the sandbox lacks.
  if (readParameter(context.url, 'token') !== 'audit-trails') throw createProblem(404);
  return organization;
}

/**
 * Milliseconds; null means the token never expires. `maxTtl`: how many of them an owner of the organization allows.
 * Assumed: 422 for an expiry beyond that, and that a token without one expires when it ends.
 * Assumed: 422 for a body that is none, and that any time in the future is taken, with a fraction or without seconds.
 */
function readExpiry(context: Context, maxTtl: number | undefined): number | null {
  const data = toMembers(context.body()['data']);
  const flaws: Flaw[] = findTypeFlaws(data, AUTHENTICATION_TOKEN_REQUEST);
  const text = toMembers(data['attributes'])['expired-at'] ?? null;
  const expiry = typeof text === 'string' ? parseIsoDate(text) : undefined;
  const pointer = '/data/attributes/expired-at';
  if (text !== null && expiry === undefined) {
    // Assumed, with the next: the service's document gives no answer for an expiry that cannot be.
    flaws.push({ detail: 'Expired at must be an ISO 8601 date and time', pointer });
  } else if (expiry !== undefined && expiry <= context.now) {
    flaws.push({ detail: 'Expired at must be in the future', pointer });
  } else if (expiry !== undefined && maxTtl !== undefined && expiry > context.now + maxTtl) {
    flaws.push({ detail: `Expired at must be at most ${maxTtl} ms from now`, pointer });
  }
  if (flaws.length > 0) throw createInvalid(flaws);
  return expiry ?? (maxTtl === undefined ? null : context.now + maxTtl);
}
