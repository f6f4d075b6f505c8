import { pMapIterable } from 'p-map';
import { OrgctlError, ServiceError } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';
import type { Client } from './client.ts';
import { readList } from './error-document.ts';
import type { Call } from './operations.ts';
import type { Query, Resource } from './types.ts';

/** The largest page that the service gives (facts). */
const PAGE_SIZE = 100;
const CONCURRENCY = 6;
const READINGS = 4;

export interface PageOptions {
  /** This page alone. */
  page?: number;
  pageSize?: number;
  /** Stops early, and claims nothing of the rest. */
  limit?: number;
}

/** A page of resources, and what came along. */
export interface Page<Item = Resource> {
  items: Item[];
  included: Resource[];
  total: TotalCounts | undefined;
}

/** The service's counts of the whole list. */
interface TotalCounts {
  page: number | undefined;
  next: number | undefined;
  pages: number | undefined;
  items: number | undefined;
}

export interface ListOptions<Item> extends PageOptions {
  /** Completes "can't …". */
  what: string;
  fetch(query: Query): Promise<Page<Item>>;
  /** False sends no page parameters unless the user asked for a page. Default true. */
  isPaginated?: boolean;
  /**
   * `stream` gives pages as they come: a list that contradicts itself ends with an error. `buffer` gives nothing before
   * the list is whole, and reads it again.
   */
  mode: 'stream' | 'buffer';
  warn(text: string): void;
}

/** The list contradicts itself. */
class Inconsistent extends Error {}

/** Pages in order. Throws `incomplete` unless ids and totals prove that the list is whole. */
export async function* readPages<Item extends { id?: unknown }>(
  options: ListOptions<Item>,
): AsyncGenerator<Page<Item>> {
  for (let reading = 1; ; reading += 1) {
    try {
      if (options.mode === 'stream') return yield* readOnce(options);
      const pages: Page<Item>[] = [];
      for await (const page of readOnce(options)) pages.push(page);
      return yield* pages;
    } catch (error) {
      if (!(error instanceof Inconsistent)) throw error;
      if (options.mode === 'buffer' && reading < READINGS) continue;
      throw new OrgctlError('incomplete', `can't ${options.what} completely: ${error.message}`, {
        hint: 'It changed while it was read. Run the command again.',
      });
    }
  }
}

/** All items of a list that is whole. */
export async function readAll<Item extends { id?: unknown }>(
  options: Omit<ListOptions<Item>, 'mode'>,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of readPages({ ...options, mode: 'buffer' })) items.push(...page.items);
  return items;
}

/** Returns a function that reads pages of an operation that answers with a JSON:API list. */
export function fetchPages(client: Client, call: Call): (query: Query) => Promise<Page> {
  return async (query) => {
    const document = readList(await client.read({ ...call, query: [...call.query, ...query] }));
    return { items: document.data, included: document.included ?? [], total: parseTotals(document) };
  };
}

async function* readOnce<Item extends { id?: unknown }>(options: ListOptions<Item>): AsyncGenerator<Page<Item>> {
  const { page: only, limit = Number.POSITIVE_INFINITY } = options;
  if (only !== undefined) {
    const page = await options.fetch(formatPage(only, options.pageSize));
    return yield { ...page, items: page.items.slice(0, limit) };
  }
  const { first, size } = await fetchFirst(options);
  const seen = new Set<unknown>();
  let count = 0;
  for await (const page of readOn(options, first, size)) {
    assertNew(page.items, seen);
    const items = page.items.slice(0, limit - count);
    count += page.items.length;
    yield { ...page, items };
    if (count >= limit) return;
  }
  const total = first.total?.items;
  if (total !== undefined && total !== count)
    throw new Inconsistent(`the service counts ${total}, but ${count} were read`);
}

