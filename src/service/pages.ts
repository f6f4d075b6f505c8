import { OrgctlError, ServiceError } from '../errors.ts';
import type { Resource } from '../wire/json-api.ts';
import type { Query } from './query.ts';

/** Reading a whole list: page after page, order kept, and never said to be complete without proof. */

/** One page as it came. `items` are resources, or plain records where the route is not JSON:API. */
export interface Page {
  readonly items: readonly { readonly id?: string }[];
  readonly included: readonly Resource[];
  readonly document: object;
  /** Absent members are unknown. */
  readonly pagination: PageFacts | undefined;
}

export interface PageFacts {
  readonly current: number | undefined;
  readonly next: number | undefined;
  readonly totalPages: number | undefined;
  readonly totalCount: number | undefined;
}

/** What a person asked of a list. */
export interface PageOptions {
  /** Exactly this page, and nothing claimed about the others. */
  readonly page?: number;
  readonly pageSize?: number;
  /** Stop after so many items, and claim nothing. */
  readonly limit?: number;
  /** Hand over what could be read of a list that kept changing; the reading still ends with exit `incomplete`. */
  readonly allowPartial?: boolean;
}

export interface ListReading {
  /** Pages as they arrive. May throw `incomplete` after some were handed over. */
  stream(): AsyncIterable<Page>;
  /** The pages of one consistent reading. With `allowPartial` those of the last try: then `shortfall` says what is wrong. */
  collect(onPage?: (page: Page) => void): Promise<readonly Page[]>;
  /** After `collect`: why the pages may be incomplete, or undefined. */
  shortfall(): OrgctlError | undefined;
}

export interface ListRequest {
  /** Completes "cannot …". */
  readonly what: string;
  readonly fetch: (pageQuery: Query) => Promise<Page>;
  /** Page size to ask for; undefined sends no page parameters unless the person asked. */
  readonly defaultSize: number | undefined;
  readonly options: PageOptions;
  /** Told once when a service's answers leave completeness unproved. */
  readonly warn: (text: string) => void;
}

export const LARGEST_PAGE = 100;
const READINGS = 4;
const PREFETCH = 6;

/** A reading that contradicts itself. `reason` completes "the list … while it was read". */
class Inconsistent extends Error {}

export function createList(request: ListRequest): ListReading {
  let shortfall: OrgctlError | undefined;

  return {
    async *stream() {
      const given = new Set<string>();
      for (let reading = 1; ; reading += 1) {
        try {
          for await (const page of readOnce(request)) {
            const fresh = page.items.filter((item) => item.id === undefined || !given.has(item.id));
            for (const item of fresh) if (item.id !== undefined) given.add(item.id);
            yield fresh.length === page.items.length ? page : withItems(page, fresh);
          }
          return;
        } catch (error) {
          if (!(error instanceof Inconsistent)) throw error;
          if (reading === READINGS) throw toIncomplete(request.what, error);
        }
      }
    },
    async collect(onPage) {
      for (let reading = 1; ; reading += 1) {
        const pages: Page[] = [];
        try {
          for await (const page of readOnce(request)) {
            pages.push(page);
            onPage?.(page);
          }
          return pages;
        } catch (error) {
          if (!(error instanceof Inconsistent)) throw error;
          if (reading < READINGS) continue;
          shortfall = toIncomplete(request.what, error);
          if (request.options.allowPartial === true) return pages;
          throw shortfall;
        }
      }
    },
    shortfall: () => shortfall,
  };
}

function toIncomplete(what: string, error: Inconsistent): OrgctlError {
  return new OrgctlError('incomplete', `cannot ${what} completely: ${error.message}`, {
    reasons: [`the list was read ${READINGS} times`],
    hint: 'Run the command again when fewer changes are made, or take what there is with --allow-partial.',
  });
}

async function* readOnce(request: ListRequest): AsyncGenerator<Page> {
  const { options } = request;
  const asked = options.pageSize;
  if (options.page !== undefined) {
    yield limited(await request.fetch(toPageQuery(options.page, asked)), options.limit, 0);
    return;
  }
  const { page: first, size } = await fetchFirst(request, asked);
  const limit = options.limit;
  let count = first.items.length;
  yield limited(first, limit, 0);
  if (limit !== undefined && count >= limit) return;

  const facts = first.pagination;
  const paginated = size !== undefined;
  // By the document an answer without pagination to a request without page parameters is the whole list.
  if (facts === undefined && !paginated) return;
  if (facts === undefined || (facts.totalPages === undefined && facts.totalCount === undefined)) {
    if (facts?.next === undefined && (facts !== undefined || first.items.length < (size ?? LARGEST_PAGE))) return;
    request.warn(`the service gives no totals: reading until a page is short, without proof that nothing is missing`);
    yield* readWithoutTotals(request, first, size, count);
    return;
  }

  const ids = new Set<string>();
  checkIds(first, ids);
  const pages = facts.totalPages ?? (facts.next === undefined ? 1 : Number.POSITIVE_INFINITY);
  checkFacts(first, facts, 1, facts);
  for await (const [number, page] of prefetched(request, size, 2, pages, facts.next)) {
    checkFacts(page, facts, number, page.pagination);
    checkIds(page, ids);
    yield limited(page, limit, count);
    count += page.items.length;
    if (limit !== undefined && count >= limit) return;
  }
  if (facts.totalCount !== undefined && count !== facts.totalCount) {
    throw new Inconsistent(`the service counts ${facts.totalCount}, but ${count} were read`);
  }
}

