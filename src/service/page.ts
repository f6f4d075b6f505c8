import type { Resource } from '../wire/json-api.ts';

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

export interface PageOptions {
  /** Exactly this page, and nothing claimed about the others. */
  readonly page?: number;
  readonly pageSize?: number;
  readonly limit?: number;
  /** Hand over what could be read of a list that kept changing; the reading still ends with exit `incomplete`. */
  readonly allowPartial?: boolean;
}

/** As much of the page as the limit leaves room for, after `before` items. */
export function limited(page: Page, limit: number | undefined, before: number): Page {
  return limit === undefined || before + page.items.length <= limit
    ? page
    : withItems(page, page.items.slice(0, Math.max(0, limit - before)));
}

export function withItems(page: Page, items: Page['items']): Page {
  return { ...page, items, document: { ...page.document, data: items } };
}
