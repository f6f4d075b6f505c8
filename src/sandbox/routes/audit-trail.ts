import { isAllowed } from '../access.ts';
import { type Answer, answerPlain, type Call, type Route, readQuery } from '../call.ts';
import { DAY, parseDate } from '../dates.ts';
import { createInvalid } from '../errors.ts';
import { findRange, formatPagination, readPage } from '../pages.ts';
import { NO_ROWS } from '../store.ts';

/** Plain JSON, with names in snake case (facts). */
export const AUDIT_TRAIL: readonly Route[] = [['GET', '/organization/audit-trail', list]];

const RETENTION = 14 * DAY;

/** The newest first, and none that is older than the retention. A token of the wrong kind gets no events (facts). */
function list(call: Call): Answer {
  const { caller, store, now } = call;
  const page = readPage(call, { default: 1_000, largest: 1_000 });
  const since = Math.max(readSince(call), now - RETENTION);
  const isReader = caller.organization !== null && isAllowed(call, caller.organization, 'audit-trail.read');
  const conditions = [
    ['organization = ?', caller.organization],
    ['occurred_at >= ?', since],
  ] as const;
  const events = isReader
    ? store.select<{ event: string }>('event', 'events', conditions, 'occurred_at DESC, seq DESC')
    : NO_ROWS;
  const data = events.list(findRange(page)).map(({ event }) => JSON.parse(event) as unknown);
  const pagination = Object.entries(formatPagination(page, events.count())).map(([name, value]) => {
    return [name.replace('-', '_'), value];
  });
  return answerPlain({ data, pagination: Object.fromEntries(pagination) });
}

function readSince(call: Call): number {
  const text = readQuery(call, 'since');
  if (text === undefined) return 0;
  const since = parseDate(text);
  if (since === undefined) throw createInvalid({ detail: 'since must be an ISO 8601 date and time' });
  return since;
}
