import type { Outcome } from '../act-on-each.ts';
import type { Context } from '../context/context.ts';
import type { OrgctlError } from '../errors.ts';
import { isSignal } from '../interrupts.ts';
import { runJob, type Work } from '../organizations/run-job.ts';
import type { Columns } from '../stdout/columns.ts';
import type { Output } from '../stdout/output.ts';
import { isQueryFault } from '../stdout/output.ts';
import type { WriteResult } from '../stdout/result.ts';
import { describePart } from '../text/count.ts';
import { ClosedPipe } from '../text/write.ts';
import type { Placed } from '../wire/flat.ts';
import { withResultsOfSeveral } from './organizations.ts';
import { type ResultRow, toRowError, type Undone } from './row-error.ts';
import { createTally, describeCounts, describeFailed } from './tally.ts';

/** One command over several items: each is tried, each gives one row, and what failed decides the exit. */

/** The row of an item. */
export interface JobResult<Row extends ResultRow> extends Omit<WriteResult<Row>, 'record'> {
  readonly extra: Partial<Row> & Pick<Row, 'changed' | 'result'>;
}

/** An item, and what became of it. */
export interface Done<Item, Row extends ResultRow> {
  readonly item: Item;
  readonly row: JobResult<Row>;
}

export interface Job<Item, Row extends ResultRow> extends Work<Item, JobResult<Row>> {
  readonly columns: Columns<Row>;
  name(item: Item): string;
  toRow(item: Item, undone: Undone): JobResult<Row>;
  /** `Inviting`, for a line at a terminal that counts; without it there is none. Not for an act that makes notes. */
  readonly doing?: string;
  /** `500 people`: what is counted at the end, where there are many or `isCounted`. */
  readonly things: string;
  readonly isCounted?: boolean;
  /** Makes few rows fewer where people read them: what several say is then said together. */
  readonly gather?: ((all: readonly Done<Item, Row>[]) => readonly JobResult<Row>[]) | undefined;
  /** Whether a row that is no failure is shown even where rows are only counted. */
  needsAttention?(row: JobResult<Row>): boolean;
  /** What running the command again does after an interruption. */
  readonly again?: string;
}

/** Of more items people at a terminal read what failed, what was taken away, and how many were done. */
const MOST_SHOWN = 20;
/** Results after which something is gone: each is named, however many there are. */
const TAKEN: ReadonlySet<string> = new Set(['removed', 'deleted']);

/**
 * Does the job and prints a row for each item as it becomes certain. Throws when something failed: one reason for all
 * gives that reason's exit, mixed outcomes give `incomplete`. `isShown`: the rows stand on the terminal as sentences.
 */
