import { pMapIterable } from 'p-map';
import {
  copyError,
  type FailedItem,
  formatInOneLine,
  isFailure,
  isSignal,
  OrgctlError,
  STOPPING,
} from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { plural } from '../lib/text.ts';
import { createCommonError } from '../organizations/names.ts';
import { type Columns, withOrganization } from '../output/columns.ts';
import type { Sentence } from '../output/messages.ts';
import type { Session } from './session.ts';

const CONCURRENCY = 8;
/** A small batch runs one item at a time, so that a fatal error stops the rest at once. */
const MAX_SEQUENTIAL = 10;
const BUG = { code: 'failure', message: 'orgctl has a bug' };

type Row = JsonObject & { result: string };
type Result = Row & { failure?: OrgctlError };

export interface Batch<Item> {
  /** `Inviting`, for the spinner. */
  label: string;
  columns: Columns;
  /** The items in the count at the end; default people. */
  things?: [one: string, many: string];
  concurrency?: number;
  /** The command acts on one item, so JSON prints an object. */
  isOne?: boolean;
  /** Sentences replace the rows, since stdout has something else. */
  hasNoRows?: boolean;
  /** Organizations that could not be read. */
  failures: FailedItem[];
  /** The item in messages; the organization alone by default. */
  name?(item: Item): string;
  /** The columns that do not depend on the result. */
  row(item: Item): JsonObject;
  /** Whether the item's requests may have been sent with those of others: then `act` is called even after a stop. */
  hasStarted?(item: Item): boolean;
  /** Undefined in a dry run. `failure` is an error that did not undo the change. */
  act(item: Item): Promise<Result | undefined>;
  /** Replaces the row for people. Undefined prints nothing. */
  sentence(item: Item, row: Row): Sentence | undefined;
}

/**
 * Asks once about all items, and nothing if there are none: about one as `line` says it, about several as `these 3 teams`.
 * Throws what `session.confirm` throws.
 */
export async function ask<Item>(
  { confirm }: Session,
  items: Item[],
  line: (item: Item) => string,
  createQuestion: (what: string) => string,
  things: string,
): Promise<void> {
  const lines = items.map(line);
  const [first] = lines;
  if (first === undefined) return;
  await (lines.length === 1
    ? confirm(createQuestion(first))
    : confirm(createQuestion(`these ${lines.length} ${things}`), lines));
}

/**
 * Acts on each item, and prints the results in the order of the items. Throws one OrgctlError if any item failed: with the
 * common exit code if all failed alike, else `incomplete`.
 */
export async function runBatch<Item extends { org: string }>(session: Session, items: Item[], batch: Batch<Item>) {
  const { output, messages, hasSeveralOrgs, progress } = session;
  const { label, sentence, failures: unread } = batch;
  const { concurrency = items.length > MAX_SEQUENTIAL ? CONCURRENCY : 1 } = batch;
  const { runOne, failed, bugs } = createRunner(session, batch);
  output.isOfWrite = true;
  const rows: Row[] = [];
  const columns = hasSeveralOrgs ? withOrganization(batch.columns) : batch.columns;
  const printOne = { add: (record: Row) => output.one(columns, record), end: async () => undefined };
  const createPrinter = () => (batch.isOne ? printOne : output.rows(columns));
  const printer = output.isForPeople || batch.hasNoRows ? undefined : createPrinter();
  // An error of printing must not stop the batch or hide its failures.
  let unprinted: unknown;
  const print = async (act: () => Promise<void>): Promise<void> => {
    if (!unprinted) await act().catch((error: unknown) => (unprinted = error));
  };
  for await (const { item, result } of pMapIterable(items, runOne, { concurrency })) {
    rows.push(result);
    progress(`${label}: ${rows.length} of ${items.length}`);
    if (printer) await print(() => printer.add(result));
    const isDone = result.error === undefined && result.result !== 'not-attempted';
    const text = printer || !isDone ? undefined : sentence(item, result);
    if (text) messages.sentence(text);
  }
  if (printer) await print(printer.end);
  if (bugs.length > 0) throw bugs[0];
  if (output.isForPeople && items.length > 1) {
    const things = batch.things ?? (hasSeveralOrgs ? ['membership', 'memberships'] : ['person', 'people']);
    messages.note(countResults(rows, things));
  }
  if (failed[0] && items.length === 1 && unread.length === 0) throw failed[0].error;
  if (failed.length + unread.length > 0) throw createBatchError(session.signals.signal, failed, unread, rows);
  session.signals.signal.throwIfAborted();
  if (isFailure(unprinted)) throw copyError(unprinted, { exit: 'failure', hint: 'What was changed stays changed.' });
  if (unprinted) throw unprinted;
  return rows;
}

