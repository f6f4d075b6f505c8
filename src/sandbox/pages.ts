import type { Context, Reply } from './context.ts';
import { createValidationError, type FieldError } from './errors.ts';
import type { ResourceObject } from './resources.ts';
import type { RowQuery } from './store.ts';

const NUMBER = 'page[number]';
const SIZE = 'page[size]';
/** The largest size is not in the document (facts). */
const SIZES = { default: 20, largest: 100 };

/** A page behind the last one has no previous and no next page. Throws 422. */
export function readPage<Row>({ url }: Context, rows: RowQuery<Row>, sizes = SIZES) {
  const errors: FieldError[] = [];
  const read = (name: string, defaultValue: number, largest: number, range: string): number => {
    const value = url.searchParams.getAll(name).at(-1) ?? String(defaultValue);
    const isValid = /^\d{1,15}$/.test(value) && Number(value) >= 1 && Number(value) <= largest;
    if (!isValid) errors.push({ detail: `${name} must be ${range}` });
    return Number(value);
  };
  const number = read(NUMBER, 1, Number.POSITIVE_INFINITY, 'a whole number from 1');
  const size = read(SIZE, sizes.default, sizes.largest, `between 1 and ${sizes.largest}`);
  if (errors.length > 0) throw createValidationError(...errors);
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
  return { list: rows.list({ limit: size, offset: (number - 1) * size }), pagination };
}

type Pagination = ReturnType<typeof readPage>['pagination'];

export function formatLinks({ url }: Context, pagination: Pagination, base: string) {
  const parameters = [...url.searchParams].filter(([name]) => name !== NUMBER && name !== SIZE);
  const link = (number: number | null): string | null => {
    const query = [...parameters, [NUMBER, String(number)], [SIZE, String(pagination['page-size'])]];
    const text = query.map((pair) => pair.map((each) => encodeURIComponent(each)).join('=')).join('&');
    return number === null ? null : `${base}?${text}`;
  };
  return {
    self: link(pagination['current-page']),
    first: link(1),
    prev: link(pagination['prev-page']),
    next: link(pagination['next-page']),
    last: link(Math.max(1, pagination['total-pages'])),
  };
}

export interface CompoundDocument {
  data: ResourceObject[];
  included?: ResourceObject[];
}

export function replyOne(ctx: Context, { data, included }: CompoundDocument, status = 200): Reply {
  return { status, body: { data: data[0], included: formatIncluded(ctx, included) } };
}

type Format<Row> = (rows: Row[]) => CompoundDocument;

export function replyList<Row>(ctx: Context, rows: RowQuery<Row>, format: Format<Row>, meta: object = {}): Reply {
  const { list, pagination } = readPage(ctx, rows);
  const { data, included } = format(list);
  const links = formatLinks(ctx, pagination, ctx.url.origin + ctx.url.pathname);
  const body = { data, included: formatIncluded(ctx, included), links, meta: { ...meta, pagination } };
  return { status: 200, body };
}

export function replyAll<Row>(ctx: Context, rows: RowQuery<Row>, format: Format<Row>): Reply {
  const { searchParams } = ctx.url;
  if (searchParams.has(NUMBER) || searchParams.has(SIZE)) return replyList(ctx, rows, format);
  const { data, included } = format(rows.list());
  return { status: 200, body: { data, included: formatIncluded(ctx, included) } };
}

function formatIncluded({ include }: Context, resources: ResourceObject[] = []) {
  if (include.size === 0) return undefined;
  return [...new Map(resources.map((each) => [`${each.type} ${each.id}`, each])).values()];
}
