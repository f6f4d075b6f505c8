import { isObject } from '../../json-object.ts';
import type { Page } from '../../service/page.ts';
import { toIdentity } from '../../stdout/flatten.ts';
import type { Resource } from '../../wire/json-api.ts';

/**
 * The pages of a list as one document. A single page is the document as it came. Of several, the first gives the
 * members beside `data` and `included`, without what was true of one page only: links and page numbers.
 */
export function mergePages(pages: readonly Pick<Page<object>, 'items' | 'included' | 'document'>[]): object {
  const [first] = pages;
  if (first === undefined) return { data: [] };
  if (pages.length === 1) return first.document;
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

function mergeIncluded(groups: readonly (readonly Resource[])[]): readonly Resource[] {
  const merged = new Map<string, Resource>();
  for (const resource of groups.flat()) {
    const identity = toIdentity(resource);
    if (!merged.has(identity)) merged.set(identity, resource);
  }
  return [...merged.values()];
}
