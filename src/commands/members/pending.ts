import { includedOf } from '../../service/memberships.ts';
import type { ListReading, Page } from '../../service/pages.ts';
import type { Membership } from '../../wire/resources.ts';

/** Invitations that wait for too long, out of a list of invitations. */
export interface Pending {
  readonly reading: ListReading;
  /** After reading: how many were left out because the service does not tell since when they are there. */
  undated(): number;
}

/** Those made before `before`, in milliseconds since 1970. */
export function selectPending(reading: ListReading, before: number): Pending {
  let undated = 0;
  const isOld = (item: Page['items'][number]): boolean => {
    const { status, 'created-at': created } = (item as Membership).attributes ?? {};
    // A service that does not know the filter sends everybody.
    if (status !== undefined && status !== 'invited') return false;
    const at = typeof created === 'string' ? Date.parse(created) : Number.NaN;
    if (Number.isNaN(at)) undated += 1;
    return at < before;
  };
  const select = (page: Page): Page => {
    const items: Page['items'] = page.items.filter(isOld);
    const included = includedOf(items as readonly Membership[], page.included);
    return { ...page, items, included, document: toPart(page.document, items, included) };
  };
  return {
    reading: {
      ...reading,
      async *stream() {
        for await (const page of reading.stream()) yield select(page);
      },
      async collect(onPage) {
        undated = 0;
        return (await reading.collect(onPage)).map(select);
      },
    },
    undated: () => undated,
  };
}

/** Without what was true of the whole page only. */
function toPart(document: object, data: Page['items'], included: Page['included']): object {
  const { links: _links, meta: _meta, included: before, ...rest } = document as Record<string, unknown>;
  return { ...rest, data, ...(before === undefined ? {} : { included }) };
}
