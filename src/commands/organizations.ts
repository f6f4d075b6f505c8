import type { Context } from '../context/context.ts';
import { OrgctlError, UsageError } from '../errors.ts';
import { foldName } from '../names.ts';
import { findOrganizations, findReach, sortNames } from '../organizations/find-organizations.ts';
import { addOrganization, readTogether } from '../organizations/read-together.ts';
import type { PageOptions } from '../service/page.ts';
import { type ListReading, toReading } from '../service/pages.ts';
import type { Service } from '../service/service.ts';
import {
  type AnyColumns,
  type Columns,
  type Field,
  listFields,
  type ScreenColumn,
  toAnyColumns,
} from '../stdout/columns.ts';
import type { Listed } from '../stdout/result.ts';
import type { Placed } from '../wire/flat.ts';
import type { Resource } from '../wire/json-api.ts';
import { flag, names } from './param.ts';
import { type ResultRow, type RowError, toRowError } from './row-error.ts';

/**
 * Commands over several organizations. A verb that takes them:
 *
 * - has the options of `ORGANIZATIONS`, and stands as one about `organizations` in `input/about.ts`. That at most one of --org, --orgs and --all-orgs is given is checked when
 *   its context is opened, and then `identity.several` says which organizations: undefined where the command is about one,
 *   as ever. Where it is about several, `identity.organization()` must not be called.
 * - a list: `listSeveral(context, columns, (service, organization) => a ListReading, page)` in place of
 *   `screen.list(columns, reading)`. It prints, and throws what failed.
 * - a row for each organization: `showSeveral(context, columns, (one, organization) => a record or resource, toFailedRow)`.
 *   `one` is the context of that organization, for code that is made for one. What is thrown makes a row too. It returns the
 *   rows where none failed, for what an exit of 13 needs.
 * - writes: `chooseSeveral(context)` for the names, `findEach(organizations, …)` for all that is read before the first write,
 *   and one `doJob` whose items are of all organizations, with `organizationOf`, `refusal` for what could not be read, and
 *   `withResultsOfSeveral(columns)`.
 */
export const ORGANIZATIONS = {
  orgs: names('--orgs <names>', 'Several organizations, separated by commas, in place of --org'),
  allOrgs: flag('--all-orgs', 'Every organization that your token reaches'),
};

export const ORGANIZATION = {
  head: 'ORGANIZATION',
  field: 'organization.id',
  priority: 0,
} as const satisfies ScreenColumn<Placed>;

/** The same columns, and before them which organization a row is of, where none of them says it. */
function withOrganization(columns: AnyColumns): AnyColumns {
  const { field } = ORGANIZATION;
  const { shown, screen } = columns;
  if (shown.includes(field)) return columns;
  return {
    ...columns,
    shown: [field, ...shown.filter((name) => name !== field)],
    fields: listFields(columns),
    ...(screen === undefined ? {} : { screen: [ORGANIZATION, ...screen.filter((column) => column.field !== field)] }),
  };
}

/** The columns of result rows, and after the result of which organization it is. */
export function withResultsOfSeveral<Row extends Placed & ResultRow>(columns: Columns<Row>): Columns<Row> {
  const first: readonly Field<Placed & ResultRow>[] = ['result', ORGANIZATION.field];
  const others = columns.shown.filter((name) => !first.some((one) => one === name));
  return { ...columns, shown: [...(first as readonly Field<Row>[]), ...others], fields: listFields(columns) };
}

/** The organizations that the command line names. Throws UsageError before any request where the format can't hold several. */
export async function chooseSeveral(context: Context): Promise<readonly string[]> {
  const { identity, services } = context;
  const { several } = identity;
  if (several === undefined) throw new Error('the command is about one organization');
  await refuseDocuments(context);
  const service = await services.current();
  return several === 'all' ? (await findOrganizations(service, several)).organizations : sortNames(several);
}

/** The same, and the one where the command is about one. */
export async function chooseOrganizations(context: Context): Promise<readonly string[]> {
  const { identity } = context;
  return identity.several === undefined ? [identity.organization()] : await chooseSeveral(context);
}

/**
 * The same, as the service spells them where it shows which the token reaches. `isReached` is true where it does not: then
 * nothing says otherwise.
 */
export async function chooseReached(context: Context): Promise<{
  readonly organizations: readonly string[];
  isReached(organization: string): boolean;
}> {
  const named = await chooseSeveral(context);
  const reach = context.identity.several === 'all' ? undefined : await findReach(await context.services.current());
  const spelled = named.map((name) => reach?.get(foldName(name)) ?? name);
  return { organizations: spelled, isReached: (name) => reach?.has(foldName(name)) ?? true };
}

/** Throws UsageError where the format can't hold several organizations. */
export async function refuseDocuments({ screen }: Context): Promise<void> {
  const { format } = await screen.output();
  if (format.document === 'service') {
    throw new UsageError(`${format.name} doesn't go with several organizations`, {
      hint: 'It prints the documents of the service, and each is of one organization. Use json.',
    });
  }
}

/**
 * Prints the lists of several organizations as one, by name of the organization. Throws what failed when all else is printed.
 * `chosen`: which they are, where the command has asked already.
 */
export async function listSeveral<Row>(
  context: Context,
  columns: Columns<Row>,
  read: (service: Service, organization: string) => ListReading<Resource>,
  page: PageOptions = {},
  chosen?: readonly string[],
): Promise<void> {
  const { screen, services } = context;
  if (page.page !== undefined) {
    throw new UsageError("--page doesn't go with several organizations", {
      hint: 'Use --limit, which counts the rows of all of them.',
    });
  }
  const organizations = chosen ?? (await chooseSeveral(context));
  const service = await services.current();
  const { reading, failures } = readTogether({
    organizations,
    limit: page.limit,
    read: (organization) => addOrganization(read(service, organization), organization),
  });
  await screen.list(withOrganization(toAnyColumns(columns)), reading);
  failures.refuse();
}

/**
 * Prints a row for each organization, by name, and gives what was found. Throws what failed when all rows are printed. `find`:
 * what it throws becomes the row that `toFailedRow` makes. `isSaid`: people read in the row why.
 */
export async function showSeveral<Row extends object, Found extends Listed<Row>>(
  context: Context,
  columns: Columns<Row>,
  find: (one: Context, organization: string) => Promise<Found>,
  toFailedRow: (organization: string, error: RowError) => Listed<Row>,
  { isSaid = false }: { readonly isSaid?: boolean } = {},
): Promise<readonly Found[]> {
  const { screen, services, places } = context;
  const organizations = await chooseSeveral(context);
  const { redact } = await services.current();
  const found = new Map<string, Found>();
  const { reading, failures } = readTogether({
    organizations,
    read: (organization) =>
      toReading(async () => {
        const row = await find(context.of(organization), organization).catch(async (error: unknown) => {
          throw error instanceof OrgctlError ? await services.explainRefusal(error) : error;
        });
        found.set(organization, row);
        return [row];
      }),
    toFailedRow: (organization, error) =>
      toFailedRow(organization, error === undefined ? NOT_ATTEMPTED : toRowError(error, redact)),
  });
  await screen.list(columns, reading);
  const isTable = (await screen.output()).format.forPeople && screen.requested.fields === undefined;
  failures.refuse({ isShown: isSaid && isTable && places.host.stdout.isTTY === true });
  return organizations.flatMap((organization) => found.get(organization) ?? []);
}

const NOT_ATTEMPTED: RowError = { code: 'not-attempted', message: 'not attempted, since others failed' };
