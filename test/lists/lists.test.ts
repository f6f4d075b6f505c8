import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { NOW, type RunOptions, run } from '../support/run.ts';
import { answer, startScripted } from '../support/scripted.ts';
import { startService } from '../support/service.ts';

const createRow = (index: number) => ({
  id: `ou-${index}`,
  type: 'organization-memberships',
  attributes: { status: 'active', email: `user-${index}@example.com` },
});
type Row = ReturnType<typeof createRow>;
const createRows = (count: number): Row[] => Array.from({ length: count }, (_, index) => createRow(index));

/** The page that is asked for, as the service's document has it. */
function createPage(rows: Row[], target: string) {
  const { searchParams } = new URL(target, 'http://service');
  const number = Number(searchParams.get('page[number]') ?? 1);
  const size = Number(searchParams.get('page[size]') ?? 20);
  const pages = Math.ceil(rows.length / size);
  const pagination = {
    'current-page': number,
    'page-size': size,
    'prev-page': number > 1 ? number - 1 : null,
    'next-page': number < pages ? number + 1 : null,
    'total-pages': pages,
    'total-count': rows.length,
  };
  return { data: rows.slice((number - 1) * size, number * size), meta: { pagination } };
}

/** Lists the ids of members; each answer is asked for with its request and how many came before. */
async function startList(serve: (target: string, before: number) => object | undefined) {
  let before = 0;
  const server = await startScripted((socket, request) => {
    const page = serve(request.target, before);
    before += 1;
    const turn = page ? answer(200, page) : answer(429, { errors: [{ status: '429', title: 'too many requests' }] });
    turn(socket, request);
  });
  const env = { ORGCTL_BASE_URL: server.origin, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: 'a-token-of-tests' };
  const list = (format: string, host?: RunOptions['host']) =>
    run(['members', 'list', '-o', format, '--fields', 'id'], { env, host: { ...createSkippingClock(), ...host } });
  return { ...server, list };
}

// Enough turns of the event loop for what was sent before to arrive on this machine.
const TURNS = 100;

/** Time that passes only by sleeping, and then at once, after what was sent has arrived. */
function createSkippingClock() {
  let time = NOW;
  return {
    now: () => time,
    async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
      const wake = time + milliseconds;
      for (let turn = 0; turn < TURNS; turn += 1) await setImmediate();
      signal?.throwIfAborted();
      time = Math.max(time, wake);
    },
  };
}

/** Counts as the strictest service does: so many within any second, with those that it refused. */
function createLimiter(now: () => number) {
  const times: number[] = [];
  return () => {
    times.push(now());
    return times.filter((time) => time > now() - 1_000).length <= 30;
  };
}

test('pages that are fetched ahead keep to 30 requests in any second', async () => {
  const clock = createSkippingClock();
  const accept = createLimiter(clock.now);
  const rows = createRows(7_000);
  let refusals = 0;
  const service = await startList((target) => {
    if (accept()) return createPage(rows, target);
    refusals += 1;
    return undefined;
  });
  const { code, stdout } = await service.list('tsv', clock);
  expect(stdout).toBe(rows.map(({ id }) => `${id}\n`).join(''));
  const milliseconds = clock.now() - NOW;
  // Two seconds, each with a margin.
  expect({ code, refusals, milliseconds, requests: service.requests.length }).toEqual({
    code: 0,
    refusals: 0,
    milliseconds: 2_050,
    requests: 70,
  });
  expect(service.connections()).toBeGreaterThan(1);
});

test('so do writes', async () => {
  const clock = createSkippingClock();
  const accept = createLimiter(clock.now);
  let [refusals, writes] = [0, 0];
  const service = await startService({
    now: clock.now,
    alter(given, { method }) {
      if (!accept()) refusals += 1;
      if (method === 'POST') writes += 1;
      return given;
    },
  });
  const file = join(createFolder(), 'people.csv');
  const people = Array.from({ length: 90 }, (_, index) => `person-${index}@example.com,audit`);
  writeFileSync(file, ['email,teams', ...people].join('\n'));
  const { code, stderr } = await service.run(['members', 'invite', '--file', file], { host: clock });
  expect({ code, stderr, refusals, writes }).toEqual({ code: 0, stderr: '', refusals: 0, writes: 90 });
  expect(clock.now() - NOW).toBeLessThan(4_000);
});

