import { actOnEach, type Outcome, SIGNALS, toSignal } from '../act-on-each.ts';
import type { Context } from '../context/context.ts';
import { type FailedItem, OrgctlError, ServiceError } from '../errors.ts';
import type { Columns } from '../stdout/columns.ts';
import type { Output } from '../stdout/output.ts';
import type { WriteResult } from '../stdout/result.ts';
import { toPlainText } from '../text/plain-text.ts';
import { ClosedPipe } from '../text/write.ts';

/** One command over several items: each is tried, each gives one row, and what failed decides the exit. */

interface Undone {
  readonly changed: false;
  readonly result: 'failed' | 'not-attempted';
  readonly error?: ReturnType<typeof toRowError>;
}

export interface Job<Item> {
  readonly items: readonly Item[];
  readonly columns: Columns;
  name(item: Item): string;
  /** The row of an item that needs no request, and so is certain even after the rest was stopped. */
  known?(item: Item): WriteResult | undefined;
  act(item: Item): Promise<WriteResult | undefined>;
  toRow(item: Item, undone: Undone): WriteResult;
  /** `Inviting`, for a line at a terminal that counts; without it there is none. Not for an act that makes notes. */
  readonly doing?: string;
  /** What is counted, for a note with the number of each result; without it none is made. */
  readonly summary?: string;
  /** One after the other, where an item that fails must keep the next one from being begun. */
  readonly singly?: boolean;
}

const MOST_NAMED = 20;
/** Of more items people read what failed and how many were done. */
const MOST_SHOWN = 20;

/**
 * Does the job and prints a row for each item as it becomes certain. Throws when something failed: one reason for all
 * gives that reason's exit, mixed outcomes give `incomplete`.
 */
export async function doJob<Item>(context: Context, job: Job<Item>): Promise<void> {
  const { identity, screen, services, places } = context;
  const output = await screen.output();
  const { redact } = await services.current();
  const isTerminal = places.host.stdout.isTTY === true;
  const inSentences =
    output.format.forPeople && job.columns.sentences !== undefined && screen.requested.fields === undefined;
  const isBrief = inSentences && job.items.length > MOST_SHOWN;
  const tally = createTally(job.items.length, { isShown: inSentences && isTerminal });
  // Rows and a moving line cannot share a terminal.
  const mayMove = !isTerminal || isBrief || !(inSentences || output.format.inTurn);
  const progress = screen.progress(`${job.doing}`, { shown: job.doing !== undefined && mayMove });

  async function* toResults(): AsyncGenerator<WriteResult> {
    let count = 0;
    const toUndoneRow = (item: Item, outcome: Exclude<Outcome<unknown>, { kind: 'done' }>): WriteResult => {
      const error =
        outcome.kind === 'failed' ? { error: toRowError(job.name(item), outcome.error, redact, identity) } : {};
      return job.toRow(item, { changed: false, result: outcome.kind, ...error });
    };
    const late: WriteResult[] = [];
    const act = async (item: Item): Promise<WriteResult | undefined> => job.known?.(item) ?? (await job.act(item));
    for await (const { item, outcome: end } of actOnEach(job.items, act, job.singly)) {
      const known = end.kind === 'not-attempted' ? job.known?.(item) : undefined;
      const outcome = known === undefined ? end : ({ kind: 'done', value: known } as const);
      count += 1;
      progress.update(`${job.doing}: ${count} of ${job.items.length}`);
      tally.add(job.name(item), outcome);
      // The error at the end says all there is to say of a single one.
      if (outcome.kind !== 'done' && inSentences && job.items.length === 1) continue;
      const row = outcome.kind === 'done' ? outcome.value : toUndoneRow(item, outcome);
      if (row === undefined) continue;
      if (!isBrief) yield row;
      else if (outcome.kind === 'failed' || row.extra['teams-missing'] !== undefined) late.push(row);
    }
    progress.stop();
    yield* late;
  }

  try {
    await printAll(output, job.columns, toResults());
  } catch (error) {
    // A reader who has seen enough has not asked for failures to be forgotten.
    if (error instanceof ClosedPipe) tally.refuse();
    throw error;
  } finally {
    progress.stop();
    // Where the first one was refused as a mistake of the command line, there is nothing to count.
    const isCounted = job.summary !== undefined && tally.isWhole() && !(inSentences && services.dryRun);
    if (isCounted) screen.note(describeCounts(`${job.summary}`, tally.counts));
  }
  tally.refuse();
}

