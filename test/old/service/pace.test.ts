import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPace, WINDOW } from '../../../src/old/service/pace.ts';
import { createVirtualClock, type VirtualClock } from '../../support/clock.ts';

const SIGNAL = new AbortController().signal;
const limitOf = (limit: unknown) => ({ 'x-ratelimit-limit': String(limit) });

function open(limit?: unknown, late: readonly number[] = []) {
  const clock = createVirtualClock(late);
  const pace = createPace(clock);
  if (limit !== undefined) pace.learn(limitOf(limit));
  return { clock, pace };
}

/** When each of them left, in the order of leaving. Arrivals are milliseconds from the start. */
async function depart(
  clock: VirtualClock,
  pace: ReturnType<typeof createPace>,
  arrivals: readonly number[],
  also: readonly { readonly at: number; readonly act: () => void }[] = [],
): Promise<readonly number[]> {
  const departures: number[] = [];
  const all = Promise.all([
    ...also.map(async ({ at, act }) => {
      await clock.sleep(at);
      act();
    }),
    ...arrivals.map(async (arrival) => {
      await clock.sleep(arrival);
      await pace.take(SIGNAL);
      departures.push(clock.now());
    }),
  ]);
  await clock.run();
  await all;
  return departures;
}

/** The earliest departures that keep to the limit. */
function earliest(arrivals: readonly number[], limit: number): readonly number[] {
  const departures: number[] = [];
  for (const arrival of [...arrivals].sort((one, other) => one - other)) {
    const full = departures[departures.length - limit];
    departures.push(Math.max(arrival, departures.at(-1) ?? 0, full === undefined ? 0 : full + WINDOW));
  }
  return departures;
}

const arrivals = fc.array(fc.nat({ max: 4_000 }), { maxLength: 120 });

describe('the limit', () => {
  it('is 30 until the service names one', async () => {
    const clock = createVirtualClock();
    const departures = await depart(clock, createPace(clock), Array(61).fill(0));
    expect(departures).toEqual([...Array(30).fill(0), ...Array(30).fill(WINDOW), 2 * WINDOW]);
  });

  it('holds in every window, and no request waits longer than that takes', async () => {
    await fc.assert(
      fc.asyncProperty(arrivals, fc.integer({ min: 1, max: 40 }), async (times, limit) => {
        const { clock, pace } = open(limit);
        expect(await depart(clock, pace, times)).toEqual(earliest(times, limit));
      }),
    );
  });

  it('holds in every window of what really left when timers are late', async () => {
    await fc.assert(
      fc.asyncProperty(
        arrivals,
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.nat({ max: 3_000 }), { maxLength: 20 }),
        async (times, limit, late) => {
          const { clock, pace } = open(limit, late);
          const departures = await depart(clock, pace, times);
          expect(departures).toHaveLength(times.length);
          for (const [index, departure] of departures.entries()) {
            expect((departures[index + limit] ?? Number.POSITIVE_INFINITY) - departure).toBeGreaterThanOrEqual(WINDOW);
          }
        },
      ),
    );
  });

  it.each([['0'], ['-1'], ['many'], [''], ['1.5'], ['30, 30'], ['9999999']])('%j teaches nothing', async (text) => {
    const { clock, pace } = open(text);
    pace.learn({});
    expect((await depart(clock, pace, Array(31).fill(0))).at(-1)).toBe(WINDOW);
  });

  it('can shrink and grow while requests leave', async () => {
    const { clock, pace } = open();
    const departures = await depart(
      clock,
      pace,
      [...Array(30).fill(0), ...Array(2).fill(10), ...Array(30).fill(1_100)],
      [
        { at: 5, act: () => pace.learn(limitOf(1)) },
        { at: 1_099, act: () => pace.learn(limitOf(30)) },
      ],
    );
    expect(departures).toEqual([
      ...Array(30).fill(0),
      WINDOW,
      // The second of the two is already asleep for the limit of one.
      ...Array(30).fill(2 * WINDOW),
      3 * WINDOW,
    ]);
  });
});

