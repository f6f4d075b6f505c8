import { UsageError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import type { Resource } from '../wire/json-api.ts';
import { toTrailFacts } from './audit-trail.ts';
import { type CallAnswer, type Client, readObject } from './client.ts';
import type { Method } from './http.ts';
import { toPageFacts } from './lists.ts';
import { toRequest } from './operations.ts';
import type { Page, PageFacts } from './page.ts';
import { createList, LARGEST_PAGE, type ListReading } from './pages.ts';
import { isForeign, parseJson, toUnreadableError } from './problem.ts';
import { type Query, toQueryText } from './query.ts';

export interface GenericWrite {
  readonly method: Exclude<Method, 'GET' | 'HEAD'>;
  readonly path: string;
  readonly query: Query;
  readonly text: string | undefined;
}

interface GenericOptions {
  readonly dryRun: boolean;
  readonly warn: (text: string) => void;
}

export interface GenericAnswer {
  /** As it came; may be empty. */
  readonly text: string;
  /** What it says where it is JSON, else undefined. */
  readonly value: unknown;
  /** Set of a list that has more pages, where no page was asked for. */
  readonly firstPage?: FirstPage;
}

export interface FirstPage {
  readonly rows: number;
  readonly totalPages: number | undefined;
  readonly totalCount: number | undefined;
}

export const PAGE_NUMBER = 'page[number]';

/**
 * Requests by their path, for what orgctl has no command for. Paths are percent-encoded, and below the base URL but for
 * those of the registry, which are at its origin.
 */
export function createGenericRequests(client: Client, { dryRun, warn }: GenericOptions) {
  return {
    /** Throws ConnectionError for a success that is a web page, or JSON that breaks off. */
    async read(path: string, query: Query): Promise<GenericAnswer> {
      const answer = readAnswer(await client.read({ operation: 'generic', method: 'GET', path, query }));
      const firstPage = query.some(([name]) => name === PAGE_NUMBER) ? undefined : findFirstPage(answer.value);
      return firstPage === undefined ? answer : { ...answer, firstPage };
    },
    /** `text`: a body of JSON. Undefined in a dry run. A write without a clear answer is not looked up. */
    async write({ text, ...asked }: GenericWrite): Promise<GenericAnswer | undefined> {
      const { method, path, query } = asked;
      const body = text === undefined ? {} : { text };
      // The log of writes has no query: there may be a secret in it.
      const said = dryRun && query.length > 0 ? { effect: `send ${method} ${path}?${toQueryText(query)}` } : {};
      return (await client.write({ operation: 'generic', ...asked, ...body, ...said, read: readAnswer }))?.value;
    },
    /** Every page of a list, of JSON:API or like the audit trail. Throws UsageError where the answer is not a list. */
    list(path: string, query: Query, pageSize: number | undefined): ListReading<object> {
      const call = { operation: 'generic', method: 'GET', path } as const;
      return createList({
        what: toRequest(call).what,
        defaultSize: LARGEST_PAGE,
        options: pageSize === undefined ? {} : { pageSize },
        warn,
        async fetch(pageQuery) {
          const answer = await client.read({ ...call, query: [...query, ...pageQuery] });
          return () => toPage(answer);
        },
      });
    },
  };
}

function readAnswer(answer: CallAnswer): GenericAnswer {
  const value = parseJson(answer.text);
  if (value === undefined && isForeign(answer))
    throw toUnreadableError(answer, 'the body is not the JSON it says it is');
  return { text: answer.text, value };
}

function findFirstPage(value: unknown): FirstPage | undefined {
  if (!isObject(value) || !Array.isArray(value['data'])) return undefined;
  const { next, totalPages, totalCount } = readPageFacts(value) ?? {};
  return (totalPages ?? 1) > 1 || next !== undefined
    ? { rows: value['data'].length, totalPages, totalCount }
    : undefined;
}

function readPageFacts({ meta, pagination }: Record<string, unknown>): PageFacts | undefined {
  const numbers = isObject(meta) ? meta['pagination'] : undefined;
  return isObject(numbers) ? toPageFacts(numbers) : isObject(pagination) ? toTrailFacts(pagination) : undefined;
}

function toPage(answer: CallAnswer): Page<object> {
  const document = readObject(answer);
  const { data, included } = document;
  if (!Array.isArray(data) || !data.every(isObject)) {
    throw new UsageError(`can't ${answer.what} with --all: the answer is not a list`, { hint: 'Leave out --all.' });
  }
  return {
    items: data,
    included: (Array.isArray(included) ? included : []) as readonly Resource[],
    document,
    pagination: readPageFacts(document),
  };
}
