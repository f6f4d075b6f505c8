import type { Context } from '../context/context.ts';
import { OrgctlError, UsageError } from '../errors.ts';
import type { Failures } from '../organizations/failures.ts';
import { addOrganization, readTogether, type Together } from '../organizations/read-together.ts';
import type { PageOptions } from '../service/page.ts';
import { type ListReading, toReading } from '../service/pages.ts';
import type { Service } from '../service/service.ts';
import {
  type AnyColumns,
  type ColumnNames,
  type Columns,
  type Field,
  listFields,
  type ScreenColumn,
  toAnyColumns,
} from '../stdout/columns.ts';
import { isQueryFault } from '../stdout/output.ts';
import type { Listed } from '../stdout/result.ts';
import type { Placed } from '../wire/flat.ts';
import type { Resource } from '../wire/json-api.ts';
import { flag, names, toName } from './param.ts';
import { type ResultRow, type RowError, toRowError } from './row-error.ts';
import type { OtherColumns } from './verb.ts';

/**
 * Commands over several organizations. A verb that takes them has the options of `ORGANIZATIONS`, and stands as one about
 * `organizations` in `input/about.ts`; which they are says `context.organizations`, always a list.
 *
 * - a list: `listEach(context, columns, (service, organization) => a ListReading, page)`. It prints, and throws what failed.
 * - a row for each organization: `showEach(context, columns, (one, organization) => a record or resource, toFailedRow)`.
 *   `one` is the context of that organization, for code that is made for one. What is thrown makes a row too. It returns the
 *   rows where none failed, for what an exit of 13 needs. `readEach` leaves the printing to the command.
 * - writes: `findInEach(organizations, …)` for all that is read before the first write, and one `doJobInEach` whose items are
 *   of all organizations, with `refusal` for what could not be read.
 */
export const ORGANIZATIONS = {
  orgs: names('--orgs <names>', 'Several organizations, separated by commas, in place of --org', {
    complete: 'organizations',
  }),
  allOrgs: flag('--all-orgs', 'Every organization that your token reaches'),
};

/** What a command prints of several organizations, where that is not what it prints of one. */
export function ofSeveral(columns: ColumnNames): readonly OtherColumns[] {
  return [{ with: Object.values(ORGANIZATIONS).map(toName), columns }];
}

export const ORGANIZATION = {
  head: 'ORGANIZATION',
  field: 'organization.id',
  priority: 0,
} as const satisfies ScreenColumn<Placed>;

/** Where the organization stands among the fields of several: behind the result, else first, or where a list has it anyway. */
export function placeOrganization<Path extends string>(
  shown: readonly Path[],
): readonly (Path | typeof ORGANIZATION.field)[] {
  const { field } = ORGANIZATION;
  const [first, ...others] = shown.filter((name) => name !== field);
  if (first === 'result') return [first, field, ...others];
  return shown.some((name) => name === field) ? shown : [field, ...shown];
}

/** Adds the organization of a row before these columns, where none of them shows it. */
function withOrganization(columns: AnyColumns): AnyColumns {
  const { field } = ORGANIZATION;
  const { shown, screen } = columns;
  if (shown.includes(field)) return columns;
  return {
    ...columns,
    shown: placeOrganization(shown),
    fields: listFields(columns),
    ...(screen === undefined ? {} : { screen: [ORGANIZATION, ...screen.filter((column) => column.field !== field)] }),
  };
}

/** The columns of result rows, and after the result of which organization it is. */
export function withResultsOfSeveral<Row extends Placed & ResultRow>(columns: Columns<Row>): Columns<Row> {
  return {
    ...columns,
    shown: placeOrganization<Field<Row>>(columns.shown) as readonly Field<Row>[],
    fields: listFields(columns),
  };
}
/**
 * Prints the list of each organization; of several as one, by name of the organization. Throws what failed when all else is
 * printed. `chosen`: which they are, where the command has asked already.
 */
export async function listEach<Row>(
  context: Context,
  columns: Columns<Row>,
  read: (service: Service, organization: string) => ListReading<Resource>,
  page: PageOptions = {},
  chosen?: readonly string[],
): Promise<void> {
  const { organizations: about, screen, services } = context;
  if (about.isOne) {
    const [only = ''] = await about.names();
    await screen.list(toAnyColumns(columns), read(await services.current(), only));
    return;
  }
  if (page.page !== undefined) {
    throw new UsageError("--page doesn't go with several organizations", {
      hint: 'Use --limit, which counts the rows of all of them.',
    });
  }
  const organizations = chosen ?? (await about.names());
  const service = await services.current();
  const { reading, failures } = readTogether({
    organizations,
    limit: page.limit,
    read: (organization) => addOrganization(read(service, organization), organization),
  });
  await printTogether(failures, () => screen.list(withOrganization(toAnyColumns(columns)), reading));
}

/** Prints what was read of several, and throws what failed. A query may not fit because of that, so that it is said first. */
export async function printTogether(failures: Failures, print: () => Promise<void>, isShown = false): Promise<void> {
  try {
    await print();
  } catch (error) {
    if (isQueryFault(error)) failures.refuse({ also: [`${error.message}.`] });
    throw error;
  }
  failures.refuse({ isShown });
}

/**
 * Prints a row for each organization, by name, and gives what was found. Throws what failed when all rows are printed. `find`:
 * what it throws becomes the row that `toFailedRow` makes. `isSaid`: people read in the row why.
 */
export async function showEach<Row extends object, Found extends Listed<Row>>(
  context: Context,
  columns: Columns<Row>,
  find: (one: Context, organization: string) => Promise<Found>,
  toFailedRow: (organization: string, error: RowError) => Listed<Row>,
  { isSaid = false }: { readonly isSaid?: boolean } = {},
): Promise<readonly Found[]> {
  const { screen, places } = context;
  const found = new Map<string, Found>();
  const findOne = async (one: Context, organization: string): Promise<Found> => {
    const row = await find(one, organization);
    found.set(organization, row);
    return row;
  };
  const { reading, failures } = await readEach<Listed<Row>>(context, findOne, toFailedRow);
  const isTable = (await screen.output()).format.forPeople && screen.requested.fields === undefined;
  const isShown = isSaid && isTable && places.host.stdout.isTTY === true;
  await printTogether(failures, () => screen.list(columns, reading), isShown);
  return (await context.organizations.names()).flatMap((organization) => found.get(organization) ?? []);
}

/** Finds the rows that `showEach` prints, for a command that prints them itself. */
async function readEach<Row extends object>(
  context: Context,
  find: (one: Context, organization: string) => Promise<Row>,
  toFailedRow: (organization: string, error: RowError) => Row,
): Promise<Together<Row>> {
  const { organizations, services } = context;
  const names = await organizations.names();
  const { redact } = await services.current();
  return readTogether({
    organizations: names,
    read: (organization) =>
      toReading(async () => {
        const row = await find(context.of(organization), organization).catch(async (error: unknown) => {
          throw error instanceof OrgctlError ? await services.explainRefusal(error) : error;
        });
        return [row];
      }),
    toFailedRow: (organization, error) =>
      toFailedRow(organization, error === undefined ? NOT_ATTEMPTED : toRowError(error, redact)),
  });
}

const NOT_ATTEMPTED: RowError = { code: 'not-attempted', message: 'not attempted, since others failed' };