describe('a departure', () => {
  it('counts from when it really left, where a connection was made first', async () => {
    const { clock, pace } = open(1);
    const left = await pace.take(SIGNAL);
    const later = depart(clock, pace, [0, 0], [{ at: 700, act: left }]);
    expect(await later).toEqual([700 + WINDOW, 700 + 2 * WINDOW]);
  });
});

describe('a clock that is set back', () => {
  const HOUR = 3_600_000;

  /** The time that passes is the clock's own; what it shows can be set back. */
  function createSetBack() {
    const clock = createVirtualClock();
    let back = 0;
    const pace = createPace({ now: () => 24 * HOUR + clock.now() - back, sleep: clock.sleep });
    return {
      clock,
      pace,
      setBack: () => {
        back += HOUR;
      },
    };
  }

  it('keeps no request waiting for longer than the limit takes', async () => {
    const { clock, pace, setBack } = createSetBack();
    pace.learn(limitOf(2));
    await pace.take(SIGNAL);
    await pace.take(SIGNAL);
    setBack();
    expect(await depart(clock, pace, [0, 0, 0])).toEqual([WINDOW, WINDOW, 2 * WINDOW]);
  });

  it('nor those who wait already', async () => {
    const { clock, pace, setBack } = createSetBack();
    pace.learn(limitOf(1));
    await pace.take(SIGNAL);
    expect(await depart(clock, pace, [0], [{ at: 500, act: setBack }])).toEqual([WINDOW]);
  });

  it('makes a hold no longer', async () => {
    const { clock, pace, setBack } = createSetBack();
    pace.hold(5_000);
    setBack();
    expect(await depart(clock, pace, [0])).toEqual([5_000]);
  });

  it('does not matter to what left late', async () => {
    const { clock, pace, setBack } = createSetBack();
    pace.learn(limitOf(1));
    const left = await pace.take(SIGNAL);
    setBack();
    left();
    expect(await depart(clock, pace, [0])).toEqual([WINDOW]);
  });
});

describe('a hold', () => {
  it('holds newcomers and those who were waiting, and then keeps to the limit', async () => {
    const { clock, pace } = open(2);
    const departures = await depart(clock, pace, [0, 0, 0, 0, 0, 600], [{ at: 500, act: () => pace.hold(5_000) }]);
    expect(departures).toEqual([0, 0, 5_500, 5_500, 5_500 + WINDOW, 5_500 + WINDOW]);
  });

  it('is not shortened by a later, shorter one', async () => {
    const { clock, pace } = open();
    pace.hold(5_000);
    pace.hold(10);
    expect(await depart(clock, pace, [0])).toEqual([5_000]);
  });

  it('lets no request leave before its end, whenever it comes', async () => {
    await fc.assert(
      fc.asyncProperty(
        arrivals,
        fc.integer({ min: 1, max: 10 }),
        fc.nat({ max: 4_000 }),
        fc.nat({ max: 4_000 }),
        async (times, limit, at, milliseconds) => {
          const { clock, pace } = open(limit);
          const departures = await depart(clock, pace, times, [{ at, act: () => pace.hold(milliseconds) }]);
          expect(departures).toHaveLength(times.length);
          expect(departures.filter((departure) => departure > at && departure < at + milliseconds)).toEqual([]);
        },
      ),
    );
  });
});

describe('a signal to stop', () => {
  it('rejects those who wait, and takes nothing from those who come after', async () => {
    const { clock, pace } = open(1);
    const stop = new AbortController();
    await pace.take(SIGNAL);
    const waiting = Promise.allSettled([pace.take(stop.signal), pace.take(stop.signal)]);
    const reason = new Error('enough');
    stop.abort(reason);
    await clock.run();
    expect(await waiting).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    const left = pace.take(SIGNAL).then(() => clock.now());
    await clock.run();
    expect(await left).toBe(WINDOW);
  });
});
