import { createHash } from 'node:crypto';
import type { ErrorCode } from '../error-codes.ts';
import { OrgctlError, reword, ServiceError } from '../errors.ts';
import type { SpillFile } from '../files/spill-file.ts';
import { getMember, toText } from '../json-object.ts';
import { stream } from '../reading.ts';
import { RETENTION_TEXT, toInstant } from '../service/audit-trail.ts';
import type { Service } from '../service/service.ts';
import { toUtc } from '../text/time.ts';
import type { AuditEvent } from '../wire/resources.ts';
import { type Backlog, createBacklog } from './backlog.ts';
import {
  advance,
  type Dated,
  findGap,
  finish,
  type Gap,
  isClockBehind,
  type Position,
  startAt,
  toStart,
} from './position.ts';

/** Reads an audit trail again and again, and delivers every event once, the oldest first. */

export interface FollowInput {
  /** One reading; otherwise until a signal ends it. */
  readonly once: boolean;
  /** Milliseconds between two readings. */
  readonly interval: number;
  /** Where to begin without a position: an instant, from now on, or with everything that the service keeps. */
  readonly start: number | 'now' | 'all';
}

export interface Delivery {
  /** Resolves when these are where they belong, and stay there. Otherwise some of them may be. */
  deliver(events: readonly AuditEvent[]): Promise<void>;
  /** After the last of them. */
  end(): Promise<void>;
  /** What was delivered counts only after `end`. */
  readonly isWhole: boolean;
}

/** The trail as one token reads it; the same object as long as it is the same token. */
export interface Trail {
  readonly service: Pick<Service, 'auditTrail'>;
  /** After an empty answer. Throws for a token that never gets another one. */
  checkReader(isFirst: boolean): Promise<void>;
}

export interface FollowWorld {
  now(): number;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  readonly signal: AbortSignal;
  defer<T>(act: () => Promise<T>, grace: number): Promise<T>;
  note(text: string): void;
  /** `code`: what programs know it by. */
  warn(text: string, code?: ErrorCode): void;
  /** Reads the token again. Throws `not-authenticated` where there is none. */
  open(): Promise<Trail>;
  /** Whether the token may be another one when it is read again. */
  canTokenChange(): boolean;
  /** For events that wait to be delivered. */
  openSpillFile(): SpillFile;
  /** Undefined where nothing is kept. */
  readonly cursor: { readonly position: Position | undefined; write(position: Position): void } | undefined;
  readonly delivery: Delivery;
  /** Shows how many events were read so far; undefined when that is over. */
  onProgress(count: number | undefined): void;
  /** Says that a single reading had nothing new. */
  noteEmpty(): Promise<void>;
  /** Fails for a cursor that turned out to be of another organization. */
  refuseOther(): never;
}

const BATCH = 1_000;
/** All in milliseconds. */
/** In which a reader takes the last batch; with what ends then, 10 s at most. */
const GRACE = 9_000;
const TOKEN_PAUSE = 2_000;
const TOKEN_PATIENCE = { once: 5_000, always: 60_000 };

/** Returns after one reading, or never. Throws `attention` for a gap found by the only reading. */
export async function follow(input: FollowInput, world: FollowWorld): Promise<void> {
  const follower = createFollower(input, world);
  try {
    await follower.begin();
    for (let rounds = 0; ; rounds += 1) {
      await follower.round(rounds > 0);
      if (input.once) return await follower.finish();
      if (rounds === 0) world.note(`Following: the trail is read every ${input.interval / 1_000} s.`);
      await world.sleep(input.interval, world.signal);
    }
  } catch (error) {
    throw error instanceof OrgctlError && error === world.signal.reason ? follower.describeEnd(error) : error;
  }
}

interface Reading {
  readonly backlog: Backlog;
  /** What the service's clock showed at its beginning. */
  readonly clock: number;
  readonly gap: Gap | undefined;
  readonly organizationId: string | undefined;
}

