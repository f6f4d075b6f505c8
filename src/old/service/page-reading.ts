import { ServiceError } from '../errors.ts';
import { createIdHashSet, type IdHashSet } from './id-hash-set.ts';
import { type Listed, limited, type Page, type PageFacts, type PageOptions, withItems } from './page.ts';
import type { Query } from './query.ts';

/** One reading of a list, page after page, and what proves that it is whole. */

export interface ListRequest<Item extends Listed> {
  /** Completes "cannot …". */
  readonly what: string;
  /** Gives the page when its turn comes: until then it takes no more room than its text. */
  readonly fetch: (pageQuery: Query) => Promise<() => Page<Item>>;
  /** Page size to ask for; undefined sends no page parameters unless the user asked. */
  readonly defaultSize: number | undefined;
  readonly options: PageOptions;
  readonly warn: (text: string) => void;
  /**
   * For a log, which grows while it is read: whether a page shows that the newest items come first. A log is whole when all
   * that was there at the start was given once.
   */
  readonly isNewestFirst?: (page: Page<Item>) => boolean;
  /** All are read, and only these are given: `limit` counts what is given. */
  readonly isWanted?: ((item: Item) => boolean) | undefined;
  /** A longer list is not read to its end; `MOST_ITEMS` when left out. */
  readonly most?: number;
}

const PREFETCH = 6;
const NO_PROOF = 'the service gives no totals: there is no proof that the list is complete';
/** Pages that came and wait for their turn. Where the reader is slower than the service, more would only fill memory. */
const MOST_WAITING = 2;

/** A reading that contradicts itself. The message completes "cannot … completely:". */
export class Inconsistent extends Error {}

/** Throws Inconsistent. */
export async function* readOnce<Item extends Listed>(
  request: ListRequest<Item> & { readonly reading: number },
): AsyncGenerator<Page<Item>> {
  const { page, pageSize, limit } = request.options;
  if (page !== undefined) {
    const read = await request.fetch(toPageQuery(page, pageSize));
    yield limited(read(), limit, 0);
    return;
  }
  const { page: first, size } = await fetchFirst(request, pageSize);
  // A hash of its own for each reading: two ids that one takes for the same, the next does not.
  const ids = createIdHashSet(request.reading);
  const facts = first.pagination;
  const { isNewestFirst } = request;
  // Without ids nothing says which items came before.
  if (isNewestFirst !== undefined && facts !== undefined && first.items.every(({ id }) => typeof id === 'string')) {
    checkNumber(facts, 1);
    yield* readLog(request, size, first, ids, isNewestFirst(first));
    return;
  }
  checkIds(first, ids);
  yield limited(first, limit, 0);
  if (limit !== undefined && first.items.length >= limit) return;
  // By the document an answer without pagination to a request without page parameters is the whole list.
  if (facts === undefined && size === undefined) return;
  if (facts === undefined || (facts.totalPages === undefined && facts.totalCount === undefined)) {
    yield* readWithoutTotals(request, size, first, ids);
  } else {
    yield* readWithTotals(request, size, first, facts, ids);
  }
}

/** The pages after the first, proved by the totals that every page repeats. */
async function* readWithTotals<Item extends Listed>(
  request: ListRequest<Item>,
  size: number | undefined,
  first: Page<Item>,
  facts: PageFacts,
  ids: IdHashSet,
): AsyncGenerator<Page<Item>> {
  const { limit } = request.options;
  let count = first.items.length;
  checkNumber(facts, 1);
  const last = facts.totalPages ?? (count === 0 ? 1 : Math.ceil((facts.totalCount ?? 0) / count));
  const enough = limit === undefined ? last : Math.ceil(limit / Math.max(count, 1));
  for await (const [number, page] of prefetched(request, size, last, enough)) {
    checkFacts(page, facts, number);
    checkIds(page, ids);
    yield limited(page, limit, count);
    count += page.items.length;
    if (limit !== undefined && count >= limit) return;
  }
  if (facts.totalCount !== undefined && count !== facts.totalCount) {
    throw new Inconsistent(`the service counts ${facts.totalCount}, but ${count} were read`);
  }
}

