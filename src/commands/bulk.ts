import { actOnEach, type Outcome } from '../act-on-each.ts';
import type { Context } from '../context/context.ts';
import { describeItem, type FailedItem, listMeanings, OrgctlError } from '../errors.ts';
import { listNotAttempted, shareEnd } from '../failures.ts';
import { addCount } from '../groups.ts';
import { isSignal, toSignal } from '../interrupts.ts';
import { toErrorOf } from '../organizations/failures.ts';
import type { Columns } from '../stdout/columns.ts';
import type { Output } from '../stdout/output.ts';
import { isQueryFault } from '../stdout/query-fault.ts';
import type { WriteResult } from '../stdout/result.ts';
import { countAny, formatCount } from '../text/count.ts';
import { ClosedPipe } from '../text/write.ts';
import { type ResultRow, toRowError, type Undone } from './row-error.ts';

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

export interface Job<Item, Row extends ResultRow> {
  readonly items: readonly Item[];
  readonly columns: Columns<Row>;
  name(item: Item): string;
  /** The row of an item that needs no request, and so is certain even after the rest was stopped. */
  known?(item: Item): JobResult<Row> | undefined;
  act(item: Item): Promise<JobResult<Row> | undefined>;
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
  /** One after the other, where an item that fails must keep the next one from being begun. */
  readonly singly?: boolean;
  /** Where items are of several organizations: one that is full, or refuses the token, ends what is left of it alone. */
  readonly organizationOf?: ((item: Item) => string) | undefined;
  /** Why an item is not attempted at all, which keeps no other from being. */
  refusal?(item: Item): OrgctlError | undefined;
}

class Refused {
  readonly error: OrgctlError;
  constructor(error: OrgctlError) {
    this.error = error;
  }
}

const MOST_NAMED = 20;
/** Of more items people at a terminal read what failed and how many were done. */
const MOST_SHOWN = 20;
/** Before this, in milliseconds, nothing is said of how long the rest takes. */
const FIRST_ESTIMATE = 1000;

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
  // Rows and a moving line cannot share a terminal.
  const mayMove = !isTerminal || isBrief || gather !== undefined || !(inSentences || output.format.inTurn);
  const shown = job.doing !== undefined && job.items.length > 1 && mayMove;
  const progress = screen.progress(`${job.doing}`, { shown });

  async function* toResults(): AsyncGenerator<JobResult<Row>> {
    const start = places.host.now();
    let count = 0;
    const toUndoneRow = (item: Item, outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): JobResult<Row> => {
      const error =
        outcome.kind === 'failed' ? { error: toItemError(job.name(item), outcome.error, redact, identity) } : {};
      return job.toRow(item, { changed: false, result: outcome.kind, ...error });
    };
    const late: Done<Item, Row>[] = [];
    const act = async (item: Item): Promise<JobResult<Row> | Refused | undefined> => {
      const refusal = job.refusal?.(item);
      return refusal === undefined ? (job.known?.(item) ?? (await job.act(item))) : new Refused(refusal);
    };
    const { singly = false, organizationOf } = job;
    for await (const { item, outcome: end } of actOnEach(job.items, act, { singly, organizationOf })) {
      const raw = toOutcome(end, organizationOf?.(item), () => job.known?.(item));
      const outcome = raw.kind === 'failed' ? { ...raw, error: await services.explainRefusal(raw.error) } : raw;
      count += 1;
      const left = estimate(places.host.now() - start, count, job.items.length);
      progress.update(`${job.doing}: ${formatCount(count)} of ${formatCount(job.items.length)}${left}`);
      tally.add(job.name(item), outcome);
      // The error at the end says all there is to say of a single one.
      if (outcome.kind !== 'done' && inSentences && job.items.length === 1) continue;
      const row = outcome.kind === 'done' ? outcome.value : toUndoneRow(item, outcome);
      if (row === undefined) continue;
      if (gather !== undefined) late.push({ item, row });
      else if (!isBrief) yield row;
      else if (outcome.kind === 'failed' || job.needsAttention?.(row) === true) late.push({ item, row });
    }
    progress.stop();
    yield* gather?.(late) ?? late.map(({ row }) => row);
  }

  try {
    await printAll(output, job.columns, toResults());
  } catch (error) {
    // Neither a reader who has seen enough nor a query asks for failures to be forgotten.
    if (error instanceof ClosedPipe || isQueryFault(error)) tally.refuse();
    throw error;
  } finally {
    progress.stop();
    // Where the first one was refused as a mistake of the command line, there is nothing to count.
    const isCounted = (isMany || job.isCounted === true) && tally.isWhole() && !(inSentences && services.dryRun);
    if (isCounted) screen.note(describeCounts(job.things, tally.counts));
  }
  tally.refuse();
  return { isShown };
}

/**
 * What is known of an item is certain whether or not its turn came. `organization`: which one it is of, where there are
 * several.
 */
function toOutcome<Result>(
  end: Outcome<Result | Refused | undefined>,
  organization: string | undefined,
  findKnown: () => Result | undefined,
): Outcome<Result | undefined> {
  if (end.kind === 'done') {
    const { value } = end;
    if (!(value instanceof Refused)) return { kind: 'done', value };
    return toOutcome({ kind: 'failed', error: value.error }, organization, findKnown);
  }
  if (end.kind === 'failed' && organization !== undefined) {
    return { kind: 'failed', error: toErrorOf(organization, end.error) };
  }
  const known = end.kind === 'not-attempted' ? findKnown() : undefined;
  return known === undefined ? end : { kind: 'done', value: known };
}

