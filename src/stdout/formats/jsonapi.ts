import { isObject } from '../../json-object.ts';
import { collect } from '../../reading.ts';
import type { Resource } from '../../wire/json-api.ts';
import { toIdentity } from '../flatten.ts';
import { createJsonData, renderJson } from '../json.ts';
import type { Renderer } from '../renderer.ts';
import { getIncluded, type Page, type Unidentified, type WriteResult } from '../result.ts';

/** The service's own documents. */
export const createJsonApi = (): Renderer => ({
  async *list(_columns, source) {
    yield* renderJson(mergeDocuments(await collect(source, (page) => page)));
  },
  one: (_columns, document) => renderJson(document),
  changed: (_columns, result) => renderJson(toWriteDocument(result)),
  async *changedMany(_columns, results) {
    const all: WriteResult[] = [];
    for await (const result of results) all.push(result);
    yield* renderJson(mergeWrites(all));
  },
  feed: createJsonData,
});

/**
 * The pages of a list as one document. A single page is the document as it came. Of several, the first gives the
 * members beside `data` and `included`, without what was true of one page only: links and page numbers.
 */
export function mergeDocuments(pages: readonly Page[]): object {
  const [first] = pages;
  if (first === undefined) return { data: [] };
  if (pages.length === 1 && isWhole(first)) return first.document;
  const { links: _links, pagination: _pagination, meta, ...rest } = first.document as Record<string, unknown>;
  const included = mergeIncluded(pages.map((page) => page.included));
  const { pagination: _numbers, ...kept } = isObject(meta) ? meta : {};
  return {
    ...rest,
    data: pages.flatMap((page) => page.items),
    ...(included.length > 0 || 'included' in rest ? { included } : {}),
    ...(Object.keys(kept).length > 0 ? { meta: kept } : {}),
  };
}

/** The document of a write as it came; where none came, one that says what is known. */
function toWriteDocument({ resource, included, document, extra }: WriteResult): object {
  return document ?? { data: resource, ...(included?.length ? { included } : {}), meta: extra };
}

/**
 * The documents of several writes as one. What is only an identifier carries `extra` as its meta, and what is not there
 * at all stands in the document's own meta.
 */
function mergeWrites(results: readonly WriteResult[]): object {
  const included = mergeIncluded(results.map(getIncluded));
  const absent = results.filter(({ resource }) => resource.id === null).map(({ extra }) => extra);
  return {
    data: results.flatMap(toWriteData),
    ...(included.length > 0 ? { included } : {}),
    ...(absent.length > 0 ? { meta: { results: absent } } : {}),
  };
}

function toWriteData({ resource, extra }: WriteResult): readonly Unidentified[] {
  if (resource.id === null) return [];
  if ('attributes' in resource || 'relationships' in resource) return [resource];
  return [{ ...resource, meta: { ...resource.meta, ...extra } }];
}

/** Whether nothing of the page was left out, as a limit on the number of items does. */
function isWhole({ document, items }: Page): boolean {
  const { data } = document as { data?: unknown };
  return !Array.isArray(data) || data.length === items.length;
}

function mergeIncluded(groups: readonly (readonly Resource[])[]): readonly Resource[] {
  const merged = new Map<string, Resource>();
  for (const group of groups) {
    for (const resource of group) {
      const identity = toIdentity(resource);
      if (!merged.has(identity)) merged.set(identity, resource);
    }
  }
  return [...merged.values()];
}
