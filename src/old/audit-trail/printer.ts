import { OrgctlError, UsageError } from '../errors.ts';
import { inspectOutputFile, type OutputEnd } from '../files/output-file.ts';
import type { Columns } from '../stdout/columns.ts';
import type { Output, OutputFeed } from '../stdout/output.ts';
import { ClosedPipe } from '../text/write.ts';
import type { AuditEvent } from '../wire/resources.ts';
import type { Delivery } from './follow.ts';

export interface PrinterOptions {
  readonly output: Output;
  readonly columns: Columns<AuditEvent>;
  readonly once: boolean;
  /** Whether a later run goes on after what this one has printed, so that it has to be on disk. */
  readonly isKept: boolean;
  readonly isTerminal: boolean;
  readonly descriptor: number;
  readonly platform: NodeJS.Platform;
  readonly memory: OutputMemory;
}

/** Where the file that is printed to ended after the last events, of this run or of an earlier one, as far as it is known. */
export interface OutputMemory {
  last: OutputEnd | undefined;
}

/** Prints events. Throws UsageError for a format that takes them only all at once. */
export function createPrinter(options: PrinterOptions): Delivery {
  const { output, columns, once, isKept, isTerminal, descriptor, platform, memory } = options;
  const { format } = output;
  if (!once && (format.isDocument || (format.forPeople && !isTerminal))) {
    throw new UsageError(`-o ${format.name} needs --once`, { hint: 'Without --once use ndjson, tsv or csv.' });
  }
  let feed: OutputFeed<AuditEvent> | undefined;

  function start(): OutputFeed<AuditEvent> {
    const file = inspectOutputFile(descriptor, platform);
    const isContinued = file !== undefined && file.size > 0;
    // Where the file can't be read: what orgctl printed last is a whole line, and nothing came after it.
    const isWhole = file?.endsWithNewline ?? (file?.file === memory.last?.file && file?.size === memory.last?.size);
    // The first event would be added to a line that was cut short.
    const before = isContinued && !isWhole ? '\n' : '';
    return output.feed(columns, { before, isContinued });
  }

  function keepEnd(): void {
    const file = inspectOutputFile(descriptor, platform);
    file?.sync();
    memory.last = file === undefined ? undefined : { file: file.file, size: file.size };
  }

  async function print(act: (feed: OutputFeed<AuditEvent>) => Promise<void>): Promise<void> {
    try {
      feed ??= start();
      await act(feed);
      if (isKept) keepEnd();
    } catch (error) {
      throw error instanceof ClosedPipe && isKept ? createClosed(error) : error;
    }
  }

  return {
    isWhole: format.isDocument,
    deliver: (events) => print(({ add }) => add(events)),
    end: () => print(({ end }) => end()),
  };
}

function createClosed(cause: unknown): OrgctlError {
  return new OrgctlError('failure', 'the reader of the events is gone', {
    code: 'output-closed',
    reasons: ['The cursor covers what it took before: the next run repeats the rest.'],
    hint: 'Write to a file, or use --to exec:COMMAND: both say what was taken.',
    cause,
  });
}