function createFollower(input: FollowInput, world: FollowWorld) {
  const { cursor, delivery, signal } = world;
  let position = cursor?.position ?? startAt(typeof input.start === 'number' ? input.start : undefined);
  let gap: Gap | undefined;
  let count = 0;
  let isFailing = false;
  let isBehind = false;
  let isDelivering = false;
  let trail: Trail | undefined;

  /** With a token that works, as far as one comes within the time that a rotation needs to deliver it. */
  async function withToken<T>(act: (current: Trail) => Promise<T>): Promise<T> {
    const patience = input.once ? TOKEN_PATIENCE.once : TOKEN_PATIENCE.always;
    for (let waited = 0; ; ) {
      let problem: unknown;
      try {
        trail = await world.open();
        return await act(trail);
      } catch (error) {
        if (!isRejected(error, trail !== undefined) || !world.canTokenChange()) throw error;
        problem = error;
      }
      for (let isSame = true; isSame; ) {
        const pause = Math.min(TOKEN_PAUSE, patience - waited);
        if (pause <= 0) throw problem;
        await world.sleep(pause, signal);
        waited += pause;
        isSame = (await openQuietly()) === trail;
      }
    }
  }

  /** The same trail as before where there is no other token yet. */
  async function openQuietly(): Promise<Trail | undefined> {
    return await world.open().catch((error: unknown) => {
      if (error === signal.reason || !(error instanceof OrgctlError)) throw error;
      return trail;
    });
  }

  async function read({ service, checkReader }: Trail): Promise<Reading> {
    const backlog = createBacklog(world.openSpillFile);
    let began: number | undefined;
    let ended: number | undefined;
    let came = 0;
    let hasNewest = false;
    let latest: number | undefined;
    const organizations = new Set<string>();
    try {
      const onClock = (clock: number | undefined): void => {
        ended = clock ?? world.now();
        began ??= ended;
      };
      let last = position.newest?.at ?? 0;
      for await (const { items } of stream(service.auditTrail.list({ since: toStart(position) }, {}, { onClock }))) {
        const fresh: { at: number; text: string }[] = [];
        for (const event of items) {
          came += 1;
          const id = toEventId(event);
          last = toInstant(event) ?? last;
          hasNewest ||= id === position.newest?.id;
          for (const organization of toOrganization(event)) organizations.add(organization);
          const isOld = position.from !== undefined && last < position.from;
          if (position.recent.has(id) || isOld) continue;
          latest = Math.max(latest ?? last, last);
          fresh.push({ at: last, text: JSON.stringify(event) });
        }
        backlog.add(fresh);
        world.onProgress(came);
      }
      const clock = began ?? world.now();
      const found = findGap(position, { began: clock, ended: ended ?? clock, hasNewest, oldest: backlog.oldest() });
      const wasBehind = isBehind;
      isBehind = isClockBehind(position, clock, latest);
      if (isBehind && !wasBehind) world.warn(describeBehind(clock));
      const known = position.organizationId;
      if (found?.cause === 'gone' && known !== undefined) {
        // A reading without new events does not show whose trail it is.
        const shown = organizations.size > 0 ? organizations : await readOrganization(service);
        if (shown.size > 0 && !shown.has(known)) world.refuseOther();
      }
      world.onProgress(undefined);
      if (came === 0) await checkReader(position.newest === undefined);
      return { backlog, clock, gap: found, organizationId: known ?? [...organizations][0] };
    } catch (error) {
      world.onProgress(undefined);
      backlog.close();
      throw error;
    }
  }

  /** Moves the position with what was delivered, and the cursor with it. */
  async function deliver({ backlog, clock, gap: found, organizationId }: Reading): Promise<void> {
    let left = backlog.size;
    const isGone = found?.cause === 'gone';
    for (const batch of backlog.batches(BATCH)) {
      left -= batch.length;
      const events = batch.map(({ at, text }) => {
        const event: AuditEvent = JSON.parse(text);
        return { at, id: toEventId(event), event };
      });
      await world.defer(async () => {
        isDelivering = true;
        await delivery.deliver(events.map(({ event }) => event));
        count += events.length;
        isDelivering = false;
        const next = advance({ ...position, organizationId }, events satisfies readonly Dated[], clock);
        await move(next, left === 0 ? { clock, isGone } : undefined);
      }, GRACE);
    }
    if (backlog.size === 0) await world.defer(() => move({ ...position, organizationId }, { clock, isGone }), GRACE);
  }

  async function move(
    next: Position,
    whole: { readonly clock: number; readonly isGone: boolean } | undefined,
  ): Promise<void> {
    if (whole !== undefined && input.once) await delivery.end();
    const isNewestGone = whole?.isGone === true && next.newest?.id === position.newest?.id;
    const moved = whole === undefined ? next : finish(next, whole.clock, isNewestGone);
    if (whole !== undefined || !delivery.isWhole) cursor?.write(moved);
    position = moved;
  }

  return {
    async begin(): Promise<void> {
      if (cursor?.position !== undefined || input.start !== 'now') return;
      const clock = await withToken(({ service }) => service.auditTrail.readClock());
      position = startAt(clock ?? world.now());
    },
    /** One reading, delivered. What keeps it from being read is only said where it was read before. */
    async round(isAgain: boolean): Promise<void> {
      let reading: Reading;
      try {
        reading = await withToken(read);
      } catch (error) {
        if (!isAgain || !isPassing(error)) throw error;
        if (!isFailing) world.warn(`${error.message}. The trail is read again every ${input.interval / 1_000} s.`);
        isFailing = true;
        return;
      }
      if (isFailing) world.note('The trail can be read again.');
      isFailing = false;
      gap = reading.gap ?? gap;
      if (reading.gap !== undefined) world.warn(describeGap(reading.gap), 'gap');
      try {
        await deliver(reading);
      } finally {
        reading.backlog.close();
      }
    },
    async finish(): Promise<void> {
      if (count === 0) await world.noteEmpty();
      if (gap === undefined) return;
      throw new OrgctlError('attention', 'the audit trail has a gap', {
        code: 'gap',
        reasons: [describeGap(gap)],
        hint: 'What the service keeps was printed, and the next run goes on from there. Run it more often than that.',
      });
    },
    describeEnd(error: OrgctlError): OrgctlError {
      const events = `${count} event${count === 1 ? '' : 's'} delivered`;
      const covered = count === 0 || cursor === undefined ? `${events}.` : `${events}; the cursor covers them.`;
      const untaken = 'A batch was not taken within 10 s: the next run repeats it.';
      return reword(error, { reasons: isDelivering ? [covered, untaken] : [covered] });
    },
  };
}

