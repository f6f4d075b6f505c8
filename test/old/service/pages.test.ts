import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OrgctlError, ServiceError } from '../../../src/old/errors.ts';
import { collect, stream } from '../../../src/old/reading.ts';
import type { Page as AnyPage, PageFacts, PageOptions } from '../../../src/old/service/page.ts';
import { createList } from '../../../src/old/service/pages.ts';
import type { Query } from '../../../src/old/service/query.ts';

interface Asked {
  readonly number: number | undefined;
  readonly size: number | undefined;
}

interface Item {
  readonly id?: string;
}
type Page = AnyPage<Item>;

const toAsked = (query: Query): Asked => {
  const values = new Map(query);
  return {
    number: values.get('page[number]') as number | undefined,
    size: values.get('page[size]') as number | undefined,
  };
};

const toPage = (items: readonly Item[], pagination?: Partial<PageFacts>): Page => ({
  items,
  included: [],
  document: { data: items },
  pagination: pagination && {
    current: undefined,
    next: undefined,
    totalPages: undefined,
    totalCount: undefined,
    ...pagination,
  },
});

const items = (count: number, from = 1): readonly Item[] =>
  Array.from({ length: count }, (_, index) => ({ id: `i${from + index}` }));
const toIds = (some: readonly Item[]) => some.map(({ id }) => id);
const idsOf = (pages: readonly Page[]) => pages.flatMap((page) => toIds(page.items));
const turn = () => new Promise(setImmediate);

/** The page of a well-behaved service. */
function servePage(all: readonly Item[], { number = 1, size = 20 }: Asked): Page {
  const totalPages = Math.ceil(all.length / size);
  return toPage(all.slice((number - 1) * size, number * size), {
    current: number,
    next: number < totalPages ? number + 1 : undefined,
    totalPages,
    totalCount: all.length,
  });
}

interface Reading {
  readonly options?: PageOptions;
  readonly defaultSize?: number | undefined;
  readonly log?: 'newest first' | 'oldest first';
  readonly most?: number;
}

/** A list on this service, what it asked for and what it warned of. */
function read(serve: (asked: Asked, call: number) => Page | Promise<Page>, reading: Reading = {}) {
  const { options = {}, log, most } = reading;
  const asked: Asked[] = [];
  const warnings: string[] = [];
  const list = createList<Item>({
    what: 'list the things',
    async fetch(query) {
      asked.push(toAsked(query));
      const page = await serve(toAsked(query), asked.length);
      return () => page;
    },
    defaultSize: 'defaultSize' in reading ? reading.defaultSize : 100,
    options,
    warn: (text) => warnings.push(text),
    ...(log === undefined ? {} : { isNewestFirst: () => log === 'newest first' }),
    ...(most === undefined ? {} : { most }),
  });
  return {
    asked,
    warnings,
    list,
    collect: () => collect(list, (page) => page).then(idsOf),
    /** The ids streamed before the end or the error. */
    async stream() {
      const ids: (string | undefined)[] = [];
      try {
        for await (const page of stream(list)) ids.push(...idsOf([page]));
        return { ids, error: undefined };
      } catch (error) {
        return { ids, error: error as OrgctlError };
      }
    },
  };
}

const NO_TOTALS = 'the service gives no totals: there is no proof that the list is complete';

const toRefusal = (status: number) =>
  new ServiceError('rejected', 'no', { status, errors: [], request: { method: 'GET', path: '/' } });
const refuseSize = ({ size }: Asked): void => {
  if (size !== undefined) throw toRefusal(422);
};

/** A second page that contradicts the first one of 150 makes the list be read again. */
const oddSecond =
  (then: (asked: Asked, call: number) => Page, total = 150) =>
  (asked: Asked, call: number) =>
    call === 2 ? toPage([], { totalPages: 2, totalCount: total }) : then(asked, call);

