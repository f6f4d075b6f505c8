import { pMapIterable } from 'p-map';
import { OrgctlError } from '../lib/errors.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import type { Client } from './client.ts';
import { readList } from './error-document.ts';
import { flattenPages } from './flatten.ts';
import { type Include, withInclude } from './include.ts';
import type { Call } from './operations.ts';
import { SeenIds } from './seen-ids.ts';
import type { Query, Resource } from './types.ts';

/** The largest page that the service gives (facts). */
const PAGE_SIZE = 100;
const CONCURRENCY = 6;
const MAX_READS = 4;

export interface PageOptions {
  /** Reads only this page. */
  page?: number;
  pageSize?: number;
  /** Reads no page beyond so many items, and proves nothing about the rest. */
  limit?: number;
}

export interface ReadOptions extends PageOptions {
  /**
   * `stream` yields pages as they arrive, and throws if the list contradicts itself. `buffer`, the default, yields nothing
   * until the list is whole, and reads a list that contradicts itself again.
   */
  mode?: 'stream' | 'buffer';
  warn?(text: string): void;
}

export interface Page<Item = Resource> {
  items: Item[];
  included: Resource[];
  total: Totals | undefined;
}

/** The service's counts for the whole list. */
type Totals = NonNullable<ReturnType<typeof parseTotals>>;

export interface List {
  /** Yields pages in order. Throws `incomplete` unless ids and totals prove that the list is whole. */
  pages(options?: ReadOptions): AsyncGenerator<Page>;
  /** The pages, each resource as one plain record. */
  records(options?: ReadOptions): AsyncGenerator<JsonObject[]>;
  all(options?: ReadOptions): Promise<Resource[]>;
  allRecords(): Promise<JsonObject[]>;
}

export interface ListOptions<Item> extends ReadOptions {
  /** Completes "can't …". */
  action: string;
  fetch(query: Query): Promise<Page<Item>>;
  /** False sends no page parameters unless the user asked for a page. Default true. */
  isPaginated?: boolean;
}

class InconsistentList extends OrgctlError {
  constructor(message: string) {
    super('incomplete', message);
  }
}

/** `pages` of a list whose items may be anything. */
export async function* readPages<Item extends { id?: unknown }>(options: ListOptions<Item>) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      if (options.mode === 'stream') return yield* readOnce(options);
      return yield* await collect(readOnce(options));
    } catch (error) {
      if (!(error instanceof InconsistentList)) throw error;
      if (options.mode !== 'stream' && attempt < MAX_READS) continue;
      throw new OrgctlError('incomplete', `can't ${options.action} completely: ${error.message}`, {
        hint: 'It changed while it was read. Run the command again.',
      });
    }
  }
}

/** The list that an operation answers with, in JSON:API. */
export function createList(
  client: Client,
  call: Call,
  { include = { own: [] }, isPaginated }: { include?: Include; isPaginated?: boolean } = {},
): List {
  const what = call.action.replace(/^list (the )?/, '');
  let pages: number | undefined;
  const read = async (query: Query): Promise<Page> => {
    const [, number] = query.find(([name]) => name === 'page[number]') ?? [];
    const progress = pages && number ? `Reading ${what}: page ${number} of ${pages}` : undefined;
    const document = readList(await client.read({ ...call, progress, query: [...call.query, ...query] }));
    const total = parseTotals(document);
    pages = total?.pages;
    return { items: document.data, included: document.included ?? [], total };
  };
  const list = { action: call.action, fetch: withInclude(read, include), isPaginated };
  return createListOf((options) => readPages({ ...options, ...list }));
}

export function createListOf(pages: List['pages']): List {
  return {
    pages,
    records: (options) => flattenPages(pages(options)),
    all: async (options) => (await collect(pages(options))).flatMap(({ items }) => items),
    allRecords: async () => (await collect(flattenPages(pages()))).flat(),
  };
}

export async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const value of values) found.push(value);
  return found;
}

async function* readOnce<Item extends { id?: unknown }>(options: ListOptions<Item>): AsyncGenerator<Page<Item>> {
  const { page: only, limit = Number.POSITIVE_INFINITY } = options;
  if (only !== undefined) return yield options.fetch(formatPage(only, options.pageSize));
  const size = options.pageSize ?? (options.isPaginated === false ? undefined : PAGE_SIZE);
  const first = await options.fetch(formatPage(undefined, size));
  const seen = new SeenIds();
  let count = 0;
  let last = first;
  for await (const page of readFrom(first, size, options)) {
    assertNew(page.items, seen);
    count += page.items.length;
    last = page;
    yield page;
    if (count >= limit) return;
  }
  if (last.total?.next) throw new InconsistentList(`page ${last.total.next} follows what should be the last page`);
  const total = first.total?.items ?? count;
  if (total !== count) throw new InconsistentList(`the service counts ${total}, but ${count} were read`);
}

