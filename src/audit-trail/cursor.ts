import { OrgctlError, UsageError } from '../lib/errors.ts';
import { formatFileError, readOptionalFile, writePrivateFile } from '../lib/files.ts';
import { isObject, parseJson } from '../lib/json.ts';
import { isSameName } from '../lib/text.ts';
import { DAY, HOUR } from '../lib/time.ts';

/** How long the service keeps events (facts). */
export const RETENTION = 14 * DAY;
/** Events become visible up to so late. */
const MARGIN = HOUR;
const START_OVER = 'Name another file with --cursor. It was not changed.';

/** Whose trail is followed. */
export interface Owner {
  /** The service's origin; `sandbox` for the built-in one. */
  service: string;
  /** Undefined if only the token knows it. */
  organization?: string | undefined;
}

/** How far a trail was followed. Times are milliseconds since 1970. */
export interface Cursor extends Owner {
  /** As events name the organization. */
  organizationId?: string;
  /** From --since: the trail begins here. */
  since?: number | undefined;
  /** The newest event that was delivered. */
  newest?: number;
  /** The beginning of the last reading that was delivered whole, by the service's clock. */
  readAt?: number;
  /** When the delivered events of the last hour before the newest happened, by id: they are read again. */
  recent: Record<string, number>;
}

export interface DatedEvent {
  id: string;
  at: number;
}

export function findStart({ newest, since }: Cursor): number | undefined {
  return newest === undefined ? since : Math.max(newest - MARGIN, since ?? 0);
}

/** After these events, the oldest first, were delivered. */
export function advance(cursor: Cursor, events: DatedEvent[]): Cursor {
  const newest = Math.max(cursor.newest ?? 0, events.at(-1)?.at ?? 0);
  const known = [...Object.entries(cursor.recent), ...events.map(({ id, at }) => [id, at] as const)];
  return { ...cursor, newest, recent: Object.fromEntries(known.filter(([, at]) => at >= newest - MARGIN)) };
}

/** Until when events are certainly delivered, if the service no longer keeps all later ones. `clock` is the service's. */
export function findGap({ newest, readAt }: Cursor, clock: number): number | undefined {
  const last = Math.max(newest ?? 0, readAt ?? 0);
  return last > 0 && last < clock - RETENTION ? last : undefined;
}

/** Undefined if there is no file. Throws UsageError for a file that is no cursor, and for the cursor of another trail. */
export function readCursor(path: string, owner: Owner): Cursor | undefined {
  const text = readOptionalFile(path);
  return text === undefined ? undefined : parseCursor(text, path, owner);
}

export function parseCursor(text: string, path: string, owner: Owner): Cursor {
  const cursor = parseJson(text);
  if (!isCursor(cursor)) throw new UsageError(`${path} is no cursor of audit-trail follow`, { hint: START_OVER });
  const { service, organization } = cursor;
  if (service !== owner.service) throw createForeignError(path, service);
  const isKnown = organization !== undefined && owner.organization !== undefined;
  if (isKnown && !isSameName(organization, owner.organization ?? '')) throw createForeignError(path, organization);
  return { ...cursor, organization: organization ?? owner.organization };
}

export function createForeignError(path: string, owner: string): UsageError {
  return new UsageError(`the cursor ${path} belongs to ${owner}`, { hint: START_OVER });
}

function isCursor(value: unknown): value is Cursor {
  if (!isObject(value) || typeof value.service !== 'string' || !isObject(value.recent)) return false;
  const isOptional = (name: string, type: string): boolean => value[name] === undefined || typeof value[name] === type;
  const times = ['since', 'newest', 'readAt'].every((name) => isOptional(name, 'number'));
  return times && ['organization', 'organizationId'].every((name) => isOptional(name, 'string'));
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
