import type { AuditTrailDocument } from '../../wire/resources.ts';
import { parseInstant } from '../instants.ts';
import { readPage, toOffset, toPagination } from '../pagination.ts';
import { isPermitted } from '../permissions.ts';
import { createInvalid } from '../problems.ts';
import { countEvents, listEvents } from '../queries/events.ts';
import { readParameter } from '../query.ts';
import { type Answer, type Context, PLAIN_JSON, type Route } from '../route.ts';

/** Outside the service's document: what an audit trail token is for. Plain JSON, with names in snake case. */
export const AUDIT_TRAIL_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/organization/audit-trail', documented: false, handle: list },
];

const LIMITS = { defaultSize: 1_000, largestSize: 1_000 };

const NOTHING: AuditTrailDocument = {
  data: [],
  pagination: { current_page: 0, page_size: 0, prev_page: null, next_page: null, total_pages: 0, total_count: 0 },
};

/** Assumed: oldest first, so that pages stay what they are while events are added; and kept for ever. */
function list({ caller, store, url }: Context): Answer {
  // The wrong kind of token is not told so.
  if (caller.organization === null || !isPermitted(caller.kind, 'audit-trail.read')) {
    return { status: 200, mediaType: PLAIN_JSON, body: NOTHING };
  }
  const page = readPage(url, LIMITS);
  const since = readSince(url);
  const pagination = toPagination(page, countEvents(store, caller.organization, since));
  const body: AuditTrailDocument = {
    data: listEvents(store, caller.organization, since, page.size, toOffset(page)),
    pagination: {
      current_page: pagination['current-page'],
      page_size: pagination['page-size'],
      prev_page: pagination['prev-page'],
      next_page: pagination['next-page'],
      total_pages: pagination['total-pages'],
      total_count: pagination['total-count'],
    },
  };
  return { status: 200, mediaType: PLAIN_JSON, body };
}

function readSince(url: URL): number {
  const text = readParameter(url, 'since');
  if (text === undefined) {
    return 0;
  }
  const since = parseInstant(text);
  if (since === undefined) {
    throw createInvalid([{ detail: 'since must be an ISO 8601 date and time' }]);
  }
  return since;
}
