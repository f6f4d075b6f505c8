import { isAllowed } from '../access.ts';
import { DAY, parseIsoDate } from '../iso-date.ts';
import { readPage, toPagination, toRange } from '../pagination.ts';
import { createInvalid } from '../problems.ts';
import { selectEvents } from '../queries/events.ts';
import { readParameter } from '../request.ts';
import { type Answer, answerPlain, type Context, type Route } from '../route.ts';
import type { AuditEvent, AuditTrailDocument } from '../wire/resources.ts';

/** The audit trail is outside the service's document, so Assumed throughout. Its JSON is plain, with names in snake case. */
export const AUDIT_TRAIL_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/organization/audit-trail', handle: list },
];

const LIMITS = { defaultSize: 1_000, largestSize: 1_000 };
const RETENTION = 14 * DAY;

/** Lists the newest events first, and none that is older than the retention. */
function list(context: Context): Answer {
  const { caller, store, url, now } = context;
  const page = readPage(url, LIMITS);
  const since = Math.max(readSince(url), now - RETENTION);
  // The service answers the wrong kind of token as if there were no events.
  const organization =
    caller.organization !== null && isAllowed(context, caller.organization, 'audit-trail.read')
      ? caller.organization
      : undefined;
  const events = organization === undefined ? undefined : selectEvents(store, organization, since);
  const data = (events?.list(toRange(page)) ?? []).map(({ event }) => JSON.parse(event) as AuditEvent);
  const total = events?.count() ?? 0;
  const pagination = Object.entries(toPagination(page, total)).map(([name, value]) => [name.replace('-', '_'), value]);
  const body: AuditTrailDocument = { data, pagination: Object.fromEntries(pagination) };
  return answerPlain(body);
}

function readSince(url: URL): number {
  const text = readParameter(url, 'since');
  if (text === undefined) return 0;
  const since = parseIsoDate(text);
  if (since === undefined) throw createInvalid([{ detail: 'since must be an ISO 8601 date and time' }]);
  return since;
}
