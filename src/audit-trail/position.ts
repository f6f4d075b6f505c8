/** How far an audit trail was followed. Pure. Instants are milliseconds since 1970, by the service's clock. */

/** Events may come so late, and are then older than others that were read before. */
const MARGIN = 5 * 60_000;
/** How long the service keeps events. */
const RETENTION = 14 * 24 * 60 * 60_000;

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
  const known = newest?.at ?? readUntil;
  if (known === undefined) return from;
  return Math.max(known - MARGIN, from ?? Number.NEGATIVE_INFINITY);
}

/** After these events, oldest first, were delivered. All that is older is delivered too. */
export function advance(position: Position, events: readonly Dated[]): Position {
  const last = events.at(-1);
  if (last === undefined) return position;
  const { newest, readUntil } = position;
  const isNewer = newest === undefined || last.at >= newest.at;
  const at = isNewer ? last.at : newest.at;
  const recent = new Map<string, number>();
  for (const [id, instant] of position.recent) if (instant >= at - MARGIN) recent.set(id, instant);
  for (const { id, at: instant } of events) if (instant >= at - MARGIN) recent.set(id, instant);
  return {
    ...position,
    newest: isNewer ? { at, id: last.id } : newest,
    readUntil: readUntil === undefined ? at : Math.max(readUntil, at),
    recent,
  };
}

/** After a whole reading that began when the service's clock showed `clock`, all of which was delivered. */
export function finish(position: Position, clock: number, isNewestGone: boolean): Position {
  const { newest } = position;
  return {
    ...position,
    readUntil: clock,
    newest: isNewestGone && newest !== undefined ? { at: newest.at, id: undefined } : newest,
  };
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
