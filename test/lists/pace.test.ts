import { expect, test } from 'vitest';
import { pass, refuse } from '../support/faults.ts';
import { createFixedWindow, createSlidingWindow, createTokenBucket, type Limiter } from '../support/limiters.ts';
import { createRows, startListed, toSheet } from '../support/listed.ts';
import { createSkippingClock } from '../support/timed.ts';

/** What the pace keeps between a request and the one so many before it: a second and a margin. */
const WINDOW = 1_025;
const ROWS = createRows(10_000);

/** 100 pages, several of them on their way at a time, from a service that counts. */
async function read(limiter: Limiter) {
  const clock = createSkippingClock();
  const begun = clock.now();
  let refusals = 0;
  const service = await startListed((asked) => toSheet(ROWS, asked), {
    clock,
    async through(passing, front) {
      const { accepted } = limiter.take(clock.now());
      if (!accepted) refusals += 1;
      await (accepted ? pass : refuse(429))(passing, front);
    },
  });
  const { code, stdout } = await service.read('-o', 'tsv', '--fields', 'id');
  expect(stdout).toBe(ROWS.map(({ id }) => `${id}\n`).join(''));
  return {
    code,
    refusals,
    requests: service.requests.length,
    milliseconds: clock.now() - begun,
    connections: service.connections(),
  };
}

test.each<[string, () => Limiter]>([
  ['a bucket of 30 tokens', () => createTokenBucket(30)],
  ['30 in a window of a second', () => createFixedWindow(30, 500)],
  ['30 in any second', () => createSlidingWindow(30)],
])('pages fetched ahead keep to %s', async (_name, createLimiter) => {
  const { connections, ...result } = await read(createLimiter());
  expect(result).toEqual({ code: 0, refusals: 0, requests: 100, milliseconds: 3 * WINDOW });
  expect(connections).toBeGreaterThan(1);
});
