import type { OrgctlError } from '../errors.ts';
import { collect } from '../reading.ts';
import { findOrganization, toOrganization } from '../resources/organization.ts';
import { type Listed, limited, type Page, toPage, withItems } from '../service/page.ts';
import { type Left, type ListReading, mapPages } from '../service/pages.ts';
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
  let left: Left | undefined;
  const reading: ListReading<Item> = {
    async *read(way, keep) {
      const isWhole = way === 'whole';
      let count = 0;
      let cut: string | undefined;
      const keepInTurn = (page: Page<Item>) => {
        const before = count;
        count += page.items.length;
        return keep(limited(page, limit, before));
      };
      const lists = sideBySide(organizations, async function* (organization, hold) {
        const list = read(organization, hold);
        let ofThis = 0;
        const keepOne = async (page: Page<Item>) => {
          if (!isWhole) await hold(page.items.length);
          ofThis += page.items.length;
          const isAll = list.limit === undefined || ofThis >= (page.pagination?.totalCount ?? 0);
          // With a limit, what is kept of a page is decided where it stands among the rows of all.
          if (!isWhole || limit !== undefined) {
            return () => {
              const given = keepInTurn(page);
              cut = isAll && count <= (limit ?? count) ? undefined : organization;
              return given;
            };
          }
          const kept = await keep(page);
          return () => kept;
        };
        if (isWhole) yield await collect(list, keepOne);
        else for await (const page of list.read(way, keepOne)) yield [page];
      });
      for await (const step of lists) {
        if ('piece' in step) {
          for (const give of step.piece) yield await give();
          if (limit !== undefined && count >= limit) {
            left = { unread: organizations.slice(organizations.indexOf(step.organization) + 1), cut };
            return;
          }
        } else {
          const page = toFailed(step.organization, step.error);
          if (page !== undefined) yield await keepInTurn(page);
        }
      }
      // The error is thrown here where no row says that all failed.
      if (failures.isAll() && toFailedRow === undefined) failures.refuse();
    },
    left: () => left,
  };
  return { reading, failures };
}

/** Adds the organization to each item of a list, where the service leaves it out. */
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