export async function doJob<Item, Row extends ResultRow>(
  context: Context,
  job: Job<Item, Row>,
): Promise<{ readonly isShown: boolean }> {
  const { identity, screen, services, places } = context;
  const output = await screen.output();
  const { redact } = await services.current();
  const isTerminal = places.host.stdout.isTTY === true;
  const inSentences =
    output.format.forPeople && job.columns.sentences !== undefined && screen.requested.fields === undefined;
  const isMany = inSentences && job.items.length > MOST_SHOWN;
  const isBrief = isMany && isTerminal;
  const gather = inSentences && !isBrief ? job.gather : undefined;
  const isShown = inSentences && isTerminal;
  const tally = createTally(job, { isShown });
  const { doing } = job;
  const progress = doing !== undefined && job.items.length > 1 ? screen.progress(doing) : undefined;

  async function* toResults(): AsyncGenerator<JobResult<Row>> {
    const start = places.host.now();
    let count = 0;
    const toUndoneRow = (item: Item, outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): JobResult<Row> => {
      const error =
        outcome.kind === 'failed' ? { error: toItemError(job.name(item), outcome.error, redact, identity) } : {};
      const result = outcome.kind === 'failed' && isSignal(outcome.error) ? 'unknown' : outcome.kind;
      return job.toRow(item, { changed: false, result, ...error });
    };
    const toPlannedRow = (item: Item): JobResult<Row> | undefined =>
      services.dryRun ? job.toRow(item, { changed: false, result: 'planned' }) : undefined;
    const late: Done<Item, Row>[] = [];
    for await (const { item, outcome } of runJob(job, services.explainRefusal)) {
      count += 1;
      progress?.update(`${doing}: ${describePart(count, job.items.length, places.host.now() - start)}`);
      tally.add(job.name(item), outcome);
      // The error at the end says all there is to say of a single one.
      if (outcome.kind !== 'done' && inSentences && job.items.length === 1) continue;
      const row = outcome.kind === 'done' ? (outcome.value ?? toPlannedRow(item)) : toUndoneRow(item, outcome);
      if (row === undefined) continue;
      if (gather !== undefined) late.push({ item, row });
      else if (!isBrief) yield row;
      else if (outcome.kind === 'failed' || TAKEN.has(row.extra.result) || job.needsAttention?.(row) === true)
        late.push({ item, row });
    }
    progress?.stop();
    yield* gather?.(late) ?? late.map(({ row }) => row);
  }

  try {
    await printAll(output, job.columns, toResults());
  } catch (error) {
    // Neither a reader who has seen enough nor a query asks for failures to be forgotten.
    if (error instanceof ClosedPipe || isQueryFault(error)) tally.refuse();
    throw error;
  } finally {
    progress?.stop();
    // Where the first one was refused as a mistake of the command line, there is nothing to count.
    const isSaid = inSentences && services.dryRun && job.items.length > 0;
    const isCounted = (isMany || job.isCounted === true) && tally.isWhole() && !isSaid;
    if (isCounted) screen.note(describeCounts(job.things, tally.counts));
  }
  tally.refuse();
  return { isShown };
}

interface PlacedItem {
  /** Undefined for an item that is of none. */
  readonly organization?: string | undefined;
  readonly refusal?: OrgctlError | undefined;
}

/** A job whose items are of the organizations that the command is about. */
type PlacedJob<Item, Row extends Placed & ResultRow> = Omit<Job<Item, Row>, 'organizationOf' | 'refusal'>;

/**
 * Does a job over the organizations that the command is about. Where there are several, each row and each error names
 * its organization.
 */
export async function doJobInEach<Item extends PlacedItem, Row extends Placed & ResultRow>(
  context: Context,
  { gather, ...job }: PlacedJob<Item, Row>,
): Promise<{ readonly isShown: boolean }> {
  const refusal = (item: Item): OrgctlError | undefined => item.refusal;
  if (context.organizations.isOne) return await doJob(context, { ...job, refusal });
  await context.organizations.checkReach();
  return await doJob(context, {
    ...job,
    refusal,
    gather,
    columns: withResultsOfSeveral(job.columns),
    organizationOf: ({ organization = '' }) => organization,
    name(item) {
      const { organization } = item;
      return organization === undefined ? job.name(item) : `${job.name(item)} in ${organization}`;
    },
  });
}

/**
 * The job goes on to its end even where the reader of its rows is gone: a reader must not decide how far the job goes.
 */
async function printAll<Row extends ResultRow>(
  output: Output,
  columns: Columns<Row>,
  results: AsyncGenerator<JobResult<Row>>,
): Promise<void> {
  try {
    // The iterator has no `return`, so that leaving the loop does not end requests that are under way.
    await output.changedMany(columns, { [Symbol.asyncIterator]: () => ({ next: () => results.next() }) });
  } finally {
    for await (const _rest of results);
  }
}

function toItemError(
  item: string,
  error: OrgctlError,
  redact: (text: string) => string,
  { nextCommand }: Context['identity'],
) {
  return {
    ...toRowError(error, redact, describeFailed({ item, error })),
    ...(isSignal(error) ? { code: 'outcome-unknown' as const } : {}),
    ...(error.next.length === 0 ? {} : { next: error.next.map(nextCommand) }),
  };
}
