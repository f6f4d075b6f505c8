import { includedOf } from '../service/memberships.ts';
import type { Page } from '../service/page.ts';
import type { ListReading } from '../service/pages.ts';
import type { Membership } from '../wire/resources.ts';

/** Invitations that wait for too long, out of a list of invitations. */
export interface Pending {
  readonly reading: ListReading;
  /** After reading: how many were left out because the service does not say when they were invited. */
  undated(): number;
}

export function selectPending(reading: ListReading, before: number): Pending {
  let undated = 0;
  const select = (page: Page): { readonly page: Page; readonly undated: number } => {
    // A service that does not know the filter sends everybody.
    const invited = (page.items as readonly Membership[]).filter(({ attributes: { status } = {} }) => {
      return status === undefined || status === 'invited';
    });
    const items = invited.filter((membership) => toTime(membership) < before);
    const included = includedOf(items, page.included);
    return {
      page: { ...page, items, included, document: toPart(page.document, items, included) },
      undated: invited.filter((membership) => Number.isNaN(toTime(membership))).length,
    };
  };
  return {
    reading: {
      ...reading,
      async *stream() {
        for await (const each of reading.stream()) {
          const { page, undated: more } = select(each);
          undated += more;
          yield page;
        }
      },
      async collect<Kept = Page>(keep = (page: Page) => page as Kept): Promise<readonly Kept[]> {
        const pages = await reading.collect((each) => {
          const { page, undated: more } = select(each);
          return { kept: keep(page), more };
        });
        undated = pages.reduce((sum, { more }) => sum + more, 0);
        return pages.map(({ kept }) => kept);
      },
    },
    undated: () => undated,
  };
}

function toTime({ attributes }: Membership): number {
  const created = attributes?.['created-at'];
  return typeof created === 'string' ? Date.parse(created) : Number.NaN;
}

/** Without what was true of the whole page only. */
function toPart(document: object, data: Page['items'], included: Page['included']): object {
  const { links: _links, meta: _meta, included: before, ...rest } = document as Record<string, unknown>;
  return { ...rest, data, ...(before === undefined ? {} : { included }) };
}
