import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { AUTHORITY, GOOD, KEY } from '../support/certificates.ts';
import { createFolder } from '../support/files.ts';
import { type Reply, startFront } from '../support/front.ts';
import {
  createFixedWindow,
  createSlidingWindow,
  createTokenBucket,
  type Limiter,
  type Verdict,
} from '../support/limiters.ts';
import { NOW } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { type Clock, createSkippingClock, runTimed } from '../support/timed.ts';

/** The least time between a request and the one so many before it: a second and a margin. */
const WINDOW = 1_025;
/** The members are counted, and then all read: they are few. */
const LOOKUPS = 2;
/** Several invitations are sent at the same time, and so may be refused together. */
const AT_ONCE = 8;

interface Limited {
  readonly count: number;
  readonly limiter: Limiter;
  readonly clock?: Clock & { pass?(milliseconds: number): void };
  /** Milliseconds that each request takes to arrive, in turn. */
  readonly delays?: readonly number[];
  /** Milliseconds until each connection is open, which is then by TLS. */
  readonly handshake?: number;
  /** Headers of accepted and of refused requests. */
  readonly accepted?: () => Readonly<Record<string, string>>;
  readonly refused?: (verdict: Verdict) => Readonly<Record<string, string>>;
}

/** So many invitations by one command to a service that counts requests, and the result. */
async function invite(limited: Limited) {
  const { count, limiter, clock = createSkippingClock(), delays = [0], handshake, accepted, refused } = limited;
  const service = await startService();
  const { body } = await service.ask('GET', '/organizations/acme/teams');
  const team = (body as { data: { id: string; attributes: { name: string } }[] }).data.find(
    ({ attributes }) => attributes.name === 'audit',
  );
  const begun = clock.now();
  let last = begun;
  const statuses: number[] = [];
  const front = await startFront(
    service.sandbox,
    async (passing) => {
      clock.pass?.(delays[statuses.length % delays.length] ?? 0);
      last = clock.now();
      const verdict = limiter.take(last);
      const reply: Reply = verdict.accepted ? await passing.act() : TOO_MANY;
      statuses.push(reply.status);
      const headers = verdict.accepted ? accepted?.() : refused?.(verdict);
      passing.send({ ...reply, headers: { ...reply.headers, ...headers } });
    },
    handshake === undefined ? {} : { tls: { key: KEY, cert: GOOD }, onConnect: () => clock.pass?.(handshake) },
  );
  const home = createFolder();
  const authority = join(home, 'authority.pem');
  writeFileSync(authority, AUTHORITY);
  const emails = Array.from({ length: count }, (_, index) => `person-${index}@example.com`);
  const lines: Buffer[] = [];
  const { code, stderr } = await runTimed(
    ['members', 'invite', ...emails, '--team', team?.id ?? '', '-q', '-o', 'ndjson'],
    {
      clock,
      env: {
        ORGCTL_BASE_URL: front.url,
        ORGCTL_CA_FILE: authority,
        ORGCTL_ORG: 'acme',
        ORGCTL_TOKEN: service.sandbox.tokenFor('owner', 'acme') ?? '',
      },
      onStdout: (piece) => lines.push(piece),
    },
  );
  const invited = Buffer.concat(lines)
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { email: string }).email);
  return {
    code,
    stderr,
    // Each once, in the order of the arguments.
    invited: JSON.stringify(invited) === JSON.stringify(emails),
    requests: front.requests.length,
    refusals: statuses.filter((status) => status === 429).length,
    done: front.done.length,
    milliseconds: last - begun,
  };
}

const TOO_MANY: Reply = {
  status: 429,
  headers: { 'content-type': 'application/vnd.api+json' },
  body: JSON.stringify({ errors: [{ status: 429, title: 'Too many requests' }] }),
};

/** When the last of so many requests leaves. */
const lastOf = (requests: number, limit: number): number => Math.floor((requests - 1) / limit) * WINDOW;

const INVITED = { code: 0, stderr: '', invited: true, refusals: 0 };

describe('600 invitations to a service that takes 30 a second', () => {
  const requests = 600 + LOOKUPS;

  const limiters: readonly [string, () => Limiter][] = [
    ['a bucket of 30 tokens', () => createTokenBucket(30)],
    ['any second', () => createSlidingWindow(30)],
    ['a window of a second that ends at once', () => createFixedWindow(30, 1)],
  ];
  test.each(limiters)('by %s: none is refused, and they take 20 seconds and a half', async (_name, createLimiter) => {
    const { milliseconds, ...result } = await invite({ count: 600, limiter: createLimiter() });
    expect(result).toEqual({ ...INVITED, requests, done: 600 });
    // By themselves the 600 take 19,475; the lookups push them over one more second.
    expect(milliseconds).toBe(20_500);
    expect(milliseconds).toBe(lastOf(requests, 30));
    expect(lastOf(600, 30)).toBe(19_475);
    expect(milliseconds).toBeLessThanOrEqual(1.05 * 20_000);
  });

  test('by any second, where the network hurries some and keeps others: few are refused, and none is lost', async () => {
    const { refusals, ...result } = await invite({
      count: 600,
      limiter: createSlidingWindow(30),
      delays: [24, 0, 3, 17, 0, 0, 9],
    });
    const { refusals: _none, ...invited } = INVITED;
    expect(result).toMatchObject({ ...invited, requests: requests + refusals, done: 600 });
    expect(refusals).toBeLessThanOrEqual(2 * AT_ONCE);
    // Each of the few times some are refused together costs a pause of a second.
    expect(result.milliseconds).toBeLessThanOrEqual(20_500 + 5 * 1_125);
  });
});

