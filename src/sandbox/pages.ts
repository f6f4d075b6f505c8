import type { Answer, Call } from './call.ts';
import type { Resource } from './documents.ts';
import { createInvalid, type Flaw } from './errors.ts';
import type { Listing } from './store.ts';

interface Page {
  number: number;
  size: number;
}

const NUMBER = 'page[number]';
const SIZE = 'page[size]';
/** The largest size is not in the service's document (facts). */
const SIZES = { default: 20, largest: 100 };

export function readPageIfAsked(call: Call): Page | undefined {
  return call.url.searchParams.has(NUMBER) || call.url.searchParams.has(SIZE) ? readPage(call) : undefined;
}

export function readPage({ url }: Call, sizes = SIZES): Page {
  const flaws: Flaw[] = [];
  const read = (name: string, absent: number, largest: number, detail: string): number => {
    const value = url.searchParams.getAll(name).at(-1) ?? String(absent);
    const isValid = /^\d{1,15}$/.test(value) && Number(value) >= 1 && Number(value) <= largest;
    if (!isValid) flaws.push({ detail: `${name} must be ${detail}` });
    return Number(value);
  };
  const number = read(NUMBER, 1, Number.POSITIVE_INFINITY, 'a whole number from 1');
  const size = read(SIZE, sizes.default, sizes.largest, `between 1 and ${sizes.largest}`);
  if (flaws.length > 0) throw createInvalid(...flaws);
  return { number, size };
}

/** The rows of a page, or all, and what is said of the page. A page behind the last one has no neighbours. */
export function readRows<Row>(rows: Listing<Row>, { number, size }: Page) {
  const list = rows.list({ limit: size, offset: (number - 1) * size });
  const total = rows.count();
  const pages = Math.ceil(total / size);
  const pagination = {
    'current-page': number,
    'page-size': size,
    'prev-page': number > 1 && number <= pages ? number - 1 : null,
    'next-page': number < pages ? number + 1 : null,
    'total-pages': pages,
    'total-count': total,
  };
  return { list, pagination };
}

export function formatLinks({ searchParams, pathname }: URL, pagination: ReturnType<typeof readRows>['pagination']) {
  const kept = [...searchParams].filter(([name]) => name !== NUMBER && name !== SIZE);
  const link = (number: number | null): string | null => {
    const query = [...kept, [NUMBER, String(number)], [SIZE, String(pagination['page-size'])]];
    const text = query.map((pair) => pair.map((each) => encodeURIComponent(each)).join('=')).join('&');
    return number === null ? null : `${pathname}?${text}`;
  };
  return {
    self: link(pagination['current-page']),
    first: link(1),
    prev: link(pagination['prev-page']),
    next: link(pagination['next-page']),
    last: link(Math.max(1, pagination['total-pages'])),
  };
}

export interface Resources {
  data: readonly Resource[];
  /** Each of these is sent once, and only if the request asks for something beside the data. */
  included?: readonly Resource[];
}

export function answerOne(call: Call, { data, included }: Resources, status = 200): Answer {
  return { status, body: { data: data[0], ...formatIncluded(call, included) } };
}

/** Without a page the answer has all rows, and no members about pages. `meta`: what `meta` of a page has besides. */
export function answerList<Row>(
  call: Call,
  page: Page | undefined,
  rows: Listing<Row>,
  format: (rows: readonly Row[]) => Resources,
  meta: object = {},
): Answer {
  const { list = rows.list(), pagination } = page ? readRows(rows, page) : {};
  const { data, included } = format(list);
  const body = { data, ...formatIncluded(call, included) };
  if (pagination === undefined) return { status: 200, body };
  const links = Object.entries(formatLinks(call.url, pagination)).map(([name, link]) => {
    return [name, link && call.url.origin + link];
  });
  return { status: 200, body: { ...body, links: Object.fromEntries(links), meta: { ...meta, pagination } } };
}

function formatIncluded({ include }: Call, resources: readonly Resource[] = []) {
  if (include.size === 0) return {};
  return { included: [...new Map(resources.map((each) => [`${each.type} ${each.id}`, each])).values()] };
}
