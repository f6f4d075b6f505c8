import { OrgctlError } from '../errors.ts';
import { collect, type Reading, type Way } from '../reading.ts';
import { createIdHashSet } from './id-hash-set.ts';
import { type Listed, limited, type Page, toPage, withItems } from './page.ts';
import { Inconsistent, type ListRequest, readOnce } from './page-reading.ts';

/** Reading a whole list: page after page, order kept, and never said to be complete without proof. */

/**
 * What is read as a whole is of one consistent reading: a list that contradicts itself is read again, and then only the last
 * reading's is given.
 */
export interface ListReading<Item extends Listed> extends Reading<Page<Item>> {
  /** How many items there will be, once a page says it and all are wanted. */
  expected?(): number | undefined;
  /** The most that is read of it, where the service's total says how many there are. */
  readonly limit?: number;
  /** Of several lists as one, once the limit was reached: what of them was left. */
  left?(): Left | undefined;
}

export interface Left {
  /** Names of lists that were not read. */
  readonly unread: readonly string[];
  /** The name of one that was read in part. */
  readonly cut: string | undefined;
}

/** Assumed: the service takes at most 100 rows a page; its document shows no limit. */
export const LARGEST_PAGE = 100;
/** A service whose list never ends is not followed for ever. */
const MOST_ITEMS = 10_000_000;
const READINGS = 4;
/** A list that goes on beyond all that is read. Reading it again would change nothing. */
class Endless extends Error {}

export function createList<Item extends Listed>(request: ListRequest<Item>): ListReading<Item> {
  let warned = false;
  let expected: number | undefined;
  const readAll = (reading: number): AsyncGenerator<Page<Item>> => {
    const { limit: _limit, ...unlimited } = request.options;
    const pages = readOnce({
      ...request,
      ...(request.isWanted === undefined ? {} : { options: unlimited }),
      fetch: toBounded(request),
      reading,
      warn(text) {
        if (!warned) request.warn(text);
        warned = true;
      },
    });
    return request.isWanted === undefined ? pages : select(pages, request.isWanted, request.options.limit);
  };

  return {
    async *read<Kept>(way: Way, keep: (page: Page<Item>) => Kept | Promise<Kept>) {
      const { limit } = request.options;
      const given = createGiven();
      let count = 0;
      for (let reading = 1; ; reading += 1) {
        const take = given.startReading(reading);
        const whole: Kept[] = [];
        let read = 0;
        try {
          for await (const page of readAll(reading)) {
            expected = findExpected(page, request);
            if (way === 'whole') {
              whole.push(await keep(page));
              continue;
            }
            read += page.items.length;
            const fresh = page.items.filter(take);
            yield await keep(limited(fresh.length === page.items.length ? page : withItems(page, fresh), limit, count));
            count += fresh.length;
            if (limit !== undefined && count >= limit) return;
          }
          // An event that a log gave did happen, even where the log no longer shows it.
          if (request.isNewestFirst === undefined) refuseGone(count - read);
        } catch (error) {
          if (!isIncomplete(error)) throw error;
          if (error instanceof Inconsistent && reading < READINGS) continue;
          throw toIncomplete(request.what, error);
        }
        return yield* whole;
      }
    },
    expected: () => expected,
    // Of those that are looked for among others the service counts the others too.
    ...(request.isWanted === undefined && request.options.limit !== undefined ? { limit: request.options.limit } : {}),
  };
}

function findExpected<Item extends Listed>(
  { pagination }: Page<Item>,
  { isWanted, options: { page, limit } }: ListRequest<Item>,
): number | undefined {
  const total = pagination?.totalCount;
  if (total === undefined || page !== undefined || isWanted !== undefined) return undefined;
  return Math.min(total, limit ?? total);
}

/** All items of one consistent reading. Throws `incomplete`. */
export async function readAll<Item extends Listed>(reading: ListReading<Item>): Promise<readonly Item[]> {
  return (await collect(reading, ({ items }) => items)).flat();
}

/** The wanted items of these pages. Pages without any are left out, but at least one page is given. */
async function* select<Item extends Listed>(
  pages: AsyncIterable<Page<Item>>,
  isWanted: (item: Item) => boolean,
  limit: number | undefined,
): AsyncGenerator<Page<Item>> {
  let count = 0;
  let empty: Page<Item> | undefined;
  for await (const page of pages) {
    const wanted = withItems(page, page.items.filter(isWanted));
    if (wanted.items.length === 0) {
      empty ??= wanted;
      continue;
    }
    yield limited(wanted, limit, count);
    count += wanted.items.length;
    if (limit !== undefined && count >= limit) return;
  }
  if (count === 0 && empty !== undefined) yield empty;
}

