import querystring from 'node:querystring';
import { UsageError } from '../lib/errors.ts';
import { isObject, type JsonObject, parseJson } from '../lib/json.ts';
import type { Client } from './client.ts';
import { createUnexpectedResponseError } from './error-document.ts';
import type { HttpResponse } from './http.ts';
import type { Call, Method } from './operations.ts';
import { collect, parseTotals, readPages } from './pagination.ts';
import type { Query, Resource } from './types.ts';

export const METHODS: Method[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Accepts the path of the base URL, or the whole URL, before the path. Throws UsageError for a path that leads elsewhere. */
export function createRawCall(method: Method, typed: string, fields: Query, baseUrl?: URL): Call {
  const [written = '', ...rest] = removeBase(typed, baseUrl).replace(/^\//, '').split('?');
  // A path with `..` or another host does not stay below this placeholder for the base URL.
  const base = 'https://base.invalid/base/';
  const url = URL.canParse(base + written) ? new URL(base + written) : undefined;
  if (!url?.href.startsWith(base) || /^\/|^[a-z]:|:\/\/|[\\#\p{Cc}]/iu.test(written) || written === '') {
    throw new UsageError(`'${typed}' is not a path below the base URL`, {
      hint: 'It must look like organizations/acme/teams.',
    });
  }
  const path = `/${url.href.slice(base.length)}`;
  const [, org] = /^\/organizations\/([^/]+)/.exec(path) ?? [];
  return {
    method,
    path,
    action: `send ${method} ${path}`,
    org: org === undefined ? undefined : querystring.unescape(org),
    isAboutOrg: false,
    query: [...new URLSearchParams(rest.join('?')), ...fields],
  };
}

function removeBase(typed: string, baseUrl: URL | undefined): string {
  const prefixes = baseUrl ? [baseUrl.href, baseUrl.pathname].map((prefix) => prefix.replace(/\/+$/, '')) : [];
  const prefix = prefixes.find((one) => typed.startsWith(`${one}/`));
  return prefix === undefined ? typed : typed.slice(prefix.length);
}

/** Joins the items of every page. Throws UsageError if the answer is not a list. */
export async function readAllRaw(client: Client, call: Call, warn: (text: string) => void): Promise<JsonObject> {
  const isPageParameter = ([name]: Query[number]): boolean => /^page\[(size|number)\]$/.test(name);
  const pageSize = call.query.find(([name]) => name === 'page[size]')?.[1];
  const filters = call.query.filter((parameter) => !isPageParameter(parameter));
  const pages = readPages({
    action: call.action,
    pageSize: pageSize === undefined ? undefined : Number(pageSize),
    warn,
    async fetch(query) {
      const value = parseJson((await client.read({ ...call, query: [...filters, ...query] })).text);
      if (!isObject(value) || !Array.isArray(value.data) || !value.data.every(isObject)) {
        throw new UsageError(`${call.path} is not a list`, { hint: 'Leave out --all.' });
      }
      const resources = Array.isArray(value.included) ? (value.included as Resource[]) : [];
      return { items: value.data, included: resources, total: parseTotals(value) };
    },
  });
  const all = await collect(pages);
  const included = all.flatMap((page) => page.included);
  return { data: all.flatMap(({ items }) => items), included: included.length > 0 ? included : undefined };
}

export function readRawText(response: HttpResponse): string {
  const { headers, text } = response;
  const isJson = /json/i.test(headers['content-type'] ?? '');
  const isBrokenJson = isJson && text.trim() !== '' && parseJson(text) === undefined;
  if (isBrokenJson) throw createUnexpectedResponseError(response);
  return text;
}
