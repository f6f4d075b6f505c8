import { type Page, toPageLinks, toPagination, toRange } from './pagination.ts';
import type { Answer, Context } from './route.ts';
import type { Listing } from './rows.ts';
import type { Resource } from './wire/json-api.ts';

/**
 * Makes JSON:API documents. Assumed: the order in which lists have their rows, and the attributes and relationships
 * that each resource has, are not complete in the service's document.
 */

export interface Resources {
  readonly data: readonly Resource[];
  /** Each of these is sent once, and only where the request asks for something beside the data. */
  readonly included?: readonly Resource[];
}

export const NO_ROWS: Listing<never> = { count: () => 0, list: () => [] };

export function answerOne(context: Context, { data, included }: Resources, status = 200): Answer {
  return { status, body: { data: data[0], ...toIncluded(context, included) } };
}

/** Without a page the answer has all rows, and no members about pages. `meta`: what `meta` of a page has besides. */
export function answerList<Row>(
  context: Context,
  page: Page | undefined,
  rows: Listing<Row>,
  toResources: (rows: readonly Row[]) => Resources,
  meta: Readonly<Record<string, unknown>> = {},
): Answer {
  const { data, included } = toResources(rows.list(toRange(page)));
  const document = { data, ...toIncluded(context, included) };
  if (page === undefined) return { status: 200, body: document };
  const pagination = toPagination(page, rows.count());
  const links = toPageLinks(context.url, page, pagination);
  return { status: 200, body: { ...document, links, meta: { ...meta, pagination } } };
}

function toIncluded({ include }: Context, resources: readonly Resource[] = []): { included?: readonly Resource[] } {
  if (include.size === 0) return {};
  return {
    included: [...new Map(resources.map((resource) => [`${resource.type} ${resource.id}`, resource])).values()],
  };
}
