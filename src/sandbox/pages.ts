import type { Answer, Call } from './call.ts';
import type { Resource } from './documents.ts';
import { createInvalid, type Flaw } from './errors.ts';
import type { Listing } from './store.ts';

const NUMBER = 'page[number]';
const SIZE = 'page[size]';
/** The largest size is not in the service's document (facts). */
const SIZES = { default: 20, largest: 100 };

/** A page of the rows, and what is said of it. A page behind the last one has no neighbours. Throws 422. */
export function readPage<Row>({ url }: Call, rows: Listing<Row>, sizes = SIZES) {
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
  const total = rows.count();
  const pages = Math.ceil(total / size);
  const pagination = {
    ...{ 'current-page': number, 'page-size': size },
    'prev-page': number > 1 && number <= pages ? number - 1 : null,
    'next-page': number < pages ? number + 1 : null,
    ...{ 'total-pages': pages, 'total-count': total },
  };
  return { list: rows.list({ limit: size, offset: (number - 1) * size }), pagination };
}

/** Links begin with `base`, and keep every other parameter of the request. */
export function formatLinks({ url }: Call, pagination: Record<string, number | null>, base: string) {
  const kept = [...url.searchParams].filter(([name]) => name !== NUMBER && name !== SIZE);
  const numbers = {
    ...{ self: pagination['current-page'], first: 1, prev: pagination['prev-page'], next: pagination['next-page'] },
    last: Math.max(1, pagination['total-pages'] ?? 1),
  };
  const links = Object.entries(numbers).map(([name, number]) => {
    const query = [...kept, [NUMBER, String(number)], [SIZE, String(pagination['page-size'])]];
    const text = query.map((pair) => pair.map((each) => encodeURIComponent(each)).join('=')).join('&');
    return [name, number ? `${base}?${text}` : null];
  });
  return Object.fromEntries(links) as Record<string, string | null>;
}

export interface Resources {
  data: readonly Resource[];
  /** Each of these is sent once, and only if the request asks for something beside the data. */
  included?: readonly Resource[];
}

export function answerOne(call: Call, { data, included }: Resources, status = 200): Answer {
  return { status, body: { data: data[0], ...formatIncluded(call, included) } };
}

type Format<Row> = (rows: readonly Row[]) => Resources;

export function answerList<Row>(call: Call, rows: Listing<Row>, format: Format<Row>, meta: object = {}): Answer {
  const { list, pagination } = readPage(call, rows);
  const { data, included } = format(list);
  const links = formatLinks(call, pagination, call.url.origin + call.url.pathname);
  return { status: 200, body: { data, ...formatIncluded(call, included), links, meta: { ...meta, pagination } } };
}

/** Without a page the answer has all rows, and no members about pages. */
export function answerAll<Row>(call: Call, rows: Listing<Row>, format: Format<Row>): Answer {
  const { searchParams } = call.url;
  if (searchParams.has(NUMBER) || searchParams.has(SIZE)) return answerList(call, rows, format);
  const { data, included } = format(rows.list());
  return { status: 200, body: { data, ...formatIncluded(call, included) } };
}

function formatIncluded({ include }: Call, resources: readonly Resource[] = []) {
  if (include.size === 0) return {};
  return { included: [...new Map(resources.map((each) => [`${each.type} ${each.id}`, each])).values()] };
}