/** Pages 2 to the last, several on their way at a time, in order. */
async function* prefetched(
  request: ListRequest,
  size: number | undefined,
  from: number,
  last: number,
  next: number | undefined,
): AsyncGenerator<readonly [number, Page]> {
  if (next === undefined || last < from) return;
  const fetchPage = (number: number): Promise<Page> => {
    const page = request.fetch(toPageQuery(number, size));
    // Whoever stops early leaves these behind; their failure is then nobody's.
    page.catch(() => undefined);
    return page;
  };
  const underway: Promise<Page>[] = [];
  let upcoming = from;
  for (let number = from; number <= last; number += 1) {
    const ahead = Number.isFinite(last) ? PREFETCH : 1;
    while (upcoming <= last && underway.length < ahead) {
      underway.push(fetchPage(upcoming));
      upcoming += 1;
    }
    const page = await underway.shift();
    if (page === undefined) return;
    yield [number, page];
    if (!Number.isFinite(last) && page.pagination?.next === undefined) return;
  }
}

async function* readWithoutTotals(
  request: ListRequest,
  first: Page,
  size: number | undefined,
  firstCount: number,
): AsyncGenerator<Page> {
  const ids = new Set<string>();
  checkIds(first, ids);
  let count = firstCount;
  let previous = first;
  for (let number = previous.pagination?.next ?? 2; ; ) {
    const page = await request.fetch(toPageQuery(number, size));
    checkIds(page, ids);
    yield limited(page, request.options.limit, count);
    count += page.items.length;
    if (request.options.limit !== undefined && count >= request.options.limit) return;
    const next = page.pagination?.next;
    if (page.pagination !== undefined) {
      if (next === undefined) return;
      if (next <= number) throw new Inconsistent(`page ${number} is followed by page ${next}`);
    } else if (page.items.length === 0 || page.items.length < (size ?? previous.items.length)) {
      return;
    }
    previous = page;
    number = next ?? number + 1;
  }
}

/** Page 1, and the page size in force. A size that nobody asked for is left out where the service refuses it. */
async function fetchFirst(
  request: ListRequest,
  asked: number | undefined,
): Promise<{ page: Page; size: number | undefined }> {
  const size = asked ?? request.defaultSize;
  try {
    return { page: await request.fetch(toPageQuery(undefined, size)), size };
  } catch (error) {
    const refused = error instanceof ServiceError && error.status === 422 && asked === undefined && size !== undefined;
    if (!refused) throw error;
    return { page: await request.fetch([]), size: undefined };
  }
}

function toPageQuery(number: number | undefined, size: number | undefined): Query {
  return [
    ['page[number]', number],
    ['page[size]', size],
  ];
}

function checkFacts(page: Page, first: PageFacts, number: number, facts: PageFacts | undefined): void {
  if (facts === undefined) throw new Inconsistent(`page ${number} came without pagination`);
  if (facts.current !== undefined && facts.current !== number) {
    throw new Inconsistent(`page ${number} was asked for and page ${facts.current} came`);
  }
  if (facts.totalCount !== first.totalCount) {
    throw new Inconsistent(`its length changed from ${first.totalCount} to ${facts.totalCount}`);
  }
  if (page.items.length === 0 && number > 1) throw new Inconsistent(`page ${number} came empty`);
}

function checkIds(page: Page, ids: Set<string>): void {
  for (const { id } of page.items) {
    if (id === undefined) continue;
    if (ids.has(id)) throw new Inconsistent(`${id} came twice`);
    ids.add(id);
  }
}

function limited(page: Page, limit: number | undefined, before: number): Page {
  return limit === undefined || before + page.items.length <= limit
    ? page
    : withItems(page, page.items.slice(0, Math.max(0, limit - before)));
}

function withItems(page: Page, items: Page['items']): Page {
  return { ...page, items, document: { ...page.document, data: items } };
}