/** The first page and those after it. */
async function* readOn<Item>(
  options: ListOptions<Item>,
  first: Page<Item>,
  size: number | undefined,
): AsyncGenerator<Page<Item>> {
  yield first;
  const { total } = first;
  // By the document, an answer without pagination to a request without page parameters is the whole list.
  if (!total && size === undefined) return;
  const full = Math.max(first.items.length, 1);
  const pages = total?.items === undefined ? total?.pages : Math.ceil(total.items / full);
  if (pages === undefined) return yield* readUntilShort(options, first, size);
  // No page beyond the limit is asked for.
  const last = Math.min(pages, Math.ceil((options.limit ?? Number.POSITIVE_INFINITY) / full));
  const fetchNumber = async (number: number): Promise<Page<Item>> => {
    const page = await options.fetch(formatPage(number, size));
    assertSameTotals(page, number, total);
    return page;
  };
  yield* pMapIterable(countFrom(2, last), fetchNumber, { concurrency: CONCURRENCY, backpressure: CONCURRENCY });
}

/** Lazily: a service can claim any number of pages. */
function* countFrom(first: number, last: number): Generator<number> {
  for (let number = first; number <= last; number += 1) yield number;
}

/** Without totals: until a page is not full. */
async function* readUntilShort<Item>(
  options: ListOptions<Item>,
  first: Page<Item>,
  size: number | undefined,
): AsyncGenerator<Page<Item>> {
  const full = size ?? first.items.length;
  let page = first;
  for (let number = 2; ; number += 1) {
    const next = page.total ? page.total.next : page.items.length === full && full > 0 ? number : undefined;
    if (next === undefined) return;
    if (next !== number) throw new Inconsistent(`page ${number - 1} is followed by page ${next}`);
    if (number === 2) options.warn('the service gives no totals: there is no proof that the list is complete');
    page = await options.fetch(formatPage(number, size));
    yield page;
  }
}

/** The page size that nobody asked for is left out if the service refuses it. */
async function fetchFirst<Item>(options: ListOptions<Item>): Promise<{ first: Page<Item>; size: number | undefined }> {
  const size = options.pageSize ?? (options.isPaginated === false ? undefined : PAGE_SIZE);
  try {
    return { first: await options.fetch(formatPage(undefined, size)), size };
  } catch (error) {
    const isRefused =
      error instanceof ServiceError && [400, 422].includes(error.status) && options.pageSize === undefined;
    if (!isRefused || size === undefined) throw error;
    return { first: await options.fetch([]), size: undefined };
  }
}

function formatPage(number: number | undefined, size: number | undefined): Query {
  return [
    ['page[number]', number],
    ['page[size]', size],
  ];
}

/** Items without ids, of plain JSON, can't be told apart and are only counted. */
function assertNew(items: { id?: unknown }[], seen: Set<unknown>): void {
  for (const { id } of items) {
    if (id === undefined) continue;
    if (seen.has(id)) throw new Inconsistent(`${id} came twice`);
    seen.add(id);
  }
}

function assertSameTotals(page: Page<unknown>, number: number, first: TotalCounts | undefined): void {
  const { total } = page;
  if (total?.page !== undefined && total.page !== number)
    throw new Inconsistent(`page ${number} was asked for and page ${total.page} came`);
  if (total?.items !== first?.items)
    throw new Inconsistent(`its length changed from ${first?.items} to ${total?.items}`);
  if (page.items.length === 0) throw new Inconsistent(`page ${number} came empty`);
}

/**
 * Totals stand in `meta.pagination` (facts: the document does not show them). The audit trail has them beside `data`, with
 * underscores (facts).
 */
export function parseTotals(document: { meta?: unknown; pagination?: unknown }): TotalCounts | undefined {
  const pagination = isObject(document.meta) ? document.meta.pagination : document.pagination;
  if (!isObject(pagination)) return undefined;
  const count = (name: string): number | undefined => {
    const value = pagination[name] ?? pagination[name.replace('-', '_')];
    return Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined;
  };
  return {
    page: count('current-page'),
    next: count('next-page'),
    pages: count('total-pages'),
    items: count('total-count'),
  };
}