async function readOrganization({ auditTrail }: Trail['service']): Promise<ReadonlySet<string>> {
  return new Set(toOrganization(await auditTrail.readNewest()));
}

/** The id of the organization that an event is of, where it says so. */
function toOrganization(event: AuditEvent | undefined): readonly string[] {
  const id = toText(getMember(event, 'auth', 'organization_id'));
  return id === undefined ? [] : [id];
}

/** Assumed: every event of the audit trail has an id. One without an id is known by its contents. */
function toEventId(event: AuditEvent): string {
  const id = toText(event.id);
  return id ?? createHash('sha256').update(JSON.stringify(event)).digest('hex');
}

/** `hadToken`: whether there was one before, so that a missing one may be about to be replaced. */
function isRejected(error: unknown, hadToken: boolean): boolean {
  if (error instanceof ServiceError) return error.status === 401;
  const isMissing = error instanceof OrgctlError && error.exit === 'not-authenticated';
  return hadToken && isMissing && error.code !== 'wrong-token-kind';
}

/** Troubles of the service and the way to it, which may be over by the next reading. */
function isPassing(error: unknown): error is OrgctlError {
  return error instanceof OrgctlError && ['unavailable', 'rate-limited', 'incomplete'].includes(error.exit);
}

function describeBehind(clock: number): string {
  return `The service's clock went back, to ${toUtc(clock)}: what happens until it shows again what it showed before may be missing.`;
}

function describeGap({ since, until, cause }: Gap): string {
  const what = `Events between ${toUtc(since)} and ${toUtc(until)} may be missing`;
  return cause === 'late'
    ? `${what}: the trail was last read whole at the earlier time, and the service keeps ${RETENTION_TEXT}.`
    : `${what}: the newest event that was read before is no longer in the trail.`;
}