/** Where no one reads the rows any more, the rest is done all the same: a reader must not decide how far it goes. */
async function printAll(output: Output, columns: Columns, results: AsyncGenerator<WriteResult>): Promise<void> {
  try {
    // Without `return`, so that leaving the loop does not end what is under way.
    await output.changedMany(columns, { [Symbol.asyncIterator]: () => ({ next: () => results.next() }) });
  } finally {
    for await (const _rest of results);
  }
}

function toRowError(
  name: string,
  error: OrgctlError,
  redact: (text: string) => string,
  { nextCommand }: Context['identity'],
) {
  return {
    code: SIGNALS.has(error.exit) ? 'outcome-unknown' : error.code,
    // What is taken out for a terminal may stand in the middle of a token.
    message: redact(toPlainText(describe(name, error))),
    ...(error instanceof ServiceError ? { status: error.status } : {}),
    ...(error.next.length === 0 ? {} : { next: error.next.map(nextCommand) }),
  };
}

/**
 * Counts all and keeps the first failures only: of thousands, the whole answers would fill the memory. `isShown`: what failed
 * stands on the terminal already.
 */
function createTally(total: number, { isShown }: { readonly isShown: boolean }) {
  const counts = new Map<string, number>();
  const failed: FailedItem[] = [];
  const notAttempted: string[] = [];
  const codes = new Set<string>();
  let signal: OrgctlError | undefined;
  const count = (result: string): number => counts.get(result) ?? 0;
  const toMessage = (): string => {
    const [unfinished, left] = [count('failed'), count('not-attempted')];
    if (signal === undefined) return `${unfinished} of ${total} failed`;
    const parts = [`${total - unfinished - left} of ${total} done`, `${left} not attempted`];
    return `${signal.message} ${parts.join('; ')}.`;
  };
  const bump = (result: string): void => void counts.set(result, count(result) + 1);

  return {
    counts,
    add(name: string, outcome: Outcome<WriteResult | undefined>) {
      if (outcome.kind === 'done') {
        return bump(outcome.value === undefined ? 'planned' : String(outcome.value.extra['result'] ?? 'done'));
      }
      bump(outcome.kind);
      if (outcome.kind === 'not-attempted') {
        signal ??= outcome.reason;
        if (notAttempted.length < MOST_NAMED) notAttempted.push(name);
        return;
      }
      if (SIGNALS.has(outcome.error.exit)) signal ??= toSignal(outcome.error);
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
      const shared = signal ?? (undone === total && codes.size === 1 ? first?.error : undefined);
      const hint = signal === undefined ? first?.error.hint : 'Run the same command again to do the rest.';
      throw new OrgctlError(shared?.exit ?? 'incomplete', toMessage(), {
        ...(shared === undefined ? {} : { code: shared.code }),
        reasons: [
          ...(isShown ? [] : failed.map(({ item, error }) => describe(item, error))),
          ...(!isShown && count('failed') > failed.length
            ? [`and ${count('failed') - failed.length} more; all rows: -o csv`]
            : []),
          ...describeNotAttempted(notAttempted, count('not-attempted')),
        ],
        ...(hint === undefined ? {} : { hint }),
        next: failed.flatMap(({ error }) => error.next),
        items: failed,
      });
    },
  };
}

function describeNotAttempted(names: readonly string[], count: number): readonly string[] {
  if (count === 0) return [];
  return [count > names.length ? `not attempted: ${count}, from ${names[0]} on` : `not attempted: ${names.join(', ')}`];
}

function describe(item: string, error: OrgctlError): string {
  if (SIGNALS.has(error.exit)) return `Unknown: ${item}`;
  const message = error.message.includes(item) ? error.message : `${item}: ${error.message}`;
  return [message, ...error.reasons].join('; ');
}

/** `300 people: 180 invited, 12 unchanged, 1 failed, 107 not attempted` */
function describeCounts(what: string, counts: ReadonlyMap<string, number>): string {
  const parts = [...counts].map(([result, count]) => `${count} ${result.replace('-', ' ')}`);
  return `${what}: ${parts.length === 0 ? 'nothing to do' : parts.join(', ')}`;
}
