import { createInvalid, type Flaw } from './problems.ts';
import type { Pagination } from './wire/json-api.ts';

export interface Page {
  readonly number: number;
  readonly size: number;
}

export interface PageLimits {
  readonly defaultSize: number;
  readonly largestSize: number;
}

export interface Range {
  /** -1 for all. */
  readonly limit: number;
  readonly offset: number;
}

export const ALL_ROWS: Range = { limit: -1, offset: 0 };

const NUMBER = 'page[number]';
const SIZE = 'page[size]';
// The largest page size is not in the service's document; Assumed from what is known of the service.
const LIMITS: PageLimits = { defaultSize: 20, largestSize: 100 };
/** More digits would not be exact as a number. */
const DIGITS = /^\d{1,15}$/;

/** For lists that are answered whole unless the request has one of the two parameters: undefined without either. */
export function readPageIfAsked(url: URL): Page | undefined {
  return url.searchParams.has(NUMBER) || url.searchParams.has(SIZE) ? readPage(url) : undefined;
}

/**
 * Throws 422 with everything that is wrong. Assumed: a page number or size that is no whole number is refused with 422,
 * like a size out of range.
 */
export function readPage(url: URL, limits: PageLimits = LIMITS): Page {
  const flaws: Flaw[] = [];
  const number = readWhole(url, NUMBER, 1);
  if (number === undefined || number < 1) flaws.push({ detail: `${NUMBER} must be a whole number from 1` });
  const size = readWhole(url, SIZE, limits.defaultSize);
  if (size === undefined || size < 1 || size > limits.largestSize) {
    flaws.push({ detail: `${SIZE} must be between 1 and ${limits.largestSize}` });
  }
  if (number === undefined || size === undefined || flaws.length > 0) throw createInvalid(flaws);
  return { number, size };
}

export function toRange(page: Page | undefined): Range {
  return page === undefined ? ALL_ROWS : { limit: page.size, offset: (page.number - 1) * page.size };
}

/**
 * Assumed: the pagination of a list has the number and the size of the page, the pages before and after it, and both
 * totals. A page behind the last one has null for both neighbours and keeps the totals.
 */
export function toPagination(page: Page, total: number): Required<Pagination> {
  const pages = Math.ceil(total / page.size);
  return {
    'current-page': page.number,
    'page-size': page.size,
    'prev-page': page.number > 1 && page.number <= pages ? page.number - 1 : null,
    'next-page': page.number < pages ? page.number + 1 : null,
    'total-pages': pages,
    'total-count': total,
  };
}

/** Assumed: links to pages are absolute and keep every other parameter of the request. */
export function toPageLinks(url: URL, { size }: Page, pagination: Required<Pagination>): Record<string, string | null> {
  const link = (number: number | null): string | null => (number === null ? null : toPageUrl(url, number, size));
  return {
    self: link(pagination['current-page']),
    first: link(1),
    prev: link(pagination['prev-page']),
    next: link(pagination['next-page']),
    last: link(Math.max(1, pagination['total-pages'] ?? 1)),
  };
}

function toPageUrl(url: URL, number: number, size: number): string {
  const kept = [...url.searchParams].filter(([name]) => name !== NUMBER && name !== SIZE);
  const query = [...kept, [NUMBER, String(number)] as const, [SIZE, String(size)] as const]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join('&');
  return `${url.origin}${url.pathname}?${query}`;
}

function readWhole(url: URL, name: string, absent: number): number | undefined {
  const value = url.searchParams.getAll(name).at(-1);
  if (value === undefined) return absent;
  return DIGITS.test(value) ? Number(value) : undefined;
}
