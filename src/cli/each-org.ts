import { pMapIterable } from 'p-map';
import { collect, type PageOptions, type ReadOptions } from '../api/pagination.ts';
import { type FailedItem, isFailure, type OrgctlError, UsageError } from '../lib/errors.ts';
import { createOrgRecord, type JsonObject } from '../lib/json.ts';
import { joinNames } from '../lib/text.ts';
import { throwFailures } from '../organizations/names.ts';
import { type Columns, withOrganization } from '../output/columns.ts';
import type { Session } from './session.ts';

type Rows = AsyncIterable<JsonObject[]>;

function createReadOptions(
  { output, messages, hasSeveralOrgs }: Session,
  { page, pageSize, limit }: PageOptions,
  filters: string[],
): ReadOptions {
  if (page !== undefined && filters.length > 0) {
    throw new UsageError(`--page can't be used with ${joinNames(filters)}: filtering needs the whole list`);
  }
  const mode = output.isStreamed && !hasSeveralOrgs ? 'stream' : 'buffer';
  // With a client-side filter the server's total also counts the rows we drop, so it is not a limit.
  return { page, pageSize, limit: filters.length > 0 ? undefined : limit, mode, warn: messages.warn };
}

/** Prints a list as it arrives. `filters` names the options by which `read` leaves out rows that the service sends. */
export async function printList(
  session: Session,
  columns: Columns,
  read: (pages: ReadOptions) => Rows,
  options: PageOptions,
  filters: string[] = [],
): Promise<void> {
  const rows = read(createReadOptions(session, options, filters));
  await session.output.list(columns, takeRows(rows, options.limit));
}

/** Prints the list of one organization as `printList` does, or the lists of several in order of name. */
export async function listEachOrg(
  session: Session,
  columns: Columns,
  read: (org: string, pages: ReadOptions) => Rows,
  options: PageOptions = {},
  filters: string[] = [],
): Promise<void> {
  const { output, org, orgs, hasSeveralOrgs } = session;
  const { limit } = options;
  const pages = createReadOptions(session, options, filters);
  if (!hasSeveralOrgs) return output.list(columns, takeRows(read(org(), pages), limit), { where: ` in ${org()}` });
  const names = await orgs();
  const failures: FailedItem[] = [];
  const readWhole = async (name: string): Promise<JsonObject[][]> => {
    const complete = (row: JsonObject) => ({ ...row, organization: row.organization ?? createOrgRecord(name) });
    return (await collect(takeRows(read(name, pages), limit))).map((page) => page.map(complete));
  };
  async function* readLists(): AsyncGenerator<JsonObject[]> {
    for await (const { value } of readEach(session, names, readWhole, failures)) if (value) yield* value;
  }
  const where = ` in ${joinNames(names)}`;
  await output.list(withOrganization(columns), takeRows(readLists(), limit), { readsAll: true, where });
  throwFailures(failures, names.length);
}

/** Prints and returns one record, or for several organizations a row each. A failed one has the error's code as `status`. */
export async function showEachOrg(session: Session, columns: Columns, read: (org: string) => Promise<JsonObject>) {
  const { output, org, orgs, hasSeveralOrgs } = session;
  if (!hasSeveralOrgs) {
    const record = await read(org());
    await output.one(columns, record);
    return [record];
  }
  const names = await orgs();
  const records: JsonObject[] = [];
  const failures: FailedItem[] = [];
  async function* readRows(): AsyncGenerator<JsonObject[]> {
    for await (const { org: name, value, error } of readEach(session, names, read, failures)) {
      if (!error) records.push(value);
      const { code, message } = error ?? {};
      yield [value ?? { organization: createOrgRecord(name), status: code, error: { code, message } }];
    }
  }
  await output.list(columns, readRows(), { readsAll: true });
  throwFailures(failures, names.length);
  return records;
}

/** Reads before the first write. Throws a UsageError, and any failure of the only organization; otherwise returns failures. */
export async function readEachOrg<T>(session: Session, read: (org: string) => Promise<T>) {
  const names = await session.orgs();
  const values: T[] = [];
  const failures: FailedItem[] = [];
  for await (const { value, error } of readEach(session, names, read, failures)) {
    if (!error) values.push(value);
    else if (error instanceof UsageError || names.length === 1) throw error;
  }
  if (values.length === 0) throwFailures(failures, names.length);
  return { values, failures };
}

const CONCURRENCY = 8;

type OrgResult<T> =
  | { org: string; value: T; error?: undefined }
  | { org: string; value?: undefined; error: OrgctlError };

/** Reads side by side, and yields in order of name. An organization that fails stops no other, and is added to `failures`. */
export async function* readEach<T>(
  { progress, explain }: Pick<Session, 'progress' | 'explain'>,
  names: string[],
  read: (org: string) => Promise<T>,
  failures: FailedItem[],
): AsyncGenerator<OrgResult<T>> {
  const readOne = async (org: string): Promise<OrgResult<T>> => {
    try {
      return { org, value: await read(org) };
    } catch (error) {
      if (!isFailure(error)) throw error;
      return { org, error: await explain(error) };
    }
  };
  let count = 0;
  for await (const result of pMapIterable(names, readOne, { concurrency: CONCURRENCY, backpressure: CONCURRENCY })) {
    count += 1;
    if (names.length > 1) progress(`Reading: ${count} of ${names.length} organizations`);
    if (result.error) failures.push({ item: result.org, error: result.error });
    yield result;
  }
}

async function* takeRows(pages: Rows, limit = Number.POSITIVE_INFINITY): AsyncGenerator<JsonObject[]> {
  let left = limit;
  for await (const rows of pages) {
    yield rows.slice(0, left);
    left -= rows.length;
    if (left <= 0) return;
  }
}
