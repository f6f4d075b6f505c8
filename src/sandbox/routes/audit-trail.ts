import { findMay } from '../access.ts';
import { type Answer, answerPlain, type Call, type Route, readQuery } from '../call.ts';
import { DAY, parseDate } from '../dates.ts';
import { createInvalid } from '../errors.ts';
import { readPage } from '../pages.ts';
import { type Condition, NO_ROWS } from '../store.ts';

/** Plain JSON, with names in snake case (facts). */
export const AUDIT_TRAIL: readonly Route[] = [['GET', '/organization/audit-trail', undefined, list]];

const RETENTION = 14 * DAY;
const SIZES = { default: 1_000, largest: 1_000 };

/** The newest first, and none that is older than the retention. A token of the wrong kind gets no events (facts). */
function list(call: Call): Answer {
  const { caller, store, now } = call;
  const text = readQuery(call, 'since');
  const since = text === undefined ? 0 : parseDate(text);
  const isReader = caller.organization !== null && findMay(call, caller.organization)('audit-trail.read');
  const isOwn: Condition = ['organization = ?', caller.organization];
  const isKept: Condition = ['occurred_at >= ?', Math.max(since ?? 0, now - RETENTION)];
  const events = store.select<{ event: string }>('event', 'events', [isOwn, isKept], 'occurred_at DESC, seq DESC');
  const { list: rows, pagination } = readPage(call, isReader ? events : NO_ROWS, SIZES);
  if (since === undefined) throw createInvalid({ detail: 'since must be an ISO 8601 date and time' });
  const data = rows.map(({ event }) => JSON.parse(event) as unknown);
  const snake = Object.entries(pagination).map(([name, value]) => [name.replace('-', '_'), value]);
  return answerPlain({ data, pagination: Object.fromEntries(snake) });
}