/** Pages 2 to the last in order, several on their way at a time, but none after `enough` before its turn. */
async function* prefetched<Item extends Listed>(
  request: ListRequest<Item>,
  size: number | undefined,
  last: number,
  enough: number,
): AsyncGenerator<readonly [number, Page<Item>]> {
  let waiting = 0;
  const fetchPage = (number: number): Promise<() => Page<Item>> => {
    const page = request.fetch(toPageQuery(number, size));
    page.then(
      () => {
        waiting += 1;
      },
      // Pages that are left behind where the reader stops early: a failure of them does not matter.
      () => undefined,
    );
    return page;
  };
  const underway: Promise<() => Page<Item>>[] = [];
  let upcoming = 2;
  for (let number = 2; number <= last; number += 1) {
    const ahead = waiting >= MOST_WAITING ? 0 : Math.min(last, enough, number + PREFETCH - 1);
    for (; upcoming <= Math.max(number, ahead); upcoming += 1) underway.push(fetchPage(upcoming));
    const read = await underway.shift();
    if (read === undefined) return;
    waiting -= 1;
    yield [number, read()];
  }
}

/** The pages after the first, one by one: `next-page` says how to go on, or else whether the last one was full. */
async function* readWithoutTotals<Item extends Listed>(
  request: ListRequest<Item>,
  size: number | undefined,
  first: Page<Item>,
  ids: IdHashSet,
): AsyncGenerator<Page<Item>> {
  const { limit } = request.options;
  const full = size ?? first.items.length;
  let count = first.items.length;
  let page = first;
  for (let number = 1; ; ) {
    if (page.pagination !== undefined) checkNumber(page.pagination, number);
    const next = toNextNumber(page, number, full);
    if (next !== undefined || (page.pagination === undefined && count > 0)) {
      request.warn(NO_PROOF);
    }
    if (next === undefined) return;
    number = next;
    page = (await request.fetch(toPageQuery(number, size)))();
    checkIds(page, ids);
    yield limited(page, limit, count);
    count += page.items.length;
    if (limit !== undefined && count >= limit) return;
  }
}

/**
 * The pages of a log, each item once. What is added in front, or late between the others, moves what stands behind it to
 * later pages: read one after the other, some then come twice, and none is missed.
 */
async function* readLog<Item extends Listed>(
  request: ListRequest<Item>,
  size: number | undefined,
  first: Page<Item>,
  ids: IdHashSet,
  newestFirst: boolean,
): AsyncGenerator<Page<Item>> {
  const { limit } = request.options;
  const { totalCount: wanted, totalPages = 1 } = first.pagination ?? {};
  const full = size ?? first.items.length;
  let page = first;
  let items = takeNew(first, ids);
  let came = first.items.length;
  let given = 0;
  for (let number = 1; ; number += 1) {
    const count = given + items.length;
    const isEnough = limit !== undefined && count >= limit;
    // One that came late may be among those of a log with the newest first, and what it moved is on the next page then.
    const isAll = !newestFirst && wanted !== undefined && count >= wanted && number >= totalPages;
    const isLast = isEnough || isAll || !hasNext(page, number, full);
    // The next page is on its way while this one is printed.
    const upcoming = isLast ? undefined : request.fetch(toPageQuery(number + 1, size));
    // The page is left behind where the reader stops early: its failure does not matter then.
    upcoming?.catch(() => undefined);
    yield limited(items === page.items ? page : withItems(page, items), limit, given);
    given = count;
    if (upcoming === undefined) {
      if (!isEnough && !isAll) checkLog(request, { page, wanted, came, given, newestFirst });
      return;
    }
    const before = page;
    page = (await upcoming)();
    if (page.pagination !== undefined) checkNumber(page.pagination, number + 1);
    came += page.items.length;
    items = takeNew(page, ids);
    const grown = (page.pagination?.totalCount ?? 0) - (before.pagination?.totalCount ?? 0);
    if (items.length === 0 && page.items.length >= full && full > grown)
      throw new Inconsistent(`page ${number + 1} has nothing new`);
  }
}

function hasNext(page: Page<Listed>, number: number, full: number): boolean {
  const pages = page.pagination?.totalPages;
  return pages === undefined ? toNextNumber(page, number, full) !== undefined : number < pages;
}

