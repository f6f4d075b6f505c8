import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { Http } from '../../src/api/http.ts';
import { RateLimiter } from '../../src/api/rate-limit.ts';
import { createRedactor } from '../../src/lib/redact.ts';
import { GOOD, KEY } from '../support/certificates.ts';
import { answer, startScripted } from '../support/scripted.ts';

// Enough turns of the event loop for what was sent before to arrive on this machine.
const TURNS = 20;

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
    /** Lets time pass until the work is done, but not while something is on its way that waits for no clock. */
    async run<T>(work: Promise<T>, isStill = () => true): Promise<T> {
      let isDone = false;
      const done = work.finally(() => {
        isDone = true;
      });
      while (!isDone) {
        for (let turn = 0; turn < TURNS || !isStill(); turn += 1) await setImmediate();
        sleepers.sort((one, other) => one.at - other.at);
        const next = sleepers.shift();
        time = Math.max(time, next?.at ?? time);
        next?.wake();
      }
      return done;
    },
  };
}

const { signal } = new AbortController();

/** The request with this number leaves never, the others at once. */
async function sendMany(count: number, { pauseAt = -1, failAt = -1 } = {}): Promise<number[]> {
  const clock = createVirtualClock();
  const limiter = new RateLimiter(clock);
  const left: number[] = [];
  const all = Array.from({ length: count }, (_, index) =>
    limiter.run(signal, async (onLeave) => {
      if (index === failAt) return;
      onLeave();
      left.push(clock.now());
      if (index === pauseAt) limiter.pause(5_000);
    }),
  );
  await clock.run(Promise.all(all));
  return left;
}

test('a request that never left is not counted', async () => {
  expect((await sendMany(31, { failAt: 3 })).at(-1)).toBe(0);
});

test('all may wait for a connection, on a clock that stands still too', async () => {
  const limiter = new RateLimiter({ now: () => 0, sleep: async () => undefined });
  const sent = Array.from({ length: 100 }, () => limiter.run(signal, (onLeave) => setImmediate().then(onLeave)));
  expect(await Promise.all(sent)).toHaveLength(100);
});

test('a pause holds every request that comes after it', async () => {
  expect(await sendMany(3, { pauseAt: 0 })).toEqual([0, 5_000, 5_000]);
});

/** The shortest time in which 31 came. */
function findShortest(times: number[]): number {
  return Math.min(...times.slice(30).map((time, index) => time - (times[index] ?? 0)));
}

/** Bytes take so long for each way. The handshakes and answers of each further connection take longer. */
async function startLink(port: number, latency: number, sleep: (milliseconds: number) => Promise<void>) {
  let [connections, taken, passed] = [0, 0, 0];
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    const backwards = latency + 5 * connections;
    connections += 1;
    near.on('data', (bytes) => {
      taken += 1;
      void sleep(latency).then(() => {
        passed += 1;
        far.write(bytes);
      });
    });
    far.on('data', (bytes) => sleep(backwards).then(() => near.write(bytes)));
    near.on('error', () => undefined).on('close', () => far.destroy());
    far.on('error', () => undefined);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  // A request comes in one piece, and those of TLS have others before them.
  const isStill = (left: number, arrived: number) => left <= taken && (passed > left || passed <= arrived);
  return { port: (server.address() as AddressInfo).port, isStill };
}

test.each(['http', 'https'].flatMap((scheme) => [0, 10, 50].map((latency) => [scheme, latency] as const)))(
  'at most 30 arrive in any second from all clients of a process: %s, %i ms each way',
  async (scheme, latency) => {
    const clock = createVirtualClock();
    const limiter = new RateLimiter(clock);
    const arrived: number[] = [];
    const server = await startScripted(
      (socket, request) => {
        arrived.push(clock.now());
        return answer(200, {})(socket, request);
      },
      scheme === 'https' ? { tls: { cert: GOOD, key: KEY } } : {},
    );
    const { port, isStill } = await startLink(server.port, latency, clock.sleep);
    let left = 0;
    const onLeave = () => {
      left += 1;
    };
    const url = new URL(`${scheme}://127.0.0.1:${port}`);
    const clients = [1, 2].map(
      () =>
        new Http({
          ...{ userAgent: 'test', token: undefined, skipTlsVerify: true, allowHttp: [], env: {}, signal, limiter },
          ...{ now: clock.now, onExchange: () => undefined, redactor: createRedactor() },
        }),
    );
    const sent = Array.from({ length: 150 }, () =>
      clients.map((client) => client.send({ method: 'GET', url, mediaType: 'text/plain', timeout: 60_000, onLeave })),
    );
    await clock.run(Promise.all(sent.flat()), () => isStill(left, arrived.length));
    for (const client of clients) await client.close();
    expect(arrived.length).toBe(300);
    expect(findShortest(arrived)).toBeGreaterThanOrEqual(1_000);
    // Ten seconds are the limit's own time.
    expect((arrived.at(-1) ?? 0) - (arrived[0] ?? 0)).toBeLessThan(10_500);
  },
);
