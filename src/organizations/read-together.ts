import type { OrgctlError } from '../errors.ts';
import { findOrganization, toOrganization } from '../resources/organization.ts';
import { type Listed, limited, type Page, toPage, withItems } from '../service/page.ts';
import { type ListReading, mapPages } from '../service/pages.ts';
import type { Resource } from '../wire/json-api.ts';
import { createFailures, type Failures } from './failures.ts';
import { type Hold, sideBySide } from './side-by-side.ts';

export interface Together<Item extends Listed> {
  /** Throws only where every organization failed; what failed of several is thrown by `failures`. */
  readonly reading: ListReading<Item>;
  /** To be asked when all is read. */
  readonly failures: Failures;
}

interface Options<Item extends Listed> {
  readonly organizations: readonly string[];
  /** The list of one organization. `hold` is for one that collects before it gives anything. */
  readonly read: (organization: string, hold: Hold) => ListReading<Item>;
  /** Rows of all organizations together. */
  readonly limit?: number | undefined;
  /** The row of an organization that failed; without it there is none. */
  readonly toFailedRow?: (organization: string, error: OrgctlError | undefined) => Item;
}

/** The lists of several organizations as one, organization after organization, each in its own order. */
export function readTogether<Item extends Listed>({
  organizations,
  read,
  limit,
  toFailedRow,
}: Options<Item>): Together<Item> {
  const failures = createFailures(organizations.length);
  const toFailed = (organization: string, error: OrgctlError | undefined): Page<Item> | undefined => {
    failures.add(organization, error);
    const row = toFailedRow?.(organization, error);
    return row === undefined ? undefined : toPage([row]);
  };
  /** Where no row says that all failed. */
  const refuseAll = (): void => {
    if (failures.isAll() && toFailedRow === undefined) failures.refuse();
  };
  const reading: ListReading<Item> = {
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
    async collect<Kept>(keep: (page: Page<Item>) => Kept | Promise<Kept>): Promise<readonly Kept[]> {
      const all: Kept[] = [];
      let count = 0;
      const keepInTurn = (page: Page<Item>): Kept | Promise<Kept> => {
        const before = count;
        count += page.items.length;
        return keep(limited(page, limit, before));
      };
      const keepNow = async (page: Page<Item>) => {
        const kept = await keep(page);
        return () => kept;
      };
      // With a limit, what is kept of a page is decided where it stands among the rows of all.
      const keepOne = limit === undefined ? keepNow : (page: Page<Item>) => () => keepInTurn(page);
      const lists = sideBySide(organizations, async function* (organization, hold) {
        const list = read(organization, hold);
        yield { pages: await list.collect(keepOne), shortfall: list.shortfall() };
      });
      for await (const step of lists) {
        if (!('piece' in step)) {
          const page = toFailed(step.organization, step.error);
          if (page !== undefined) all.push(await keep(page));
          continue;
        }
        const { pages, shortfall } = step.piece;
        if (shortfall !== undefined) failures.add(step.organization, shortfall);
        for (const give of pages) all.push(await give());
        if (limit !== undefined && count >= limit) return all;
      }
      refuseAll();
      return all;
    },
    shortfall: () => undefined,
  };
  return { reading, failures };
}

/** The same list, with each item saying which organization it is of, where the service leaves that out. */
export function addOrganization(reading: ListReading<Resource>, organization: string): ListReading<Resource> {
  return mapPages(reading, (page) => {
    const { items } = page;
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
  });
}
