import type { Resource } from '../wire/json-api.ts';

/** What a list is made of: resources, or plain records where the route is not JSON:API. Those may have any id, or none. */
export interface Listed {
  readonly id?: unknown;
}

/** One page as it came. */
export interface Page<Item extends Listed> {
  readonly items: readonly Item[];
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

export interface PageOptions {
  /** Exactly this page, and nothing claimed about the others. */
  readonly page?: number;
  readonly pageSize?: number;
  readonly limit?: number;
}

/** As much of the page as the limit leaves room for, after `before` items. */
export function limited<Item extends Listed>(page: Page<Item>, limit: number | undefined, before: number): Page<Item> {
  return limit === undefined || before + page.items.length <= limit
    ? page
    : withItems(page, page.items.slice(0, Math.max(0, limit - before)));
}

export function withItems<Item extends Listed>(page: Page<Item>, items: readonly Item[]): Page<Item> {
  return { ...page, items, document: { ...page.document, data: items } };
}

/** A page of what came as no page. */
export function toPage<Item extends Listed>(items: readonly Item[]): Page<Item> {
  return { items, included: [], document: { data: items }, pagination: undefined };
}
