import { type AuditEvent, assertCanReadTrail, readEventId, readTrail } from '../api/audit-trail.ts';
import type { Client } from '../api/client.ts';
import { formatReason, OrgctlError, readErrorCode, ServiceError } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';
import type { Runtime } from '../lib/runtime.ts';
import { plural } from '../lib/text.ts';
import { formatUtc, parseInstant, SECOND } from '../lib/time.ts';
import { openBacklog } from './backlog.ts';
import { assertPast, type Cursor, createForeignError, findGap, findStart, moveCursor, RETENTION } from './cursor.ts';

export interface FollowOptions {
  cursor: Cursor;
  /** The path of the cursor, for messages. */
  path: string;
  /** Ends after one round. */
  once?: boolean;
  /** Milliseconds between two rounds. */
  interval: number;
  runtime: Pick<Runtime, 'now' | 'sleep'>;
  signal: AbortSignal;
  /** Uses the token that is stored now, since it may have been rotated. */
  openClient(): Promise<Client>;
  /** The output is complete only after `finish`, so the cursor must not move before. */
  isDocument: boolean;
  /** Resolves when the events are on disk. */
  deliver(events: AuditEvent[]): Promise<void>;
  /** Called after the last events of a round, before the cursor is saved. */
  finish(): Promise<void>;
  save(cursor: Cursor): void;
  warn(text: string): void;
  progress(text: string): void;
}

const BATCH = 1_000;
/** Retries of a rejected token, one a second, since it may be in rotation. */
const RETRIES = { once: 5, always: 60 };

/** Delivers every event at least once and in order. Throws `attention` for a gap, with `once`. */
export async function follow(options: FollowOptions): Promise<void> {
  const { once, interval, runtime, signal, progress } = options;
  for (let { cursor } = options; ; ) {
    const result = await followOnce(options, cursor);
    if (once && result.hasGap) throw new OrgctlError('attention', 'the audit trail has a gap', { code: 'gap' });
    if (once) return;
    cursor = result.cursor;
    progress('Waiting for events');
    await runtime.sleep(interval, signal);
  }
}

async function followOnce(options: FollowOptions, cursor: Cursor): Promise<{ cursor: Cursor; hasGap: boolean }> {
  const { isDocument, deliver, finish, save, warn } = options;
  const { backlog, clock, organizationId } = await readWithRetries(options, cursor);
  try {
    const last = findGap(cursor, clock);
    if (last !== undefined) {
      const [from, to] = [formatUtc(last), formatUtc(clock - RETENTION)];
      warn(`events between ${from} and ${to} may be missing: the service keeps 14 days`);
    }
    let next: Cursor = { ...cursor, organizationId };
    for (const batch of backlog.batches(BATCH)) {
      await deliver(batch.map(({ event }) => event));
      next = moveCursor(next, batch, clock);
      if (!isDocument) save(next);
    }
    await finish();
    next = { ...next, readAt: clock };
    save(next);
    return { cursor: next, hasGap: last !== undefined };
  } finally {
    backlog.close();
  }
}

async function readWithRetries(options: FollowOptions, cursor: Cursor) {
  const { once, openClient, runtime, signal } = options;
  for (let left = once ? RETRIES.once : RETRIES.always; ; left -= 1) {
    try {
      return await readEvents(await openClient(), cursor, options);
    } catch (error) {
      const isRejected = error instanceof ServiceError && error.status === 401;
      if (!isRejected || left === 0) throw error;
    }
    await runtime.sleep(SECOND, signal);
  }
}

/** Returns new events, and the service's clock at the start. */
async function readEvents(client: Client, cursor: Cursor, options: FollowOptions) {
  const { path, runtime, progress } = options;
  const backlog = openBacklog();
  const organizations = new Set<string>();
  let clock = 0;
  let count = 0;
  try {
    for await (const page of readTrail(client, findStart(cursor))) {
      clock ||= page.clock ?? runtime.now();
      assertPast(cursor, clock, path);
      count += page.items.length;
      progress(`Read ${plural(count, 'audit event')}`);
      for (const event of page.items) {
        const { organization_id: organization } = isObject(event.auth) ? event.auth : {};
        if (typeof organization === 'string') organizations.add(organization);
        const key = { id: readEventId(event), at: parseInstant(String(event.timestamp)) ?? 0 };
        if (!Object.hasOwn(cursor.recent, key.id)) backlog.add(event, key);
      }
    }
    if (count === 0) await assertCanReadTrail(client);
    const { organizationId = [...organizations][0] } = cursor;
    const isForeign = organizationId !== undefined && organizations.size > 0 && !organizations.has(organizationId);
    if (isForeign) throw createForeignError(path, organizationId);
    return { backlog, clock, organizationId };
  } catch (error) {
    backlog.close();
    if (!readErrorCode(error).startsWith('SQLITE_')) throw error;
    throw new OrgctlError('failure', `can't sort the events on disk: ${formatReason(error)}`, { cause: error });
  }
}
