import type { Pagination, Resource } from '../wire/json-api.ts';
import { type Call, type Client, readList } from './client.ts';
import { describeLess, type Include, NO_INCLUDE, withInclude } from './include.ts';
import { toRequest } from './operations.ts';
import type { PageFacts, PageOptions } from './page.ts';
import { createList, LARGEST_PAGE, type ListReading } from './pages.ts';

interface ResourceListOptions {
  /** Whether pages of 100 are asked for; otherwise no page parameters are sent unless the user asked. */
  readonly paginate: boolean;
  readonly include?: Include;
  readonly page: PageOptions;
  readonly warn: (text: string) => void;
}

export function createResourceList(client: Client, call: Call, options: ResourceListOptions): ListReading<Resource> {
  let include = options.include ?? NO_INCLUDE;
  return createList({
    what: toRequest(call).what,
    defaultSize: options.paginate ? LARGEST_PAGE : undefined,
    options: options.page,
    warn: options.warn,
    fetch: (pageQuery) =>
      withInclude(
        include,
        async (query) => {
          const answer = await client.read({ ...call, query: [...(call.query ?? []), ...query, ...pageQuery] });
          return () => {
            const document = readList(answer);
            const { data: items, included, meta } = document;
            // It may be null.
            return { items, included: included ?? [], document, pagination: toPageFacts(meta?.pagination) };
          };
        },
        (left) => {
          warnOfLess(include, left, options.warn);
          // All further pages are asked for with the same include.
          include = left;
        },
      ),
  });
}

export function warnOfLess(include: Include, left: Include, warn: (text: string) => void): void {
  if (include.isNeeded !== true) return;
  const names = include.own.filter((name) => !left.own.includes(name));
  warn(describeLess(names));
}

/**
 * Assumed: a list has its totals in meta.pagination, as total-pages and total-count; the service's document does not
 * show it.
 */
export function toPageFacts(pagination: Pagination | undefined): PageFacts | undefined {
  if (typeof pagination !== 'object' || pagination === null) return undefined;
  return {
    current: toCount(pagination['current-page']),
    next: toCount(pagination['next-page']),
    totalPages: toCount(pagination['total-pages']),
    totalCount: toCount(pagination['total-count']),
  };
}

/** A count the service gave, or undefined: null and nonsense are unknown, never zero. */
export function toCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