/** ` (about 10 s left)`, where that can be said and there is time to read it. */
function estimate(elapsed: number, done: number, total: number): string {
  if (elapsed < FIRST_ESTIMATE || done === 0) return '';
  const seconds = Math.round(((elapsed / done) * (total - done)) / 1000);
  if (seconds < 1) return '';
  return ` (about ${seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left)`;
}

/** Where no one reads the rows any more, the rest is done all the same: a reader must not decide how far it goes. */
async function printAll<Row extends ResultRow>(
  output: Output,
  columns: Columns<Row>,
  results: AsyncGenerator<JobResult<Row>>,
): Promise<void> {
  try {
    // Without `return`, so that leaving the loop does not end what is under way.
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
    ...toRowError(error, redact, describe({ item, error })),
    ...(isSignal(error) ? { code: 'outcome-unknown' } : {}),
    ...(error.next.length === 0 ? {} : { next: error.next.map(nextCommand) }),
  };
}

/**
 * Counts all and keeps the first failures only: of thousands, the whole answers would fill the memory. `isShown`: what failed
 * stands on the terminal already.
 */
function createTally(
  { items: { length: total }, again }: { readonly items: readonly unknown[]; readonly again?: string },
  { isShown }: { readonly isShown: boolean },
) {
  const counts = new Map<string, number>();
  const failed: FailedItem[] = [];
  const notAttempted: string[] = [];
  const codes = new Set<string>();
  let signal: OrgctlError | undefined;
  let unknown = 0;
  const count = (result: string): number => counts.get(result) ?? 0;
  const toMessage = (): string => {
    const [unfinished, left] = [count('failed'), count('not-attempted')];
    const all = formatCount(total);
    if (signal === undefined) return `${formatCount(unfinished)} of ${all} failed`;
    const parts = [
      `${formatCount(total - unfinished - left)} of ${all} done`,
      ...countAny(unfinished - unknown, 'failed'),
      ...countAny(left, 'not attempted'),
    ];
    return `${signal.message} ${parts.join('; ')}.`;
  };

  return {
    counts,
    add(name: string, outcome: Outcome<{ readonly extra: Pick<ResultRow, 'result'> } | undefined>) {
      if (outcome.kind === 'done') return addCount(counts, outcome.value?.extra.result ?? 'planned');
      addCount(counts, outcome.kind);
      if (outcome.kind === 'not-attempted') {
        signal ??= outcome.reason;
        if (notAttempted.length < MOST_NAMED) notAttempted.push(name);
        return;
      }
      if (isSignal(outcome.error)) {
        signal ??= toSignal(outcome.error);
        unknown += 1;
      }
      codes.add(outcome.error.code);
      if (failed.length < MOST_NAMED) failed.push({ item: name, error: outcome.error });
    },
    isWhole: () => [...counts.values()].reduce((sum, some) => sum + some, 0) === total,
    refuse(): void {
      const [first] = failed;
      const undone = count('failed') + count('not-attempted');
      if (undone === 0) return;
      const only = first?.error ?? signal;
      if (total === 1 && only !== undefined) throw only;
      const errors = failed.map(({ error }) => error);
      const { exit, code } = signal ?? shareEnd(errors, undone === total && codes.size === 1);
      const hint = signal === undefined ? first?.error.hint : (again ?? 'Run the same command again to do the rest.');
      throw new OrgctlError(exit, toMessage(), {
        code,
        reasons: [
          ...(isShown ? [] : failed.map(describe)),
          ...(!isShown && count('failed') > failed.length
            ? [`and ${formatCount(count('failed') - failed.length)} more; all rows: -o csv`]
            : []),
          ...listMeanings(failed),
          ...describeNotAttempted(notAttempted, count('not-attempted'), signal !== undefined),
        ],
        ...(hint === undefined ? {} : { hint }),
        next: failed.flatMap(({ error }) => error.next),
        items: failed,
      });
    },
  };
}

/** `isCounted`: the message says how many. */
function describeNotAttempted(names: readonly string[], count: number, isCounted: boolean): readonly string[] {
  if (count <= names.length) return listNotAttempted(names);
  return isCounted ? [] : [`Not attempted: ${formatCount(count)}, from ${names[0]} on`];
}

function describe(failed: FailedItem): string {
  return isSignal(failed.error) ? `Unknown: ${failed.item}` : describeItem(failed);
}

/** What was left as it was comes after what was done, and what was not done comes last. */
const LAST = ['unchanged', 'absent', 'failed', 'not-attempted'];

/** `300 people: 180 invited, 12 unchanged, 1 failed, 107 not attempted.` */
function describeCounts(what: string, counts: ReadonlyMap<string, number>): string {
  if (counts.size === 0) return 'Nothing to do.';
  const parts = [...counts]
    .sort(([one], [other]) => LAST.indexOf(one) - LAST.indexOf(other))
    .map(([result, count]) => `${formatCount(count)} ${result.replaceAll('-', ' ')}`);
  return `${what}: ${parts.join(', ')}.`;
}
