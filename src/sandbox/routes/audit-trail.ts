import { DAY } from '../../lib/time.ts';
import { findPermissions } from '../access.ts';
import { type Context, parseDate, type Reply, type Route, readQuery, replyJson } from '../context.ts';
import { createValidationError } from '../errors.ts';
import { readPage } from '../pages.ts';
import { type Condition, NO_ROWS } from '../store.ts';

/** Plain JSON, with names in snake case (facts). */
export const AUDIT_TRAIL: Route[] = [{ method: 'GET', path: '/organization/audit-trail', handle: list }];

const RETENTION = 14 * DAY;
const SIZES = { default: 1_000, largest: 1_000 };

/** A token of the wrong kind gets no events (facts). */
function list(ctx: Context): Reply {
  const { caller, store, now } = ctx;
  const text = readQuery(ctx, 'since');
  const since = text === undefined ? 0 : parseDate(text);
  const isReader = caller.organization !== null && findPermissions(ctx, caller.organization).has('audit-trail.read');
  const isOwn: Condition = ['organization = ?', caller.organization];
  const isRetained: Condition = ['occurred_at >= ?', Math.max(since ?? 0, now - RETENTION)];
  const events = store.select<{ event: string }>('event', 'events', [isOwn, isRetained], 'occurred_at DESC, seq DESC');
  const { list: rows, pagination } = readPage(ctx, isReader ? events : NO_ROWS, SIZES);
  if (since === undefined) throw createValidationError({ detail: 'since must be an ISO 8601 date and time' });
  const data = rows.map(({ event }) => JSON.parse(event) as unknown);
  const entries = Object.entries(pagination).map(([name, value]) => [name.replace('-', '_'), value]);
  return replyJson({ data, pagination: Object.fromEntries(entries) });
}