/** A list with each page changed. */
export function mapPages<Item extends Listed>(
  reading: ListReading<Item>,
  change: (page: Page<Item>) => Page<Item> | Promise<Page<Item>>,
): ListReading<Item> {
  return {
    ...reading,
    read: (way, keep) => reading.read(way, async (page) => await keep(await change(page))),
  };
}

/** A list of items that are read at once. `most`: how many are given at a time. */
export function toReading<Item extends Listed>(
  read: () => Promise<readonly Item[]>,
  most = Number.POSITIVE_INFINITY,
): ListReading<Item> {
  return {
    async *read(_way, keep) {
      const items = await read();
      for (let start = 0; start < items.length; start += most)
        yield await keep(toPage(items.slice(start, start + most)));
    },
  };
}

/** A list that is one page, read at once. */
export function toPageReading<Item extends Listed>(read: () => Promise<Page<Item>>): ListReading<Item> {
  return {
    async *read(_way, keep) {
      yield await keep(await read());
    },
  };
}

/** The same list; where none of it is given before all of it is there, it is the one page that is made of its pages. */
export function joinWhole<Item extends Listed>(
  reading: ListReading<Item>,
  join: (pages: readonly Page<Item>[]) => Page<Item>,
): ListReading<Item> {
  return {
    ...reading,
    async *read(way, keep) {
      if (way === 'whole') yield await keep(join(await collect(reading, (page) => page)));
      else yield* reading.read(way, keep);
    },
  };
}

/**
 * A list for which `fill` is asked where it is empty, before anything is given: it may throw, or give pages in its
 * place.
 */
export function withFill<Item extends Listed>(
  reading: ListReading<Item>,
  fill: (empty: Page<Item>) => Promise<Page<Item> | undefined>,
): ListReading<Item> {
  return {
    ...reading,
    async *read(way, keep) {
      let isEmpty = true;
      const pages = reading.read(way, async (page) => (page.items.length === 0 ? page : { kept: await keep(page) }));
      for await (const page of pages) {
        isEmpty &&= !('kept' in page);
        if ('kept' in page) yield page.kept;
        else yield await keep((isEmpty ? await fill(page) : undefined) ?? page);
      }
    },
  };
}

/** What earlier readings gave. Items without ids may come more than once, and are counted. */
function createGiven(): { startReading(reading: number): (item: Listed) => boolean } {
  const ids = createIdHashSet(0);
  const counts = new Map<string, number>();
  return {
    /** Whether an item of this reading was not given yet; it is then taken as given. */
    startReading(reading) {
      const seen = new Map<string, number>();
      return (item) => {
        // Lists of plain JSON may have null there, or number their items.
        if (typeof item.id === 'string') {
          const known = ids.has(item.id);
          ids.add(item.id);
          return reading === 1 || !known;
        }
        const key = JSON.stringify(item);
        const times = (seen.get(key) ?? 0) + 1;
        seen.set(key, times);
        if (times <= (counts.get(key) ?? 0)) return false;
        counts.set(key, times);
        return true;
      };
    },
  };
}

/** What was given stays given: a later reading without it proves that too much was given. */
function refuseGone(gone: number): void {
  if (gone === 0) return;
  throw new OrgctlError('incomplete', 'the list changed while it was being read', {
    reasons: [`${gone} row${gone === 1 ? '' : 's'} printed above ${gone === 1 ? 'is' : 'are'} no longer in the list.`],
    hint: 'Run the command again, or use -o json, which prints nothing before the whole list is read.',
  });
}

function isIncomplete(error: unknown): error is Inconsistent | Endless {
  return error instanceof Inconsistent || error instanceof Endless;
}

function toIncomplete(what: string, error: Inconsistent | Endless): OrgctlError {
  if (error instanceof Endless) {
    return new OrgctlError('incomplete', `can't ${what} completely: ${error.message}`, {
      hint: 'Ask for fewer, with a filter of the command or with --limit.',
    });
  }
  return new OrgctlError('incomplete', `can't ${what} completely: ${error.message}`, {
    reasons: [`The list was read ${READINGS} times.`],
    hint: 'Run the command again when fewer changes are made.',
  });
}

/** The request of one reading, which ends where the list turns out to be longer than any is. */
function toBounded<Item extends Listed>({ fetch, most = MOST_ITEMS }: ListRequest<Item>): ListRequest<Item>['fetch'] {
  let came = 0;
  return async (pageQuery) => {
    const read = await fetch(pageQuery);
    return () => {
      const page = read();
      came += page.items.length;
      if (came > most) throw new Endless(`it goes on after ${most.toLocaleString('en-US')} rows`);
      return page;
    };
  };
}
