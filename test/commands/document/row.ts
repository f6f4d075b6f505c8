import { createPage, type Json } from '../../support/demo.ts';

/** One parameter of one operation of the service's document: asked of the service itself, and by a command. */
export interface Row {
  /** Method and path, as the document heads it. */
  operation: string;
  /** The parameters this row is about, by their names in the document; a colon marks those of the path. */
  parameters: string[];
  /** What is given for them. */
  given: string;
  /** Path below the base URL, and body. */
  ask: { path: string; body?: object };
  answer: { status: number; body?: unknown };
  /** `-o json` is added. */
  argv: string;
  /** Every request of the command: method, path, body. */
  requests: string[];
  /** What the command prints, as JSON. */
  prints: unknown;
  /** Each line of stderr. */
  says?: string[];
}

/** A list that has pages: alone, its first page by number, all of it in small pages, and a page of a size. */
interface PagedList {
  operation: string;
  path: string;
  argv: string;
  data: Json[];
  records: Json[];
  meta?: Json;
}

export function createPageRows({ operation, path, argv, data, records, meta }: PagedList): Row[] {
  const total = data.length;
  const more = { total, ...(meta === undefined ? {} : { meta }) };
  const format = (pages: string): string => `GET ${path}?${pages}`;
  const numbers = Array.from({ length: Math.ceil(total / 4) }, (_, index) => index + 1);
  return [
    {
      operation,
      parameters: ['page[number]'],
      given: '1, with 20 a page',
      ask: { path: `${path}?page%5Bnumber%5D=1` },
      answer: { status: 200, body: createPage(path, data, more) },
      argv: `${argv} --page 1`,
      requests: [format('page%5Bnumber%5D=1')],
      prints: records,
    },
    {
      operation,
      parameters: ['page[size]'],
      given: '4: the first page of the service, every page of the command',
      ask: { path: `${path}?page%5Bsize%5D=4` },
      answer: { status: 200, body: createPage(path, data.slice(0, 4), { size: 4, ...more }) },
      argv: `${argv} --page-size 4`,
      requests: numbers.map((page) => format(`${page === 1 ? '' : `page%5Bnumber%5D=${page}&`}page%5Bsize%5D=4`)),
      prints: records,
    },
    {
      operation,
      parameters: ['page[number]', 'page[size]'],
      given: '2 and 2',
      ask: { path: `${path}?page%5Bnumber%5D=2&page%5Bsize%5D=2` },
      answer: { status: 200, body: createPage(path, data.slice(2, 4), { number: 2, size: 2, ...more }) },
      argv: `${argv} --page 2 --page-size 2`,
      requests: [format('page%5Bnumber%5D=2&page%5Bsize%5D=2')],
      prints: records.slice(2, 4),
    },
  ];
}
