import { UsageError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Runtime } from '../lib/runtime.ts';
import { assertFields, type Columns, selectColumns } from './columns.ts';
import { FORMATS, type Format, type FormatName } from './formats.ts';
import type { Messages } from './messages.ts';
import { compileQuery } from './query.ts';
import type { Renderer } from './renderer.ts';
import { createWriter } from './writer.ts';

/** Results on stdout, in the format that was asked for. */
export interface Output {
  /** Whether rows are printed as they come. */
  isStreamed: boolean;
  /** Whether a person reads: stdout is a terminal and no format is named. */
  isForPeople: boolean;
  /** Throws UsageError for a field or a query that is wrong, as far as that is known before there is a result. */
  check(columns: Columns): Promise<void>;
  rows(columns: Columns): Promise<RowPrinter>;
  /** Prints a list as it comes. Throws UsageError for a field that is not known and that no row of the first page has. */
  list(columns: Columns, pages: AsyncIterable<JsonObject[]> | Iterable<JsonObject[]>): Promise<void>;
  one(columns: Columns, record: JsonObject): Promise<void>;
  /** Text that is the result itself. */
  text(text: string): Promise<void>;
}

interface RowPrinter {
  add(record: JsonObject): Promise<void>;
  end(): Promise<void>;
}

export interface OutputOptions {
  runtime: Pick<Runtime, 'stdout' | 'env' | 'now'>;
  /** Undefined: a table at a terminal, tsv elsewhere. */
  format: FormatName | undefined;
  fields: string[] | undefined;
  query: string | undefined;
  isWhole: boolean;
  isAccessible: boolean;
  hasColor: boolean;
  signal: AbortSignal;
  messages: Messages;
  /** Called before each text: a spinner has to give way. */
  beforeWrite(): void;
}

export function createOutput(options: OutputOptions): Output {
  const { runtime, fields, messages } = options;
  const isTerminal = runtime.stdout.isTTY === true;
  const format = options.format ?? (isTerminal ? 'table' : 'tsv');
  const { load, isStreamed }: Format = FORMATS[format];
  let renderer: Promise<Renderer> | undefined;
  let writer: ReturnType<typeof createWriter> | undefined;
  const hidden: string[] = [];

  function openRenderer(): Promise<Renderer> {
    renderer ??= createRenderer();
    return renderer;
  }

  async function createRenderer(): Promise<Renderer> {
    const query = options.query === undefined ? undefined : await compileQuery(options.query);
    const create = await load();
    return create({
      fields,
      query,
      isWhole: options.isWhole,
      // A terminal may report 0 columns.
      width: (isTerminal && runtime.stdout.columns) || undefined,
      isAccessible: options.isAccessible,
      colorLevel: options.hasColor ? 1 : 0,
      now: runtime.now,
      onHidden: (headers) => hidden.push(...headers),
    });
  }

  async function write(text: string): Promise<void> {
    if (text === '') return;
    options.beforeWrite();
    writer ??= createWriter(runtime.stdout, options.signal);
    await writer.write(text);
    // Below the table, where it is still seen if the table is long.
    if (hidden.length > 0) messages.note(`not shown: ${hidden.splice(0).join(', ')} (use --fields or -o json)`);
  }

  const select = (columns: Columns): Columns => (fields ? selectColumns(columns, fields) : columns);

  async function rows(columns: Columns): Promise<RowPrinter> {
    const { add, end } = (await openRenderer()).rows(select(columns));
    return { add: (record) => write(add(record)), end: () => write(end()) };
  }

  return {
    isStreamed,
    isForPeople: isTerminal && options.format === undefined,
    async check(columns) {
      await openRenderer();
      if (fields && !columns.isOpen) assertFields(fields, columns, []);
    },
    rows,
    async list(columns, pages) {
      const printer = await rows(columns);
      let isChecked = false;
      for await (const records of pages) {
        if (fields && !isChecked && records.length > 0) {
          assertFields(fields, columns, records);
          isChecked = true;
        }
        for (const record of records) await printer.add(record);
      }
      await printer.end();
    },
    async one(columns, record) {
      if (fields) assertFields(fields, columns, [record]);
      await write((await openRenderer()).one(select(columns), record));
    },
    text: write,
  };
}

/** Throws UsageError for a query that another format than JSON can't have. */
export function assertQueryFits(format: FormatName | undefined, query: string | undefined): void {
  const { isJson = false }: Partial<Format> = format === undefined ? {} : FORMATS[format];
  if (query !== undefined && format !== undefined && !isJson) {
    throw new UsageError(`--query does not go with -o ${format}`, { hint: 'Use -o json or ndjson.' });
  }
}