describe('a service with pages', () => {
  it.each([0, 1, 20, 21, 100, 101, 200, 201, 1_234])('%i things come a hundred at a time', async (count) => {
    const requests = Math.max(1, Math.ceil(count / 100));
    const all = items(count);
    const collected = read((asked) => servePage(all, asked));
    expect(await collected.collect()).toEqual(toIds(all));
    expect(collected.asked).toEqual(
      Array.from({ length: requests }, (_, index) => ({ number: index === 0 ? undefined : index + 1, size: 100 })),
    );
    const streamed = read((asked) => servePage(all, asked));
    expect(await streamed.stream()).toEqual({ ids: toIds(all), error: undefined });
    expect([...collected.warnings, ...streamed.warnings]).toEqual([]);
  });

  it.each([
    ['without its own size', undefined],
    ['with the size asked for', 7],
  ])('pages %s put together are the list', async (_name, defaultSize) => {
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: 130 }), fc.integer({ min: 1, max: 30 }), async (count, pageSize) => {
        const all = items(count);
        const options = defaultSize === undefined ? {} : { pageSize };
        for (const totals of ['all', 'pages', 'count', 'next'] as const) {
          const reading = read(
            (asked) => {
              const page = servePage(all, { ...asked, size: asked.size ?? pageSize });
              const facts = page.pagination;
              if (facts === undefined || totals === 'all') return page;
              return toPage(page.items, {
                ...(totals === 'pages' ? { totalPages: facts.totalPages } : {}),
                ...(totals === 'count' ? { totalCount: facts.totalCount } : {}),
                ...(totals === 'next' ? { next: facts.next } : {}),
              });
            },
            { defaultSize: undefined, options },
          );
          expect(await reading.collect()).toEqual(toIds(all));
        }
      }),
    );
  });

  it('keeps the order although pages arrive in any order, several on their way at a time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.integer({ min: 1, max: 12 }), async (scheduler, pages) => {
        const all = items(pages * 10);
        let underway = 0;
        let most = 0;
        const reading = read(
          async (asked) => {
            underway += 1;
            most = Math.max(most, underway);
            await scheduler.schedule(Promise.resolve());
            underway -= 1;
            return servePage(all, asked);
          },
          { options: { pageSize: 10 } },
        );
        expect(await scheduler.waitFor(reading.collect())).toEqual(toIds(all));
        expect(most).toBe(Math.max(1, Math.min(6, pages - 1)));
      }),
    );
  });

  it('needs no more of the pagination than totals', async () => {
    const all = items(250);
    const [totalPages, totalCount] = [3, 250];
    for (const totals of [{ totalPages }, { totalCount }, { totalPages, totalCount }]) {
      const reading = read((asked) => toPage(servePage(all, asked).items, totals));
      expect(await reading.collect()).toHaveLength(250);
      expect(reading.asked).toHaveLength(3);
      expect(reading.warnings).toEqual([]);
    }
  });

  it('takes totals that are given on the first page only, and from the second page on', async () => {
    const all = items(250);
    for (const isFirst of [true, false]) {
      const reading = read((asked) => {
        const page = servePage(all, asked);
        if ((asked.number === undefined) === isFirst) return page;
        return toPage(page.items, isFirst ? { current: asked.number } : { totalPages: 3 });
      });
      expect(await reading.collect()).toHaveLength(250);
      expect(reading.asked).toHaveLength(3);
    }
  });

  it('asks for fewer at a time where pages wait for a slow reader', async () => {
    const reading = read((asked) => servePage(items(200), asked), { options: { pageSize: 10 } });
    const asked: number[] = [];
    for await (const _page of stream(reading.list)) {
      await turn();
      asked.push(reading.asked.length);
    }
    // Six are on their way behind the first, and no more before less than two of them wait.
    expect(asked).toEqual([1, ...Array(5).fill(7), ...Array(5).fill(12), ...Array(5).fill(17), ...Array(4).fill(20)]);
  });
});