/** Who was there from the start, of those who came later too. */
const FIRST_NEW = 1_000;

/** `at`: before which request; `place`: where in the list, from 0 to 1. */
const CHANGES = fc.array(fc.record({ at: fc.nat({ max: 12 }), place: fc.double({ min: 0, max: 1, noNaN: true }) }), {
  minLength: 1,
  maxLength: 3,
});

test.each(['inserted', 'deleted'])(
  'a list is whole if rows were %s while it was read, or it ends with 10',
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(CHANGES, fc.constantFrom('json', 'tsv'), async (changes, format) => {
        let rows = createRows(330);
        let next = FIRST_NEW;
        const service = await startList((target, before) => {
          for (const { place } of changes.filter(({ at }) => at === before)) {
            const index = Math.floor(place * (rows.length - 1));
            rows = kind === 'deleted' ? rows.toSpliced(index, 1) : rows.toSpliced(index, 0, createRow(next));
            next += 1;
          }
          return createPage(rows, target);
        });
        const { code, stdout } = await service.list(format);
        const ids = stdout.match(/ou-\d+/g) ?? [];
        expect(new Set(ids).size).toBe(ids.length);
        if (code === 0) {
          const stayed = rows.map(({ id }) => id).filter((id) => Number(id.slice(3)) < FIRST_NEW);
          expect(ids).toEqual(expect.arrayContaining(stayed));
        } else {
          expect(code).toBe(10);
          if (format === 'json') expect(stdout).toBe('');
        }
      }),
      { numRuns: 25 },
    );
  },
);

type Pagination = Record<string, unknown>;
const FEW = { 'current-page': 1, 'next-page': 2, 'total-pages': 3, 'total-count': 100 };
const toTexts = (pagination: Pagination) =>
  Object.fromEntries(Object.entries(pagination).map(([name, value]) => [name, value === null ? null : `${value}`]));

test.each<[what: string, count: number, change: (pagination: Pagination) => object]>([
  ['totals in quotes', 250, (pagination) => ({ meta: { pagination: toTexts(pagination) } })],
  ['no totals', 250, () => ({ meta: undefined })],
  ['pagination without totals', 250, () => ({ meta: { pagination: { 'current-page': 1, 'total-count': null } } })],
  ['the next page alone', 250, ({ 'next-page': next }) => ({ meta: { pagination: { 'next-page': next } } })],
  [
    'a link to the next page',
    250,
    ({ 'next-page': next }) => ({ meta: {}, links: { next: next && `/x?page[number]=${next}` } }),
  ],
  ['a next page of 0', 250, () => ({ meta: { pagination: { 'next-page': 0 } } })],
  ['a next page that is false', 0, () => ({ meta: { pagination: { 'next-page': false } } })],
  ['a link that names no page', 0, () => ({ meta: {}, links: { next: '/x?after=ou-99' } })],
  ['a total in words', 0, (pagination) => ({ meta: { pagination: { ...pagination, 'total-count': 'many' } } })],
  ['a next page in words', 0, () => ({ meta: { pagination: { 'next-page': 'ou-99' } } })],
  ['a next page after all that is counted', 0, () => ({ meta: { pagination: FEW } })],
])('of a list with %s %i of 250 rows are listed', async (_what, count, change) => {
  const rows = createRows(250);
  const service = await startList((target) => {
    const page = createPage(rows, target);
    return { ...page, ...change(page.meta.pagination) };
  });
  const { code, stdout } = await service.list('json');
  expect([code, stdout.match(/ou-/g)?.length ?? 0]).toEqual([count === 0 ? 10 : 0, count]);
});

test('a short page with a link to the next is not the last', async () => {
  const rows = createRows(50);
  const service = await startList((target) => {
    const number = Number(new URL(target, 'http://service').searchParams.get('page[number]') ?? 1);
    const next = number < 3 ? `/x?page%5Bnumber%5D=${number + 1}` : null;
    return { data: rows.slice((number - 1) * 20, number * 20), links: { next } };
  });
  const { code, stdout } = await service.list('tsv');
  expect([code, stdout.match(/ou-/g)?.length]).toEqual([0, 50]);
});
