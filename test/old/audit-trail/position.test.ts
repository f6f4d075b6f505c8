import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  advance,
  type Dated,
  findGap,
  finish,
  isClockBehind,
  type Position,
  startAt,
  toStart,
} from '../../../src/old/audit-trail/position.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** What happens between two readings, in the order of what it says. */
const step = fc.record({
  /** Milliseconds that pass. */
  passes: fc.integer({ min: 0, max: 20 * MINUTE }),
  /** How late each event comes that happens meanwhile; several of one time are usual. */
  late: fc.array(
    fc.integer({ min: 0, max: 4 * MINUTE }).map((value) => Math.floor(value / 30_000) * 30_000),
    {
      maxLength: 12,
    },
  ),
  /** After so many batches the run is killed, before or after the cursor moved with the last of them; undefined: never. */
  killed: fc.option(fc.record({ after: fc.nat({ max: 4 }), moved: fc.boolean() }), { nil: undefined }),
});

const BATCH = 3;
const AHEAD = 4 * MINUTE;

describe('a position', () => {
  test('gives every event, and again only those of the batch in which a run was killed', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const trail: Dated[] = [];
        const given = new Map<string, number>();
        let repeatable = 0;
        let now = 100 * DAY;
        let position: Position = startAt(undefined);
        const run = (killed: { readonly after: number; readonly moved: boolean } | undefined): void => {
          const start = toStart(position) ?? 0;
          const read = trail.filter(({ at }) => at >= start);
          const hasNewest = read.some(({ id }) => id === position.newest?.id);
          expect(findGap(position, { began: now, ended: now, hasNewest, oldest: undefined })).toBeUndefined();
          const fresh = read.filter(({ id }) => !position.recent.has(id)).sort((one, other) => one.at - other.at);
          for (let batch = 0; batch * BATCH < fresh.length; batch += 1) {
            if (killed?.after === batch) return;
            const events = fresh.slice(batch * BATCH, (batch + 1) * BATCH);
            for (const { id } of events) given.set(id, (given.get(id) ?? 0) + 1);
            if (killed?.after === batch + 1 && !killed.moved) {
              repeatable += events.length;
              return;
            }
            position = advance(position, events, now);
          }
          position = finish(position, now, false);
        };
        for (const { passes, late, killed } of steps) {
          now += passes;
          // Some are from a machine whose clock is ahead.
          const toTime = (time: number): number => (time === AHEAD ? now + DAY : now - time);
          trail.push(...late.map((time, index) => ({ id: `${trail.length + index}`, at: toTime(time) })));
          run(killed);
        }
        run(undefined);
        expect([...given.keys()].sort()).toEqual(trail.map(({ id }) => id).sort());
        const repeats = [...given.values()].reduce((sum, times) => sum + times - 1, 0);
        expect(repeats).toBeLessThanOrEqual(repeatable);
      }),
      { numRuns: 500 },
    );
  });

  test('is not moved by events ahead of the clock, which come once', () => {
    const ahead = { id: 'ahead', at: 90 * DAY };
    const position = finish(advance(startAt(undefined), [{ id: 'a', at: 50 * DAY }, ahead], 50 * DAY), 50 * DAY, false);
    expect(position.newest).toEqual({ id: 'a', at: 50 * DAY });
    expect([...position.recent.keys()]).toEqual(['a', 'ahead']);
    expect(toStart(position)).toBe(50 * DAY - 5 * MINUTE);
    // As an earlier version left it.
    expect(toStart({ ...position, newest: ahead })).toBe(50 * DAY - 5 * MINUTE);
  });

  test('is behind a clock that went back, unless events go on as before', () => {
    const position = finish(advance(startAt(undefined), [{ id: 'a', at: 50 * DAY }], 50 * DAY), 50 * DAY, false);
    expect(isClockBehind(position, 50 * DAY - 5 * MINUTE, undefined)).toBe(false);
    expect(isClockBehind(position, 49 * DAY, undefined)).toBe(true);
    expect(isClockBehind(position, 49 * DAY, 50 * DAY - MINUTE)).toBe(true);
    expect(isClockBehind(position, 49 * DAY, 50 * DAY + MINUTE)).toBe(false);
  });

  test('keeps the ids of the minutes before its newest event, and no others', () => {
    const events = Array.from({ length: 100 }, (_, index) => ({ id: `${index}`, at: index * MINUTE }));
    const { recent } = advance(startAt(undefined), events, 99 * MINUTE);
    expect([...recent.keys()]).toEqual(['94', '95', '96', '97', '98', '99']);
  });
});

describe('a gap', () => {
  const read = finish(advance(startAt(undefined), [{ id: 'a', at: 50 * DAY }], 50 * DAY), 50 * DAY, false);
  const at = (days: number, hasNewest: boolean, oldest?: number) =>
    findGap(read, { began: days * DAY, ended: days * DAY, hasNewest, oldest });

  test('is there after 14 days, up to the oldest event that is left', () => {
    expect(at(64, false)).toBeUndefined();
    expect(at(64.001, false)).toEqual({ since: 50 * DAY, until: 50.001 * DAY, cause: 'late' });
    expect(at(70, false, 60 * DAY)).toEqual({ since: 50 * DAY, until: 60 * DAY, cause: 'late' });
  });

  test('is there where the newest event is gone that the service still keeps', () => {
    expect(at(51, true)).toBeUndefined();
    expect(at(51, false)).toEqual({ since: 50 * DAY, until: 51 * DAY, cause: 'gone' });
    // It may leave while the trail is read.
    expect(at(63.999, false)).toBeUndefined();
  });

  test('is not there before anything was read whole', () => {
    expect(findGap(startAt(0), { began: 90 * DAY, ended: 90 * DAY, hasNewest: false, oldest: undefined })).toBe(
      undefined,
    );
  });
});
