import { pMapIterable } from 'p-map';
import { isSignal, OrgctlError } from '../lib/errors.ts';
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
  concurrency?: number;
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
  const failed: { item: string; error: OrgctlError }[] = [];
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
  const printer = output.isForPeople
    ? undefined
    : await output.rows(hasSeveralOrgs ? withOrganization(batch.columns) : batch.columns);
  for await (const { item, result } of pMapIterable(items, runOne, { concurrency })) {
    rows.push(result);
    progress(`${label}: ${rows.length} of ${items.length}`);
    if (printer) await printer.add(result);
    else if (result.error === undefined && result.result !== 'not-attempted') messages.sentence(sentence(item, result));
  }
  await printer?.end();
  if (output.isForPeople && items.length > 1) messages.note(countResults(rows));
  await throwFailed(session, { failed, fatal, rows, failures: batch.failures ?? [] });
  return rows;
}

/** `500 people: 480 invited, 20 unchanged` */
function countResults(rows: Row[]): string {
  const counts = new Map<string, number>();
  for (const { result } of rows) counts.set(result, (counts.get(result) ?? 0) + 1);
  return `${plural(rows.length, 'person', 'people')}: ${[...counts].map(([result, count]) => `${count} ${result}`).join(', ')}`;
}

async function throwFailed(
  { explain }: Session,
  {
    failed,
    fatal,
    rows,
    failures,
  }: {
    failed: { item: string; error: OrgctlError }[];
    fatal: OrgctlError | undefined;
    rows: Row[];
    failures: OrgFailure[];
  },
): Promise<void> {
  const all = [...failed, ...failures.map(({ org, error }) => ({ item: org, error }))];
  const [first] = all;
  if (!first) return;
  if (rows.length === 1 && failures.length === 0) throw first.error;
  const attempted = rows.filter(({ result }) => result !== 'not-attempted').length;
  const isCommon = all.length === attempted && all.every(({ error }) => error.exit === first.error.exit);
  const explained = isCommon ? await explain(first.error) : first.error;
  throw new OrgctlError(
    fatal && isSignal(fatal) ? fatal.exit : isCommon ? first.error.exit : 'incomplete',
    `${failed.length > 0 ? `${failed.length} of ${rows.length} failed` : `${failures.length} organizations failed`}`,
    {
      items: all.map(({ item, error }) => ({ item, error: error === first.error ? explained : error })),
      hint: fatal?.hint ?? explained.hint ?? 'Run the same command again to do the rest.',
    },
  );
}
