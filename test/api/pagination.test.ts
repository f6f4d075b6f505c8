import { describe, expect, test } from 'vitest';
import { type ListOptions, type Page, readPages } from '../../src/api/pagination.ts';
import { SeenIds } from '../../src/api/seen-ids.ts';
import type { Query } from '../../src/api/types.ts';
import { OrgctlError } from '../../src/lib/errors.ts';

interface Item {
  id?: string;
}

const ids = (from: number, to: number): Item[] =>
  Array.from({ length: to - from + 1 }, (_, index) => ({ id: `id-${from + index}` }));

/** A list of so many items, in pages of the size that is asked for. `change` lies about a page, by its number and how often it was asked for. */
function createList(
  count: number,
  change: (page: Page<Item>, number: number, times: number) => Page<Item> = (page) => page,
) {
  const asked: string[] = [];
  const times = new Map<number, number>();
  return {
    asked,
    async fetch(query: Query): Promise<Page<Item>> {
      const given = Object.fromEntries(query.filter(([, value]) => value !== undefined));
      const number = Number(given['page[number]'] ?? 1);
      const size = Number(given['page[size]'] ?? 20);
      asked.push(`${number}x${size}`);
      times.set(number, (times.get(number) ?? 0) + 1);
      const items = ids(1, count).slice((number - 1) * size, number * size);
      const total = { page: number, next: undefined, pages: Math.ceil(count / size), items: count };
      return change({ items, included: [], total }, number, times.get(number) ?? 1);
    },
  };
}

async function read(list: ReturnType<typeof createList>, options: Partial<ListOptions<Item>> = {}) {
  const found: unknown[] = [];
  const warnings: string[] = [];
  const warn = (text: string): void => void warnings.push(text);
  let error: unknown;
  try {
    for await (const { items } of readPages({ action: 'list', warn, fetch: list.fetch, ...options }))
      found.push(...items);
  } catch (reason) {
    error = reason;
  }
  return { count: found.length, warnings, exit: error instanceof OrgctlError ? error.exit : error };
}

const WHOLE = { count: 250, warnings: [], exit: undefined };

test.each(['buffer', 'stream'] as const)('%s reads every page of 100, in order', async (mode) => {
  const list = createList(250);
  expect(await read(list, { mode })).toEqual(WHOLE);
  expect(list.asked).toEqual(['1x100', '2x100', '3x100']);
});

test.each([
  ['--page reads that page alone', { page: 2, pageSize: 10 }, 10, ['2x10']],
  ['--page-size sets the size', { pageSize: 200 }, 250, ['1x200', '2x200']],
  ['--limit reads no page beyond it', { limit: 150 }, 200, ['1x100', '2x100']],
  ['--limit claims nothing of the rest', { limit: 10 }, 100, ['1x100']],
])('%s', async (_name, options, count, asked) => {
  const list = createList(250);
  expect(await read(list, options)).toMatchObject({ count, exit: undefined });
  expect(list.asked).toEqual(asked);
});

test('reading ends at the last page that the first total allows', async () => {
  const list = createList(250, (page) => ({ ...page, total: { ...page.total, pages: 1_000 } as typeof page.total }));
  expect(await read(list)).toEqual(WHOLE);
  expect(list.asked).toHaveLength(3);
});

test('without page parameters and without pagination the answer is the whole list', async () => {
  const list = createList(250, (page) => ({ ...page, total: undefined }));
  expect(await read(list, { isPaginated: false })).toEqual({ ...WHOLE, count: 20 });
  expect(list.asked).toEqual(['1x20']);
});

describe('a list is whole, or says that it is not', () => {
  type Total = NonNullable<Page<Item>['total']>;
  const changeItems = (at: number, change: (items: Item[]) => Item[]) => (page: Page<Item>, number: number) =>
    number === at ? { ...page, items: change(page.items) } : page;
  const changeTotal = (at: number[], change: Partial<Total>) => (page: Page<Item>, number: number) =>
    at.includes(number) ? { ...page, total: { ...(page.total as Total), ...change } } : page;

  test.each<[name: string, lie: (page: Page<Item>, number: number) => Page<Item>]>([
    ['an id comes twice', changeItems(2, () => ids(1, 100))],
    ['a page is shorter than the total says', changeItems(3, (items) => items.slice(1))],
    ['a page comes empty', changeItems(2, () => [])],
    ['the total changes', changeTotal([2], { items: 251 })],
    ['more comes than the total says', changeTotal([1, 2, 3], { items: 249 })],
    ['another page follows the last', changeTotal([3], { next: 4 })],
    ['another page comes than was asked for', changeTotal([2], { page: 3 })],
    ['a later page has no total', (page, number) => (number === 2 ? { ...page, total: undefined } : page)],
  ])('%s', async (_name, lie) => {
    const always = createList(250, lie);
    expect(await read(always)).toMatchObject({ count: 0, exit: 'incomplete' });
    expect(always.asked.filter((page) => page === '1x100')).toHaveLength(4);
    const once = createList(250, (page, number, times) => (times === 1 ? lie(page, number) : page));
    expect(await read(once)).toEqual(WHOLE);
    expect(await read(createList(250, lie), { mode: 'stream' })).toMatchObject({ exit: 'incomplete' });
  });

  test('fails on an absurd total', async () => {
    const list = createList(10, (page) =>
      page.total ? { ...page, total: { ...page.total, items: undefined, pages: 1_000_000_000 } } : page,
    );
    expect(await read(list)).toMatchObject({ exit: 'incomplete' });
  });

  test('without totals it is read until a page is short, with a warning', async () => {
    const list = createList(150, (page) => ({ ...page, total: undefined }));
    const { count, warnings } = await read(list);
    expect({ count, warnings: warnings.length }).toEqual({ count: 150, warnings: 1 });
    const same = createList(250, (page) => ({ ...page, items: ids(1, 100), total: undefined }));
    expect(await read(same)).toMatchObject({ count: 0, exit: 'incomplete' });
  });
});

test('200,000 ids are told apart, and each is known from then on', () => {
  const ids = Array.from({ length: 200_000 }, (_, index) => `ou-${index.toString(36)}`);
  const seen = new SeenIds();
  expect(ids.filter((id) => !seen.add(id))).toEqual([]);
  expect(ids.filter((id) => seen.add(id))).toEqual([]);
});