describe('a service that does not like the size', () => {
  it('is asked without, and its own size is then used', async () => {
    const all = items(45);
    const reading = read((asked) => {
      refuseSize(asked);
      return servePage(all, asked);
    });
    expect(await reading.collect()).toHaveLength(45);
    expect(reading.asked).toEqual([
      { number: undefined, size: 100 },
      { number: undefined, size: undefined },
      { number: 2, size: undefined },
      { number: 3, size: undefined },
    ]);
  });

  it.each<[string, Reading]>([
    ['a person asked for', { options: { pageSize: 500 } }],
    ['of one page', { options: { page: 2, pageSize: 500 } }],
  ])('refuses the size %s for good', async (_name, reading) => {
    const refused = read((asked) => {
      refuseSize(asked);
      return toPage([]);
    }, reading);
    await expect(refused.collect()).rejects.toMatchObject({ status: 422 });
    expect(refused.asked).toHaveLength(1);
  });

  it.each([
    ['another refusal', 100, 404],
    ['a refusal where no size was asked for', undefined, 422],
    ['what is no refusal', 100, undefined],
  ])('is meant by a 422 to a size alone, not by %s', async (_name, defaultSize, status) => {
    const failure = status === undefined ? new Error('broken') : toRefusal(status);
    const reading = read(() => Promise.reject(failure), { defaultSize });
    await expect(reading.collect()).rejects.toBe(failure);
    expect(reading.asked).toHaveLength(1);
  });

  it('and refuses everything else too fails with that', async () => {
    const reading = read(() => {
      throw toRefusal(422);
    });
    await expect(reading.collect()).rejects.toMatchObject({ status: 422 });
    expect(reading.asked).toHaveLength(2);
  });
});

describe('a service without pages', () => {
  it('answers with everything when nothing was asked', async () => {
    const reading = read(() => toPage(items(130)), { defaultSize: undefined });
    expect(await reading.collect()).toHaveLength(130);
    expect(reading.asked).toEqual([{ number: undefined, size: undefined }]);
    expect(reading.warnings).toEqual([]);
  });

  it.each([
    ['nothing', 0, 1, []],
    ['a short page, which proves little', 20, 1, [NO_TOTALS]],
    ['more than was asked for, which is everything', 130, 1, [NO_TOTALS]],
    ['a full page and an empty one', 100, 2, [NO_TOTALS]],
    ['full pages and a short one', 250, 3, [NO_TOTALS]],
  ])('may answer with %s', async (_name, count, requests, warnings) => {
    const all = items(count);
    const reading = read(({ number = 1, size = 20 }) =>
      toPage(count === 130 ? all : all.slice((number - 1) * size, number * size)),
    );
    expect(await reading.collect()).toEqual(toIds(all));
    expect(reading.asked).toHaveLength(requests);
    expect(reading.warnings).toEqual(warnings);
  });

  it('that sends the same full page whatever is asked is not believed', async () => {
    const reading = read(() => toPage(items(100)));
    expect((await reading.stream()).error).toMatchObject({
      exit: 'incomplete',
      message: "can't list the things completely: i1 came twice",
    });
  });

  it('is followed by next-page alone where that is given', async () => {
    const reading = read(
      ({ number = 1 }) => toPage(items(3, number * 10), { current: number, next: number < 4 ? number + 1 : undefined }),
      { defaultSize: undefined },
    );
    expect(await reading.collect()).toHaveLength(12);
    expect(reading.asked.map(({ number }) => number)).toEqual([undefined, 2, 3, 4]);
    expect(reading.warnings).toEqual([NO_TOTALS]);
  });

  it('says with a last page that there is nothing to follow', async () => {
    const reading = read(() => toPage(items(3), { current: 1 }));
    expect(await reading.collect()).toHaveLength(3);
    expect(reading.warnings).toEqual([]);
  });
});