test('connections that take long to stand delay what comes a second after them', async () => {
  const handshake = 400;
  const { refusals, ...result } = await invite({ count: 70, limiter: createSlidingWindow(30), handshake });
  const requests = 70 + LOOKUPS;
  expect(result).toMatchObject({ code: 0, stderr: '', invited: true, requests: requests + refusals, done: 70 });
  expect(refusals).toBeLessThanOrEqual(AT_ONCE);
  expect(result.milliseconds).toBeGreaterThanOrEqual(handshake + lastOf(requests, 30));
});

describe('245 invitations, with two lookups,', () => {
  test.each([
    [10, 24 * WINDOW],
    [100, 2 * WINDOW],
  ])('follow the limit of %i that the answers name', async (limit, milliseconds) => {
    const result = await invite({
      count: 245,
      limiter: createSlidingWindow(limit),
      accepted: () => ({ 'x-ratelimit-limit': String(limit) }),
    });
    expect(result).toEqual({ ...INVITED, requests: 245 + LOOKUPS, done: 245, milliseconds });
  });

  test('meet a lower limit than was assumed once, and keep to it from then on', async () => {
    const result = await invite({
      count: 245,
      limiter: createSlidingWindow(10),
      refused: ({ wait }) => ({ 'x-ratelimit-limit': '10', 'x-ratelimit-reset': (wait / 1_000).toFixed(3) }),
    });
    // Ten accepted, those on their way with the eleventh refused, and after the pause the others.
    const { refusals, milliseconds, ...rest } = result;
    expect(rest).toEqual({ code: 0, stderr: '', invited: true, requests: 245 + LOOKUPS + refusals, done: 245 });
    expect(refusals).toBeGreaterThan(0);
    expect(refusals).toBeLessThanOrEqual(AT_ONCE);
    expect(milliseconds).toBeLessThanOrEqual(1_125 + 25 * WINDOW);
  });
});

/** Refuses this request, and no other. */
function createHiccup(number = 3): Limiter {
  let count = 0;
  return {
    take() {
      count += 1;
      return { accepted: count !== number, wait: 0 };
    },
  };
}

const inSeconds = (seconds: number): string => new Date(NOW + seconds * 1_000).toUTCString();

describe('the pause a 429 asks for', () => {
  test.each<[string, Readonly<Record<string, string>>, number]>([
    ['in fractions of a second', { 'x-ratelimit-reset': '0.431' }, 431],
    ['in seconds', { 'retry-after': '3' }, 3_000],
    ['by a date', { 'retry-after': inSeconds(7) }, 7_000],
    ['by a date that is over', { 'retry-after': inSeconds(-7) }, 0],
    ['twice: the longer one counts', { 'retry-after': '1', 'x-ratelimit-reset': '1.250' }, 1_250],
    ['not at all: a second', {}, 1_000],
  ])('%s is made, with an eighth of a second on top', async (_name, headers, pause) => {
    const result = await invite({ count: 5, limiter: createHiccup(), refused: () => headers });
    expect(result).toEqual({ ...INVITED, refusals: 1, requests: 7, done: 5, milliseconds: pause + 125 });
  });
});

test('in the pause that one request was asked for, no other leaves', async () => {
  const refused = 12;
  const { take } = createHiccup(refused);
  const arrivals: number[] = [];
  const limiter: Limiter = {
    take(now) {
      arrivals.push(now);
      return take(now);
    },
  };
  const result = await invite({ count: 27, limiter, refused: () => ({ 'retry-after': '3' }) });
  expect(result).toMatchObject({ ...INVITED, refusals: 1, done: 27 });
  // Beside those before it, what was on its way, or left before the refusal arrived.
  expect(arrivals.filter((at) => at < NOW + 3_000).length).toBeLessThan(refused + 1.5 * AT_ONCE);
});

test('60 invitations by a real clock to a service that takes 30 in any second: none is lost', async () => {
  const clock: Clock = {
    now: Date.now,
    async sleep(milliseconds, signal) {
      await setTimeout(milliseconds, undefined, signal === undefined ? {} : { signal });
    },
  };
  const { milliseconds, refusals, ...result } = await invite({ count: 60, limiter: createSlidingWindow(30), clock });
  expect(result).toEqual({
    code: 0,
    stderr: '',
    invited: true,
    requests: 60 + LOOKUPS + refusals,
    done: 60,
  });
  expect(refusals).toBeLessThanOrEqual(AT_ONCE);
  expect(milliseconds).toBeGreaterThanOrEqual(2 * 1_000);
  expect(milliseconds).toBeLessThan(3 * 2 * WINDOW);
});
