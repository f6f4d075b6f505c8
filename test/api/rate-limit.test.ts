import { expect, test } from 'vitest';
import { createRateLimiter } from '../../src/api/rate-limit.ts';
import { createVirtualClock } from '../support/clock.ts';

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