describe('a list that contradicts itself', () => {
  const facts = (more: Partial<PageFacts> = {}): Partial<PageFacts> => ({ totalPages: 3, totalCount: 250, ...more });

  const at = (number: number, count = 100): readonly Item[] => items(count, number * 100);
  const endless: Partial<PageFacts> = { totalPages: 1_000_000_000 };
  it.each<[string, (page: number) => Page, string]>([
    ['its total changes', (n) => toPage(at(n), facts({ totalCount: 249 + n })), 'its length changed from 250 to 251'],
    ['its number of pages changes', (n) => toPage(at(n), { totalPages: 2 + n }), 'its pages changed from 3 to 4'],
    ['an id comes twice', () => toPage(at(1), facts()), 'i100 came twice'],
    ['a page without ids comes again', () => toPage([{ text: 'x' } as Item], endless), 'the same page came twice'],
    ['an id comes twice on one page', () => toPage([...items(2), ...items(1)]), 'i1 came twice'],
    ['pages do not advance', (n) => toPage(at(n), facts({ current: 1 })), 'page 2 was asked for and page 1 came'],
    ['another page comes first', () => toPage(at(1), facts({ current: 2 })), 'page 1 was asked for and page 2 came'],
    ['a page in the middle is empty', (n) => toPage(n === 2 ? [] : at(n), facts()), 'page 2 came empty'],
    ['one has no pagination', (n) => toPage(at(n), n === 2 ? undefined : facts()), 'page 2 came without pagination'],
    ['fewer come', () => toPage(items(3), { totalCount: 4, totalPages: 1 }), 'the service counts 4, but 3 were read'],
    ['more come', () => toPage(items(3), { totalCount: 2, totalPages: 1 }), 'the service counts 2, but 3 were read'],
    [
      'of nothing comes some',
      () => toPage(items(3), { totalCount: 0, totalPages: 0 }),
      'the service counts 0, but 3 were read',
    ],
    ['nothing comes of something', () => toPage([], { totalCount: 3 }), 'the service counts 3, but 0 were read'],
    ['the next page is the same', () => toPage(items(3), { next: 1 }), 'page 1 is followed by page 1'],
    [
      'the next pages go in a circle',
      (n) => toPage(at(n, 3), { next: n === 3 ? 2 : n + 1 }),
      'page 3 is followed by page 2',
    ],
    ['next pages are empty', (n) => toPage(n === 1 ? items(3) : [], { next: n + 1 }), 'page 2 came empty'],
    ['none advances', (n) => toPage(at(n, 3), { current: 1, next: n + 1 }), 'page 2 was asked for and page 1 came'],
  ])('%s: read four times, then given up', async (_name, toPageOf, reason) => {
    const serve = ({ number = 1 }: Asked): Page => toPageOf(number);
    const collected = read(serve);
    const failure = await collected.collect().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OrgctlError);
    expect(failure).toMatchObject({
      exit: 'incomplete',
      message: `can't list the things completely: ${reason}`,
      reasons: ['The list was read 4 times.'],
      hint: 'Run the command again when fewer changes are made.',
    });
    expect(collected.asked.filter(({ number }) => number === undefined)).toHaveLength(4);
    expect(collected.warnings.length).toBeLessThanOrEqual(1);

    const streamed = await read(serve).stream();
    expect(streamed.error).toMatchObject({ exit: 'incomplete', message: (failure as Error).message });
  });

  it('may be consistent the next time', async () => {
    const before = items(150);
    const after = [{ id: 'new' }, ...before.slice(1)];
    const serve = oddSecond((asked, call) => servePage(call === 1 ? before : after, asked));
    const collected = read(serve);
    expect(await collected.collect()).toEqual(toIds(after));
    const { ids, error } = await read(serve).stream();
    expect(ids).toEqual([...toIds(items(100)), 'new', ...toIds(items(50, 101))]);
    expect(error).toMatchObject({
      exit: 'incomplete',
      message: 'the list changed while it was being read',
      reasons: ['1 row printed above is no longer in the list.'],
      hint: 'Run the command again, or use -o json, which prints nothing before the whole list is read.',
    });
  });

  it('may be consistent the next time, with everything still there that was given', async () => {
    const after = [{ id: 'new' }, ...items(150)];
    const serve = oddSecond((asked, call) => servePage(call === 1 ? items(150) : after, asked));
    const ids = [...toIds(items(100)), 'new', ...toIds(items(50, 101))];
    expect(await read(serve).stream()).toEqual({ ids, error: undefined });
  });

  it('says how much of what it gave is gone, whenever that was given', async () => {
    // 1 to 100 in the first reading, a new one in the second; the third is consistent without three of them.
    const second = [{ id: 'new' }, ...items(150)];
    const third = items(148, 3);
    const serve = oddSecond((asked, call) => {
      if (call === 4) return toPage([], { totalPages: 2, totalCount: 151 });
      return servePage(call === 1 ? items(150) : call === 3 ? second : third, asked);
    });
    const { ids, error } = await read(serve).stream();
    expect(ids).toEqual([...toIds(items(100)), 'new', ...toIds(items(50, 101))]);
    expect(error).toMatchObject({
      exit: 'incomplete',
      reasons: ['3 rows printed above are no longer in the list.'],
    });
  });

  it.each([
    [101, 3],
    [120, 4],
  ])('claims nothing where a limit of %i was reached, even if something is gone', async (limit, requests) => {
    const after = [{ id: 'new' }, ...items(149, 2)];
    const serve = oddSecond((asked, call) => servePage(call === 1 ? items(150) : after, asked));
    const reading = read(serve, { options: { limit } });
    const { ids, error } = await reading.stream();
    expect(error).toBe(undefined);
    expect(ids).toHaveLength(limit);
    expect(reading.asked).toHaveLength(requests);
  });

  it('gives once what changed between two readings, but for its id', async () => {
    const toItems = (state: number) => items(150).map((item) => ({ ...item, state }));
    const serve = oddSecond((asked, call) => servePage(toItems(call), asked));
    expect(await read(serve).stream()).toEqual({ ids: toIds(items(150)), error: undefined });
  });

  it.each<[string, (index: number) => object]>([
    ['no ids', () => ({})],
    ['null for ids', () => ({ id: null })],
    ['numbers for ids', (index) => ({ id: index })],
  ])('gives everything once where items have %s', async (_name, toId) => {
    const all = Array.from({ length: 40 }, (_, index) => ({ event: index % 30, ...toId(index % 30) }));
    const serve = oddSecond((asked) => servePage(all as unknown as readonly Item[], { ...asked, size: 30 }), 40);
    const events: unknown[] = [];
    for await (const page of stream(read(serve).list)) events.push(...page.items);
    expect(events).toEqual(all);
  });

  it('gives every id once, whatever happens to it between readings', async () => {
    const moment = fc.uniqueArray(fc.nat({ max: 60 }), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(moment, { minLength: 1, maxLength: 12 }),
        fc.option(fc.integer({ min: 1, max: 30 }), { nil: undefined }),
        async (moments, limit) => {
          const lists = moments.map((ids) => ids.map((id) => ({ id: `i${id}` })));
          const reading = read((asked, call) => servePage(lists[Math.min(call, lists.length) - 1] ?? [], asked), {
            options: { pageSize: 7, ...(limit === undefined ? {} : { limit }) },
          });
          const { ids, error } = await reading.stream();
          expect(new Set(ids).size).toBe(ids.length);
          // Without an error everything given was there in the last reading, unless a limit cut it short.
          const last = moments.at(-1) ?? [];
          if (error === undefined && limit === undefined && reading.asked.length > moments.length + 6) {
            expect(ids.toSorted()).toEqual(last.map((id) => `i${id}`).toSorted());
          }
          expect(ids.length).toBeLessThanOrEqual(limit ?? Number.POSITIVE_INFINITY);
          if (error !== undefined) expect(error).toMatchObject({ exit: 'incomplete' });
        },
      ),
    );
  });
});

