import type { JsonObject } from '../lib/json.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Runtime } from '../lib/runtime.ts';
import { assertFields, type Columns, selectColumns } from './columns.ts';
import { FORMATS, type FormatName } from './formats.ts';
import type { Messages } from './messages.ts';
import { compileQuery } from './query.ts';
import type { Renderer } from './renderer.ts';
import { createWriter, type Writer } from './writer.ts';

interface RowPrinter {
  add(record: JsonObject): Promise<void>;
  end(): Promise<void>;
}

export interface OutputOptions {
  runtime: Pick<Runtime, 'stdout' | 'now'>;
  /** Undefined means a table at a terminal, tsv elsewhere. */
  format: FormatName | undefined;
  fields: string[] | undefined;
  query: string | undefined;
  isWhole: boolean;
  isAccessible: boolean;
  hasColor: boolean;
  signal: AbortSignal;
  messages: Messages;
  redactor: Pick<Redactor, 'result'>;
  /** Called before each text, to end the spinner. */
  beforeWrite(): void;
}

/** Prints the result on stdout. */
export class Output {
  /** Rows are printed as they arrive. */
  isStreamed: boolean;
  /** Stdout is a terminal, and no format is named. */
  isForPeople: boolean;
  format: FormatName;
  private options: OutputOptions;
  private renderer: Promise<Renderer> | undefined;
  private writer: Writer | undefined;
  private hidden: string[] = [];

  constructor(options: OutputOptions) {
    const isTerminal = options.runtime.stdout.isTTY === true;
    this.options = options;
    this.format = options.format ?? (isTerminal ? 'table' : 'tsv');
    this.isStreamed = FORMATS[this.format].isStreamed;
    this.isForPeople = isTerminal && options.format === undefined;
  }

  /** Throws UsageError for a wrong field or query, as far as this can be known before there is a result. */
  async check(columns: Columns): Promise<void> {
    const { fields } = this.options;
    await this.loadRenderer();
    if (fields && !columns.hasOtherFields) assertFields(fields, columns, []);
  }

  async rows(columns: Columns): Promise<RowPrinter> {
    const { add, end } = (await this.loadRenderer()).rows(this.select(columns));
    const { redactor } = this.options;
    return { add: (record) => this.secret(add(redactor.result(record))), end: () => this.secret(end()) };
  }

  /** Prints a list as it arrives. Throws UsageError for an unknown field that no row of the first page has. */
  async list(columns: Columns, pages: AsyncIterable<JsonObject[]> | Iterable<JsonObject[]>): Promise<void> {
    const { fields } = this.options;
    const printer = await this.rows(columns);
    let isChecked = false;
    for await (const records of pages) {
      if (fields && !isChecked && records.length > 0) {
        assertFields(fields, columns, records);
        isChecked = true;
      }
      for (const record of records) await printer.add(record);
    }
    await printer.end();
  }

  async one(columns: Columns, record: JsonObject): Promise<void> {
    const { fields, redactor } = this.options;
    if (fields) assertFields(fields, columns, [record]);
    await this.secret((await this.loadRenderer()).one(this.select(columns), redactor.result(record)));
  }

  async text(text: string): Promise<void> {
    await this.secret(this.options.redactor.result(text));
  }

  /** Prints text as it is, with the secrets that it holds. */
  async secret(text: string): Promise<void> {
    if (text === '') return;
    const { runtime, signal, messages, beforeWrite } = this.options;
    beforeWrite();
    this.writer ??= createWriter(runtime.stdout, signal);
    await this.writer.write(text);
    // A note above a long table would scroll away.
    const headers = this.hidden.splice(0);
    if (headers.length > 0) messages.note(`not shown: ${headers.join(', ')} (use --fields or -o json)`);
  }

  private select(columns: Columns): Columns {
    const { fields } = this.options;
    return fields ? selectColumns(columns, fields) : columns;
  }

  private loadRenderer(): Promise<Renderer> {
    this.renderer ??= this.createRenderer();
    return this.renderer;
  }

  private async createRenderer(): Promise<Renderer> {
    const { runtime, fields, query, isWhole, isAccessible, hasColor } = this.options;
    const { stdout, now } = runtime;
    const search = query === undefined ? undefined : await compileQuery(query);
    const create = await FORMATS[this.format].load();
    return create({
      fields,
      query: search,
      isWhole,
      // A terminal may report 0 columns.
      width: (stdout.isTTY && stdout.columns) || undefined,
      isAccessible,
      colorLevel: hasColor ? 1 : 0,
      now: () => (stdout.isTTY ? now() : undefined),
      onHidden: (headers) => this.hidden.push(...headers),
    });
  }
}