/** The items of a page that did not come before. */
function takeNew<Item extends Listed>(page: Page<Item>, ids: IdHashSet): readonly Item[] {
  const items = page.items.filter(({ id }) => {
    if (typeof id !== 'string') return true;
    if (ids.has(id)) return false;
    ids.add(id);
    return true;
  });
  return items.length === page.items.length ? page.items : items;
}

/** Whether everything came that was there at the start, but for what has left the end of the log since. */
function checkLog(
  request: Pick<ListRequest<Listed>, 'warn'>,
  read: {
    /** The last page. */
    readonly page: Page<Listed>;
    readonly wanted: number | undefined;
    /** How many came; what came twice counts twice. */
    readonly came: number;
    readonly given: number;
    readonly newestFirst: boolean;
  },
): void {
  const { page, wanted, came, given, newestFirst } = read;
  if (wanted === undefined) {
    // A single page that calls itself the last one needs no proof.
    if (came > page.items.length) request.warn(NO_PROOF);
  } else if (!newestFirst || came < (page.pagination?.totalCount ?? wanted)) {
    throw new Inconsistent(`the service counts ${wanted}, but ${given} were read`);
  }
}

/** Undefined after the last page. A page longer than asked comes from a service without pages: it is everything. */
function toNextNumber(page: Page<Listed>, number: number, full: number): number | undefined {
  if (page.pagination === undefined)
    return page.items.length > 0 && page.items.length === full ? number + 1 : undefined;
  const { next } = page.pagination;
  if (next !== undefined && next <= number) throw new Inconsistent(`page ${number} is followed by page ${next}`);
  if (next !== undefined && page.items.length === 0) throw new Inconsistent(`page ${number} came empty`);
  return next;
}

/** Page 1, and the page size used. A size that the user did not ask for is left out where the service refuses it. */
async function fetchFirst<Item extends Listed>(
  request: ListRequest<Item>,
  asked: number | undefined,
): Promise<{ page: Page<Item>; size: number | undefined }> {
  const size = asked ?? request.defaultSize;
  try {
    const read = await request.fetch(toPageQuery(undefined, size));
    return { page: read(), size };
  } catch (error) {
    const refused = error instanceof ServiceError && error.status === 422 && asked === undefined && size !== undefined;
    if (!refused) throw error;
    const read = await request.fetch([]);
    return { page: read(), size: undefined };
  }
}

function toPageQuery(number: number | undefined, size: number | undefined): Query {
  return [
    ['page[number]', number],
    ['page[size]', size],
  ];
}

function checkNumber({ current }: PageFacts, number: number): void {
  if (current !== undefined && current !== number) {
    throw new Inconsistent(`page ${number} was asked for and page ${current} came`);
  }
}

/** A total that a page leaves out contradicts nothing. */
function checkFacts({ items, pagination }: Page<Listed>, first: PageFacts, number: number): void {
  if (pagination === undefined) throw new Inconsistent(`page ${number} came without pagination`);
  checkNumber(pagination, number);
  if (isOther(pagination.totalCount, first.totalCount)) {
    throw new Inconsistent(`its length changed from ${first.totalCount} to ${pagination.totalCount}`);
  }
  if (isOther(pagination.totalPages, first.totalPages)) {
    throw new Inconsistent(`its pages changed from ${first.totalPages} to ${pagination.totalPages}`);
  }
  if (items.length === 0) throw new Inconsistent(`page ${number} came empty`);
}

function isOther(total: number | undefined, before: number | undefined): boolean {
  return total !== undefined && before !== undefined && total !== before;
}

function checkIds(page: Page<Listed>, ids: IdHashSet): void {
  let named = 0;
  for (const { id } of page.items) {
    // Lists of plain JSON may number their items.
    if (typeof id !== 'string') continue;
    if (ids.has(id)) throw new Inconsistent(`${id} came twice`);
    ids.add(id);
    named += 1;
  }
  if (named > 0 || page.items.length === 0) return;
  // Without ids, a service that gives one page to every question would be asked for ever.
  const whole = JSON.stringify(page.items);
  if (ids.has(whole)) throw new Inconsistent('the same page came twice');
  ids.add(whole);
}