describe('a log', () => {
  const newest = { log: 'newest first', defaultSize: 10 } as const;
  const oldest = { log: 'oldest first', defaultSize: 10 } as const;
  const named = (...numbers: readonly number[]): readonly Item[] => numbers.map((number) => ({ id: `e${number}` }));

  /** What has happened, newest first, of which some happens and some is forgotten after each request. */
  function createLog(length: number, growth: readonly number[], loss: readonly number[] = [0]) {
    let newestNumber = length;
    let oldestNumber = 1;
    return (asked: Asked, call: number): Page => {
      const numbers = Array.from({ length: newestNumber - oldestNumber + 1 }, (_, index) => newestNumber - index);
      newestNumber += growth[(call - 1) % growth.length] ?? 0;
      oldestNumber = Math.min(newestNumber, oldestNumber + (loss[(call - 1) % loss.length] ?? 0));
      return servePage(named(...numbers), asked);
    };
  }
  const toNames = (from: number, to: number) => named(...Array.from({ length: from - to + 1 }, (_, i) => from - i));

  it('that grows in front is whole: what was there at the start, each once', async () => {
    const serve = () => createLog(95, [3, 0, 1]);
    const { ids, error } = await read(serve(), newest).stream();
    expect({ ids, error }).toEqual({ ids: idsOf([toPage(toNames(95, 1))]), error: undefined });
    expect(await read(serve(), newest).collect()).toEqual(ids);
  });

  it('that grows at its end is whole, and is not followed to where it grows', async () => {
    let length = 95;
    const reading = read((asked) => {
      length += 4;
      return servePage(items(length), asked);
    }, oldest);
    const { ids, error } = await reading.stream();
    expect(error).toBeUndefined();
    expect(ids.slice(0, 99)).toEqual(idsOf([toPage(items(99))]));
    expect(new Set(ids).size).toBe(ids.length);
    expect(reading.asked).toHaveLength(10);
  });

  it('gives everything that stays while it is read, whatever is added and forgotten meanwhile', async () => {
    const some = fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 120 }), some, some, async (length, growth, loss) => {
        const { ids, error } = await read(createLog(length, growth, loss), newest).stream();
        expect(error).toBeUndefined();
        expect(new Set(ids).size).toBe(ids.length);
        // The newest of the start are forgotten last.
        expect(ids).toEqual(idsOf([toPage(toNames(length, length - ids.length + 1))]));
        if (loss.every((count) => count === 0)) expect(ids).toHaveLength(length);
      }),
    );
  });

  it('asks for one page after the other, since a page read too early loses what moves onto it', async () => {
    let underway = 0;
    const serve = createLog(95, [2]);
    const reading = read(async (asked, call) => {
      underway += 1;
      expect(underway).toBe(1);
      const page = serve(asked, call);
      await turn();
      underway -= 1;
      return page;
    }, newest);
    expect(await reading.collect()).toHaveLength(95);
  });

  it('that falls short of what it counts is read again, and not believed', async () => {
    const short = (asked: Asked): Page => {
      const page = servePage(items(95), asked);
      return asked.number === 3 ? { ...page, items: page.items.slice(1) } : page;
    };
    for (const log of [newest, oldest]) {
      await expect(read(short, log).collect()).rejects.toMatchObject({
        exit: 'incomplete',
        message: "can't list the things completely: the service counts 95, but 94 were read",
      });
    }
  });

  it.each<[string, (page: number) => readonly Item[], string]>([
    ['gives the same page again and again', () => items(10), 'page 2 has nothing new'],
    ['ends early', (n) => (n > 2 ? [] : items(10, n * 10)), 'the service counts 50, but 20 were read'],
  ])('that %s is not believed', async (_name, toItems, message) => {
    const serve = ({ number = 1 }: Asked) =>
      toPage(toItems(number), { current: number, totalPages: 5, totalCount: 50 });
    await expect(read(serve, newest).collect()).rejects.toMatchObject({
      message: `can't list the things completely: ${message}`,
    });
  });

  it('without totals is followed by next-page, and says what that does not prove', async () => {
    const grows = createLog(45, [1]);
    const reading = read((asked, call) => {
      const page = grows(asked, call);
      return {
        ...page,
        pagination: page.pagination && { ...page.pagination, totalPages: undefined, totalCount: undefined },
      };
    }, newest);
    expect(await reading.collect()).toHaveLength(45);
    expect(reading.warnings).toEqual([NO_TOTALS]);
  });

  it('whose items have no ids is read as any list is', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => ({ text: `${index}` }) as Item);
    expect(await read((asked) => servePage(texts, asked), newest).collect()).toHaveLength(50);
    const grown = (asked: Asked, call: number) => servePage(texts.slice(0, 20 + call), asked);
    await expect(read(grown, newest).collect()).rejects.toMatchObject({ exit: 'incomplete' });
  });

  it('a limit asks for no page beyond it', async () => {
    const reading = read(createLog(95, [3]), { ...newest, options: { limit: 15 } });
    expect(await reading.collect()).toHaveLength(15);
    expect(reading.asked).toHaveLength(2);
  });
});

