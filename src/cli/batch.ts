import { pMapIterable } from 'p-map';
import { type FailedItem, isSignal, OrgctlError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { plural } from '../lib/text.ts';
import type { OrgFailure } from '../orgs/fan-out.ts';
import { type Columns, withOrganization } from '../output/columns.ts';
import type { Session } from './session.ts';

const CONCURRENCY = 8;

/** Errors after which every further item would fail the same way. */
const FATAL = new Set(['usage', 'not-authenticated', 'rate-limited', 'organization-limit', 'invitation-gone']);

type Row = JsonObject & { result: string };

export interface Batch<Item> {
  /** `Inviting`, for the spinner. */
  label: string;
  columns: Columns;
  /** As the count at the end calls the items: `person` and `people` if left out. */
  things?: [one: string, many: string];
  concurrency?: number;
  /** There is one item alone: in JSON it is an object. */
  isOne?: boolean;
  /** Organizations that could not be read before. */
  failures?: OrgFailure[];
  /** As messages call the item. */
  name(item: Item): string;
  /** The columns that are known before and whatever happens. */
  row(item: Item): JsonObject;
  /** `result` and what else is known afterwards. Undefined in a dry run. */
  act(item: Item): Promise<Row | undefined>;
  /** In place of the row, for people. `result` may be `planned`. */
  sentence(item: Item, row: Row): string;
}

/**
 * Acts on each item, several at a time, and prints what became of them in the order of the items. Throws one OrgctlError if
 * any failed: with their common exit code, else `incomplete`.
 */
export async function runBatch<Item>(session: Session, items: Item[], batch: Batch<Item>): Promise<Row[]> {
  const { output, messages, hasSeveralOrgs, progress } = session;
  const { label, name, row, act, sentence, concurrency = CONCURRENCY } = batch;
  const failed: FailedItem[] = [];
  let fatal: OrgctlError | undefined;

  async function runOne(item: Item): Promise<{ item: Item; result: Row }> {
    if (fatal) return { item, result: { ...row(item), changed: false, result: 'not-attempted' } };
    try {
      const done = await act(item);
      const isChanged = done !== undefined && done.result !== 'unchanged';
      return { item, result: { ...row(item), changed: isChanged, ...(done ?? { result: 'planned' }) } };
    } catch (error) {
      if (!(error instanceof OrgctlError)) throw error;
      if (isSignal(error) || FATAL.has(error.code)) fatal ??= error;
      failed.push({ item: name(item), error });
      const isUnknown = isSignal(error) || error.exit === 'outcome-unknown';
      const { code, message } = error;
      const result = isUnknown ? 'unknown' : 'failed';
      return { item, result: { ...row(item), changed: false, result, error: { code, message } } };
    }
  }

  const rows: Row[] = [];
  const columns = hasSeveralOrgs ? withOrganization(batch.columns) : batch.columns;
  const printOne = { add: (record: Row) => output.one(columns, record), end: () => undefined };
  const printer = output.isForPeople ? undefined : batch.isOne ? printOne : await output.rows(columns);
  for await (const { item, result } of pMapIterable(items, runOne, { concurrency })) {
    rows.push(result);
    progress(`${label}: ${rows.length} of ${items.length}`);
    if (printer) await printer.add(result);
    else if (result.error === undefined && result.result !== 'not-attempted') messages.sentence(sentence(item, result));
  }
  await printer?.end();
  if (output.isForPeople && items.length > 1) messages.note(countResults(rows, batch.things));
  const unread = (batch.failures ?? []).map(({ org, error }) => ({ item: org, error }));
  const [first] = [...failed, ...unread];
  if (first && items.length === 1 && unread.length === 0) throw first.error;
  if (first) throw await createBatchError(session, [...failed, ...unread], rows, fatal);
  return rows;
}

/** `500 people: 480 invited, 20 unchanged` */
function countResults(rows: Row[], [one, many]: [string, string] = ['person', 'people']): string {
  const counts = new Map<string, number>();
  for (const { result } of rows) counts.set(result, (counts.get(result) ?? 0) + 1);
  const parts = [...counts].map(([result, count]) => `${count} ${result}`);
  return `${plural(rows.length, one, many)}: ${parts.join(', ')}`;
}

/** With the exit code that all failures have in common. */
async function createBatchError(
  { explain }: Session,
  failures: FailedItem[],
  rows: Row[],
  fatal: OrgctlError | undefined,
): Promise<OrgctlError> {
  const first = fatal ?? failures[0]?.error ?? new OrgctlError('failure', 'nothing failed');
  const isCommon =
    rows.length > 0 &&
    rows.every(({ error, result }) => error !== undefined || result === 'not-attempted') &&
    failures.every(({ error }) => error.exit === first.exit);
  // One reading explains a 404 that all of them got.
  const explained = isCommon ? await explain(first) : first;
  const failedRows = rows.filter(({ error }) => error !== undefined).length;
  return new OrgctlError(
    isCommon || isSignal(first) ? first.exit : 'incomplete',
    failedRows > 0 ? `${failedRows} of ${rows.length} failed` : `${plural(failures.length, 'organization')} failed`,
    {
      items: failures.map(({ item, error }) => ({ item, error: error.message === first.message ? explained : error })),
      hint: explained.hint ?? (isCommon ? undefined : 'Run the same command again to do the rest.'),
    },
  );
}
