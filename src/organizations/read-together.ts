import type { OrgctlError } from '../errors.ts';
import { findOrganization, toOrganization } from '../service/organization.ts';
import { limited, type Page, withItems } from '../service/page.ts';
import type { ListReading } from '../service/pages.ts';
import type { Resource } from '../wire/json-api.ts';
import { createFailures, type Failures } from './failures.ts';
import { type Hold, sideBySide } from './side-by-side.ts';

export interface Together {
  /** Throws only where every organization failed; what failed of several is thrown by `failures`. */
  readonly reading: ListReading;
  /** To be asked when all is read. */
  readonly failures: Failures;
}

interface Options {
  readonly organizations: readonly string[];
  /** The list of one organization. `hold` is for one that collects before it gives anything. */
  readonly read: (organization: string, hold: Hold) => ListReading;
  /** Rows of all organizations together. */
  readonly limit?: number | undefined;
  /** The row of an organization that failed; without it there is none. */
  readonly toFailedRow?: (organization: string, error: OrgctlError | undefined) => object;
}

/** The lists of several organizations as one, organization after organization, each in its own order. */
export function readTogether({ organizations, read, limit, toFailedRow }: Options): Together {
  const failures = createFailures(organizations.length);
  const toFailed = (organization: string, error: OrgctlError | undefined): Page | undefined => {
    failures.add(organization, error);
    const row = toFailedRow?.(organization, error);
    return row === undefined ? undefined : toPage([row]);
  };
  /** Where no row says that all failed. */
  const refuseAll = (): void => {
    if (failures.isAll() && toFailedRow === undefined) failures.refuse();
  };
  const reading: ListReading = {
    async *stream() {
      let count = 0;
      const pages = sideBySide(organizations, async function* (organization, hold) {
        for await (const page of read(organization, hold).stream()) {
          await hold(page.items.length);
          yield page;
        }
      });
      for await (const step of pages) {
        const page = 'piece' in step ? step.piece : toFailed(step.organization, step.error);
        if (page === undefined) continue;
        yield limited(page, limit, count);
        count += page.items.length;
        if (limit !== undefined && count >= limit) return;
      }
      refuseAll();
    },
    async collect<Kept = Page>(keep = (page: Page) => page as Kept): Promise<readonly Kept[]> {
      const all: Kept[] = [];
      let count = 0;
      // What is kept of a page is decided where it stands among the rows of all.
      const keepOne = limit === undefined ? keep : (page: Page) => page;
      const lists = sideBySide(organizations, async function* (organization, hold) {
        const list = read(organization, hold);
        yield { pages: await list.collect<Kept | Page>(keepOne), shortfall: list.shortfall() };
      });
      for await (const step of lists) {
        if (!('piece' in step)) {
          const page = toFailed(step.organization, step.error);
          if (page !== undefined) all.push(keep(page));
          continue;
        }
        const { pages, shortfall } = step.piece;
        if (shortfall !== undefined) failures.add(step.organization, shortfall);
        for (const page of pages) {
          if (limit === undefined) all.push(page as Kept);
          else {
            all.push(keep(limited(page as Page, limit, count)));
            count += (page as Page).items.length;
          }
        }
        if (limit !== undefined && count >= limit) return all;
      }
      refuseAll();
      return all;
    },
    shortfall: () => undefined,
  };
  return { reading, failures };
}

/** One record as a list. */
export function toSingle(find: () => Promise<object>): ListReading {
  return {
    async *stream() {
      yield toPage([await find()]);
    },
    collect: async <Kept = Page>(keep = (page: Page) => page as Kept) => [keep(toPage([await find()]))],
    shortfall: () => undefined,
  };
}

/** The same list, with each item saying which organization it is of, where the service leaves that out. */
export function addOrganization(reading: ListReading, organization: string): ListReading {
  const add = (page: Page): Page => {
    const items = page.items as readonly Resource[];
    if (items.every((item) => findOrganization(item) !== undefined)) return page;
    const data = toOrganization(organization);
    return withItems(
      page,
      items.map((item) =>
        findOrganization(item) === undefined
          ? { ...item, relationships: { ...item.relationships, organization: { data } } }
          : item,
      ),
    );
  };
  return {
    ...reading,
    async *stream() {
      for await (const page of reading.stream()) yield add(page);
    },
    collect: <Kept = Page>(keep = (page: Page) => page as Kept) => reading.collect((page) => keep(add(page))),
  };
}

function toPage(items: readonly object[]): Page {
  return { items, included: [], document: { data: items }, pagination: undefined };
}