describe('a list that never ends', () => {
  const endless = ({ number = 1 }: Asked): Page => toPage(items(10, number * 10), { next: number + 1 });

  it.each(['newest first', undefined] as const)(
    'is given up at a number of rows that no list has (%s)',
    async (log) => {
      const reading = read(endless, { most: 1_000, ...(log === undefined ? {} : { log }) });
      await expect(reading.collect()).rejects.toMatchObject({
        exit: 'incomplete',
        message: "can't list the things completely: it goes on after 1,000 rows",
      });
      expect(reading.asked).toHaveLength(101);
      const { ids, error } = await read(endless, { most: 1_000 }).stream();
      expect({ count: ids.length, exit: error?.exit }).toEqual({ count: 1_000, exit: 'incomplete' });
    },
  );
});

describe('what a person asked for', () => {
  const all = items(250);

  it('one page: exactly that, without a size of ours, and nothing claimed', async () => {
    const reading = read((asked) => servePage(all, asked), { options: { page: 3 } });
    expect(await reading.collect()).toEqual(toIds(all.slice(40, 60)));
    expect(reading.asked).toEqual([{ number: 3, size: undefined }]);
  });

  it('one page beyond the end is empty', async () => {
    const reading = read((asked) => servePage(all, asked), { options: { page: 999, pageSize: 100 } });
    expect(await reading.collect()).toEqual([]);
    expect(reading.asked).toEqual([{ number: 999, size: 100 }]);
  });

  it('one page of a list that contradicts itself', async () => {
    const reading = read(() => toPage([...items(1), ...items(1)], { current: 7, totalCount: 0 }), {
      options: { page: 2 },
    });
    expect(await reading.collect()).toEqual(['i1', 'i1']);
    expect((await reading.stream()).ids).toEqual(['i1', 'i1']);
  });

  it('one page and a limit', async () => {
    const reading = read((asked) => servePage(all, asked), { options: { page: 2, limit: 3 } });
    expect(await reading.collect()).toEqual(['i21', 'i22', 'i23']);
  });

  it('a size', async () => {
    const reading = read((asked) => servePage(all, asked), { options: { pageSize: 50 } });
    expect(await reading.collect()).toHaveLength(250);
    expect(reading.asked).toHaveLength(5);
  });

  it.each([1, 99, 100, 101, 200, 201, 250, 251])('%i of 250, and no page beyond', async (limit) => {
    const requests = Math.min(3, Math.ceil(limit / 100));
    const reading = read((asked) => servePage(all, asked), { options: { limit } });
    const { ids, error } = await reading.stream();
    expect({ ids, error }).toEqual({ ids: toIds(all.slice(0, limit)), error: undefined });
    expect(reading.asked).toHaveLength(requests);
    const collected = read((asked) => servePage(all, asked), { options: { limit } });
    expect(await collected.collect()).toEqual(ids);
    expect(collected.asked).toHaveLength(requests);
  });

  it('a limit that shorter pages than the first make harder to reach', async () => {
    const reading = read(
      ({ number = 1 }) => toPage(items(number === 1 ? 10 : 5, number * 10), { totalPages: 5, totalCount: 30 }),
      { options: { limit: 25 } },
    );
    expect(await reading.collect()).toHaveLength(25);
    expect(reading.asked).toHaveLength(4);
  });

  it.each([99, 100, 150, 200, 250])('%i on a service without totals, and no page beyond', async (limit) => {
    const requests = Math.ceil(limit / 100);
    const serve = ({ number = 1, size = 20 }: Asked): Page => toPage(items(size, number * 1_000));
    const collected = read(serve, { options: { limit } });
    expect(await collected.collect()).toHaveLength(limit);
    expect(collected.asked).toHaveLength(requests);
    const streamed = read(serve, { options: { limit } });
    expect((await streamed.stream()).ids).toHaveLength(limit);
    expect(streamed.asked).toHaveLength(requests);
  });

  it('pages that need not be cut are given as they came, whatever their document holds', async () => {
    const pages = [1, 2].map((number) => ({
      ...toPage(items(10, number * 10), { totalPages: 2, totalCount: 20 }),
      document: { versions: number },
    }));
    const serve = ({ number = 1 }: Asked) => pages[number - 1] ?? toPage([]);
    for (const options of [{}, { limit: 20 }, { limit: 30 }]) {
      const { list } = read(serve, { options });
      expect(await collect(list, (page) => page)).toEqual(pages);
      const streamed: Page[] = [];
      for await (const page of stream(read(serve, { options }).list)) streamed.push(page);
      expect(streamed).toEqual(pages);
    }
  });

  it('a limit cuts the document too', async () => {
    const reading = read((asked) => servePage(all, asked), { options: { limit: 2 } });
    const [page] = await collect(reading.list, (page) => page);
    expect(page?.document).toEqual({ data: items(2) });
  });

  it('a limit claims nothing about what it did not read', async () => {
    const reading = read(() => toPage(items(10), { totalCount: 7, totalPages: 1 }), { options: { limit: 5 } });
    expect(await reading.collect()).toHaveLength(5);
  });
});

