import { RETENTION } from '../service/audit-trail.ts';
import { MINUTE } from '../when.ts';

/** How far an audit trail was followed. Pure. Instants are milliseconds since 1970, by the service's clock. */

/** Events may come so late, and are then older than others that were read before. */
const MARGIN = 5 * MINUTE;
/** HTTP's clock has whole seconds. */
const CLOCK_STEP = 1_000;

export interface Position {
  /** Events before it are not wanted. Undefined: all are that the service keeps. */
  readonly from: number | undefined;
  /** Up to when the trail was read whole; undefined before that ever happened. */
  readonly readUntil: number | undefined;
  /** The newest event that was delivered. Without an id it is one that the service no longer shows. */
  readonly newest: { readonly at: number; readonly id: string | undefined } | undefined;
  /** The events of the last minutes before the newest one, by id: they come again, and are known. */
  readonly recent: ReadonlyMap<string, number>;
  /** The organization whose events these are, by the id that events have of it. */
  readonly organizationId: string | undefined;
}

/** An event that is to be delivered, or was. */
export interface Dated {
  readonly id: string;
  readonly at: number;
}

/** A position before any event. */
export function startAt(from: number | undefined): Position {
  return { from, readUntil: undefined, newest: undefined, recent: new Map(), organizationId: undefined };
}

/** From when on the service is asked for events; undefined for all. */
export function toStart({ from, readUntil, newest }: Position): number | undefined {
  if (newest === undefined && readUntil === undefined) return from;
  // What an earlier version kept as the newest one may lie ahead.
  const known = Math.min(newest?.at ?? Number.POSITIVE_INFINITY, readUntil ?? Number.POSITIVE_INFINITY);
  return Math.max(known - MARGIN, from ?? Number.NEGATIVE_INFINITY);
}

/**
 * After these events, oldest first, were delivered. All that is older is delivered too. `clock`: what the service's clock
 * showed before they were read. An event ahead of it is delivered, and says nothing of how far the trail was read.
 */
export function advance(position: Position, events: readonly Dated[], clock: number): Position {
  const last = events.at(-1);
  if (last === undefined) return position;
  const past = events.findLast(({ at }) => at <= clock + CLOCK_STEP);
  const isNewer = past !== undefined && (position.newest === undefined || past.at >= position.newest.at);
  const newest = isNewer ? { at: past.at, id: past.id } : position.newest;
  const readUntil = Math.max(position.readUntil ?? Number.NEGATIVE_INFINITY, Math.min(last.at, clock));
  const kept = Math.min(newest?.at ?? readUntil, readUntil) - MARGIN;
  const recent = new Map<string, number>();
  for (const [id, instant] of position.recent) if (instant >= kept) recent.set(id, instant);
  for (const { id, at: instant } of events) if (instant >= kept) recent.set(id, instant);
  return { ...position, newest, readUntil, recent };
}

/** After a whole reading that began when the service's clock showed `clock`, all of which was delivered. */
export function finish(position: Position, clock: number, isNewestGone: boolean): Position {
  const { newest, readUntil } = position;
  return {
    ...position,
    readUntil: Math.max(readUntil ?? clock, clock),
    newest: isNewestGone && newest !== undefined ? { at: newest.at, id: undefined } : newest,
  };
}

/**
 * Whether the service's clock went back so far that new events may have times before those it is asked for. `latest`: when
 * the latest event came that was not known; where one is newer than all before, only the clock is wrong.
 */
export function isClockBehind({ newest }: Position, clock: number, latest: number | undefined): boolean {
  if (newest === undefined || clock >= newest.at - MARGIN) return false;
  return latest === undefined || latest < newest.at;
}

/** What may be missing: events between two instants, and why. */
export interface Gap {
  readonly since: number;
  readonly until: number;
  readonly cause: 'late' | 'gone';
}

/** What a whole reading showed. */
export interface Seen {
  /** What the service's clock showed when it began, and when it ended. */
  readonly began: number;
  readonly ended: number;
  /** Whether the newest event that is known came again. */
  readonly hasNewest: boolean;
  /** When the oldest event came that was not known; undefined where there was none. */
  readonly oldest: number | undefined;
}

/** What was lost between this reading and the one before; undefined where nothing was. */
export function findGap(position: Position, { began, ended, hasNewest, oldest }: Seen): Gap | undefined {
  const { readUntil, newest } = position;
  if (readUntil === undefined) return undefined;
  if (readUntil < began - RETENTION) {
    return { since: readUntil, until: Math.max(readUntil, oldest ?? began - RETENTION), cause: 'late' };
  }
  // At the edge it may leave while the trail is read.
  const isKept = newest?.id !== undefined && newest.at > ended - RETENTION + MARGIN;
  if (!isKept || hasNewest) return undefined;
  return { since: newest.at, until: Math.max(newest.at, oldest ?? began), cause: 'gone' };
}