/** The sentence of an item by its result. Without `same`, no result is `unchanged`. */
export function tell(
  result: string,
  { same = '', would, done }: { same?: string; would: string; done: string },
): Sentence {
  if (result === 'unchanged') return { sign: '=', text: same };
  return result === 'planned' ? { sign: 'Would', text: would } : { sign: '✓', text: done };
}

/** After a fatal error, a bug or a signal, the returned function skips items. */
function createRunner<Item extends { org: string }>(session: Session, { name, row, act, hasStarted }: Batch<Item>) {
  const { hasSeveralOrgs, signals, explain } = session;
  const { signal } = signals;
  const failed: FailedItem[] = [];
  const bugs: unknown[] = [];
  const stoppedOrgs = new Set<string>();
  let isStopped = false;

  async function runOne(item: Item): Promise<{ item: Item; result: Row }> {
    const skip = () => ({ item, result: { ...row(item), changed: false, result: 'not-attempted' } });
    const isSkipped = isStopped || signal.aborted || stoppedOrgs.has(item.org);
    if (isSkipped && !hasStarted?.(item)) return skip();
    try {
      const { failure, ...result }: Result = (await act(item)) ?? { result: 'planned' };
      const changed = !['unchanged', 'planned'].includes(result.result);
      return { item, result: { ...row(item), changed, ...result, ...(failure && (await fail(item, failure))) } };
    } catch (error) {
      // The signal aborted before the request was sent.
      if (error === signal.reason) return skip();
      if (!(error instanceof OrgctlError)) {
        isStopped = true;
        bugs.push(error);
        return { item, result: { ...row(item), changed: false, result: 'unknown', error: BUG } };
      }
      const isUnknown = isSignal(error) || error.exit === 'outcome-unknown';
      const result = isUnknown ? 'unknown' : 'failed';
      return { item, result: { ...row(item), changed: false, result, ...(await fail(item, error)) } };
    }
  }

  async function fail(item: Item, error: OrgctlError): Promise<JsonObject> {
    const stops = STOPPING[error.code];
    if (stops === 'command') isStopped = true;
    if (stops === 'organization') stoppedOrgs.add(item.org);
    const [label, place] = name ? [name(item), ` in ${item.org}`] : [item.org, ''];
    const explained = await explain(error);
    failed.push({ item: hasSeveralOrgs ? label + place : label, error: explained });
    return { error: { code: error.code, message: formatInOneLine(explained) } };
  }

  return { runOne, failed, bugs };
}

/** `500 people: 480 invited, 20 unchanged` */
function countResults(rows: Row[], [one, many]: NonNullable<Batch<never>['things']>): string {
  const counts = new Map<string, number>();
  for (const { result } of rows) counts.set(result, (counts.get(result) ?? 0) + 1);
  const parts = [...counts].map(([result, count]) => `${count} ${result}`);
  return `${plural(rows.length, one, many)}: ${parts.join(', ')}`;
}

function createBatchError(signal: AbortSignal, failed: FailedItem[], unread: FailedItem[], rows: Row[]): OrgctlError {
  const items = [...failed, ...unread];
  const skipped = rows.filter(({ result }) => result === 'not-attempted').length;
  const isNothingDone =
    failed.length + skipped === rows.length &&
    !rows.some(({ result, changed }) => result === 'failed' && changed === true);
  const message =
    failed.length > 0 ? `${failed.length} of ${rows.length} failed` : `${plural(unread.length, 'organization')} failed`;
  const error = createCommonError(message, items, rows.length > 0 && isNothingDone);
  const isUnfinished = error.exit === 'incomplete' && skipped + unread.length > 0;
  const again = isUnfinished ? 'Run the same command again to do the rest.' : undefined;
  const hint = items.find((item) => item.error.hint)?.error.hint ?? again;
  if (signal.aborted) return new OrgctlError(signal.reason.exit, signal.reason.message, { items, hint });
  return copyError(error, { hint });
}