describe('failures and early ends', () => {
  const broken = new Error('broken');

  it.each([[1], [2], [3], [6], [9]])(
    'page %i fails: that is the failure, and no other goes unheard',
    async (failing) => {
      const all = items(1_000);
      const fails = (asked: Asked) => {
        if ((asked.number ?? 1) >= failing) throw broken;
        return servePage(all, asked);
      };
      await expect(read(fails).collect()).rejects.toBe(broken);
      const { ids, error } = await read(fails).stream();
      expect(error).toBe(broken);
      expect(ids).toHaveLength((failing - 1) * 100);
    },
  );

  it('a consumer stops early: pages on their way may fail, and no further ones are asked for', async () => {
    const all = items(5_000);
    const failures: (() => void)[] = [];
    const reading = read((asked) => {
      if ((asked.number ?? 1) <= 2) return servePage(all, asked);
      return new Promise<Page>((_resolve, reject) => {
        failures.push(() => reject(broken));
      });
    });
    let seen = 0;
    for await (const page of stream(reading.list)) {
      seen += page.items.length;
      if (seen === 200) break;
    }
    const asked = reading.asked.length;
    for (const fail of failures) fail();
    // Node would end the test run over a rejection without a handler.
    await turn();
    expect(seen).toBe(200);
    expect(failures).not.toHaveLength(0);
    expect(reading.asked).toHaveLength(asked);
  });

  it('gives each page as it comes', async () => {
    const all = items(250);
    const seen: number[] = [];
    await collect(read((asked) => servePage(all, asked)).list, (page) => seen.push(page.items.length));
    expect(seen).toEqual([100, 100, 50]);
  });
});
