import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createRateLimiter } from '../../src/api/rate-limit.ts';

/** Time that passes only while every caller sleeps. */
function createVirtualClock() {
  let time = 0;
  const sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => time,
    sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
      return new Promise((resolve, reject) => {
        const sleeper = {
          at: time + milliseconds,
          wake() {
            signal?.removeEventListener('abort', stop);
            resolve();
          },
        };
        const stop = (): void => {
          sleepers.splice(sleepers.indexOf(sleeper), 1);
          reject(signal?.reason);
        };
        sleepers.push(sleeper);
        if (signal?.aborted === true) stop();
        else signal?.addEventListener('abort', stop, { once: true });
      });
    },
    /** Lets time pass until no sleep is left. */
    async run(): Promise<void> {
      for (;;) {
        await setImmediate();
        sleepers.sort((one, other) => one.at - other.at);
        const next = sleepers.shift();
        if (next === undefined) return;
        time = Math.max(time, next.at);
        next.wake();
      }
    },
  };
}

const { signal } = new AbortController();

async function takeMany(count: number, pauseAt?: number): Promise<number[]> {
  const clock = createVirtualClock();
  const limiter = createRateLimiter(clock);
  const left: number[] = [];
  const all = Array.from({ length: count }, async (_, index) => {
    await limiter.take(signal);
    left.push(clock.now());
    if (index === pauseAt) limiter.pause(5_000);
  });
  await clock.run();
  await Promise.all(all);
  return left;
}

test('at most 30 requests leave in any second', async () => {
  const left = await takeMany(100);
  for (const [index, at] of left.entries()) {
    const before = left[index - 30];
    if (before !== undefined) expect(at - before).toBeGreaterThanOrEqual(1_000);
  }
  expect(left[29]).toBe(0);
  expect(left[99]).toBeLessThan(4_000);
});

test('a pause holds every request that comes after it', async () => {
  expect(await takeMany(3, 0)).toEqual([0, 5_000, 5_000]);
});