async function* readFrom<Item>(first: Page<Item>, size: number | undefined, options: ListOptions<Item>) {
  yield first;
  const { total } = first;
  // The document says that an answer without pagination to a request without page parameters is the whole list.
  if (!total && size === undefined) return;
  // The service may give smaller pages than it was asked for.
  const full = Math.max(first.items.length, 1);
  const pages = total?.items === undefined ? total?.pages : Math.ceil(total.items / full);
  if (pages === undefined) return yield* readUntilShort(first, size, options);
  const last = Math.min(pages, Math.ceil((options.limit ?? Number.POSITIVE_INFINITY) / full));
  const fetchNumber = async (number: number): Promise<Page<Item>> => {
    const page = await options.fetch(formatPage(number, size));
    assertSameTotals(page, number, total);
    return page;
  };
  yield* pMapIterable(countFrom(2, last), fetchNumber, { concurrency: CONCURRENCY, backpressure: CONCURRENCY });
}

/** Yields numbers lazily, since a service can claim any number of pages. */
function* countFrom(first: number, last: number): Generator<number> {
  for (let number = first; number <= last; number += 1) yield number;
}

/** Without totals, a page that is not full is the last. */
async function* readUntilShort<Item>(first: Page<Item>, size: number | undefined, options: ListOptions<Item>) {
  const full = size ?? first.items.length;
  let page = first;
  for (let number = 2; ; number += 1) {
    const guessed = page.items.length === full && full > 0 ? number : undefined;
    const next = page.total ? page.total.next : guessed;
    if (!next) return;
    if (next !== number) throw new InconsistentList(`page ${number - 1} is followed by page ${next}`);
    if (number === 2) options.warn?.('the service sends no totals, so the list may be incomplete');
    page = await options.fetch(formatPage(number, size));
    yield page;
  }
}

function formatPage(number: number | undefined, size: number | undefined): Query {
  return [
    ['page[number]', number],
    ['page[size]', size],
  ];
}

/** Plain JSON items without ids can't be told apart, so they are only counted. */
function assertNew(items: { id?: unknown }[], seen: SeenIds): void {
  for (const { id } of items) {
    if (id !== undefined && !seen.add(String(id))) throw new InconsistentList(`${id} came twice`);
  }
}

function assertSameTotals(page: Page<unknown>, number: number, first: Totals | undefined): void {
  const { total } = page;
  if (total?.page !== undefined && total.page !== number)
    throw new InconsistentList(`page ${number} was asked for and page ${total.page} came`);
  if (total?.items !== first?.items)
    throw new InconsistentList(`its length changed from ${first?.items} to ${total?.items}`);
  if (page.items.length === 0) throw new InconsistentList(`page ${number} came empty`);
}

/**
 * Totals are in `meta.pagination` (facts: the document does not show them). The audit trail has them next to `data`, with
 * underscores (facts). Undefined unless they say where the list ends or that it goes on.
 */
export function parseTotals(document: { meta?: unknown; pagination?: unknown; links?: unknown }) {
  const pagination = isObject(document.meta) ? document.meta.pagination : document.pagination;
  const values = isObject(pagination) ? pagination : {};
  const link = isObject(document.links) ? document.links.next || undefined : undefined;
  const linked = /page(?:\[|%5B)number(?:\]|%5D)=(\d+)/i.exec(String(link))?.[1] ?? link;
  const count = (name: string, other?: unknown): number | undefined => {
    const value = values[name] ?? values[name.replace('-', '_')] ?? other ?? undefined;
    if (value === undefined) return undefined;
    if (/^\d{1,15}$/.test(String(value))) return Number(value);
    throw new InconsistentList(`its ${name} is not a number`);
  };
  const [next, pages, items] = [count('next-page', linked) || undefined, count('total-pages'), count('total-count')];
  const isSaid = values['next-page'] === null || [next, pages, items].some((number) => number !== undefined);
  return isSaid ? { page: count('current-page'), next, pages, items } : undefined;
}
