import * as v from 'valibot';
import { OrgctlError, UsageError } from '../lib/errors.ts';
import { formatFileError, writePrivateFile } from '../lib/files.ts';
import { parseJson } from '../lib/json.ts';
import { isSameName } from '../lib/text.ts';
import { DAY, formatUtc, HOUR } from '../lib/time.ts';

/** How long the service keeps events (facts). */
export const RETENTION = 14 * DAY;
/** How late an event may become visible. */
const MARGIN = HOUR;
const START_OVER = 'Name another file with --cursor. It was not changed.';

/** Milliseconds since 1970. */
const time = v.pipe(v.number(), v.minValue(0), v.maxValue(8.64e15));

const cursorSchema = v.object({
  /** The origin of the service, or `sandbox`. */
  service: v.string(),
  /** Undefined if only the token names the organization. */
  organization: v.optional(v.string()),
  /** The id by which events name the organization. */
  organizationId: v.optional(v.string()),
  /** The start of the trail, from --since. */
  since: v.optional(time),
  /** The time of the newest delivered event, or of the reading if that is earlier. */
  newest: v.optional(time),
  /** The start of the last round that was delivered completely, by the service's clock. */
  readAt: v.optional(time),
  /** The times of delivered events by id, for the last hour before the newest, which is read again. */
  recent: v.record(v.string(), time),
});

export type Cursor = v.InferOutput<typeof cursorSchema>;

export interface DatedEvent {
  id: string;
  at: number;
}

export function findStart({ newest, since }: Cursor): number | undefined {
  return newest === undefined ? since : Math.max(newest - MARGIN, since ?? 0);
}

/** `events` were just delivered, the oldest first. One that is ahead of the clock must not hide those that come before it. */
export function moveCursor(cursor: Cursor, events: DatedEvent[], clock: number): Cursor {
  const newest = Math.max(cursor.newest ?? 0, Math.min(events.at(-1)?.at ?? 0, clock));
  const known = [...Object.entries(cursor.recent), ...events.map(({ id, at }) => [id, at] as const)];
  return { ...cursor, newest, recent: Object.fromEntries(known.filter(([, at]) => at >= newest - MARGIN)) };
}

/** Throws UsageError for times that are far ahead: events until then would be hidden. */
export function assertPast({ newest = 0, readAt = 0, since = 0 }: Cursor, clock: number, path: string): void {
  const last = Math.max(newest, readAt, since);
  if (last <= clock + MARGIN) return;
  throw new UsageError(`the cursor ${path} is of ${formatUtc(last)}, which is still to come`, { hint: START_OVER });
}

/** Returns the start of a gap: later events were not all delivered, and the service no longer keeps them. */
export function findGap({ newest, readAt }: Cursor, clock: number): number | undefined {
  const last = Math.max(newest ?? 0, readAt ?? 0);
  return last > 0 && last < clock - RETENTION ? last : undefined;
}

/** Throws UsageError for a damaged cursor, and for the cursor of another trail. */
export function parseCursor(text: string, path: string, trail: Pick<Cursor, 'service' | 'organization'>): Cursor {
  const cursor = parseJson(text);
  if (!v.is(cursorSchema, cursor))
    throw new UsageError(`${path} is not a cursor of audit-trail follow`, { hint: START_OVER });
  const { service, organization } = cursor;
  if (service !== trail.service) throw createForeignError(path, service);
  const isKnown = organization !== undefined && trail.organization !== undefined;
  if (isKnown && !isSameName(organization, trail.organization ?? '')) throw createForeignError(path, organization);
  return { ...cursor, organization: organization ?? trail.organization };
}

export function createForeignError(path: string, owner: string): UsageError {
  return new UsageError(`the cursor ${path} belongs to ${owner}`, { hint: START_OVER });
}

export function writeCursor(path: string, cursor: Cursor): void {
  try {
    writePrivateFile(path, `${JSON.stringify(cursor)}\n`);
  } catch (error) {
    throw new OrgctlError('failure', `can't write the cursor ${path}: ${formatFileError(error)}`, {
      code: 'cursor-not-written',
      hint: 'The next run repeats the last events.',
      cause: error,
    });
  }
}
