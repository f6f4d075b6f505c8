import { OrgctlError, UsageError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Runtime } from '../lib/runtime.ts';
import { sanitize, sanitizeLine } from '../lib/text.ts';
import { assertFields, type Columns, selectColumns } from './columns.ts';
import { COUNT_COLUMNS, countRows } from './count.ts';
import { FORMATS, type FormatName } from './formats.ts';
import type { Messages } from './messages.ts';
import { compileQuery, type Query } from './query.ts';
import { collectRows, type Facts, type Renderer, type RenderOptions } from './renderer.ts';
import { ClosedPipe, createWriter, type Writer } from './writer.ts';

export interface OutputOptions extends Pick<RenderOptions, 'fields' | 'isWhole' | 'isAccessible' | 'hasColor'> {
  runtime: Pick<Runtime, 'stdout' | 'now'>;
  /** Undefined means a table at a terminal, tsv elsewhere. */
  format: FormatName | undefined;
  query: string | undefined;
  countBy?: string | undefined;
  signal: AbortSignal;
  messages: Messages;
  redactor: Pick<Redactor, 'result'>;
  /** Called before each text, to end the spinner. */
  beforeWrite(): void;
}

const SIGN_COLORS: Record<string, number> = { '+ ': 32, '- ': 31, '~ ': 33 };
const NO_ROWS: Renderer = { rows: () => collectRows(() => ''), one: () => '' };

export class Output {
  isStreamed: boolean;
  /** The command line or the settings name a format. */
  isNamed: boolean;
  /** Stdout is a terminal, and no format is named. */
  isForPeople: boolean;
  format: FormatName;
  /** The result of a write must not be lost, so it is printed whole if the query does not fit it. */
  isOfWrite = false;
  /** The reader of a pipe has closed it. */
  isClosed = false;
  /** What a page says besides its rows, by label. */
  facts: Record<string, string> = {};
  private options: OutputOptions;
  private writer: Writer | undefined;
  /** Fields for which a table had no room. */
  hidden: string[] = [];
  private isHiddenTold = false;
  private search: Query | undefined;
  private renderer = NO_ROWS;
  private failure: OrgctlError | undefined;

  constructor(options: OutputOptions) {
    const isTerminal = options.runtime.stdout.isTTY === true;
    this.options = options;
    this.format = options.format ?? (isTerminal ? 'table' : 'tsv');
    // Only the counts are kept.
    this.isStreamed = FORMATS[this.format].isStreamed || options.countBy !== undefined;
    this.isNamed = options.format !== undefined;
    this.isForPeople = isTerminal && !this.isNamed;
  }

  /**
   * Loads what prints the rows of a command with columns. Throws UsageError for a wrong field or query, as far as this can be
   * known before there is a result.
   */
  async check(columns: Columns | undefined): Promise<void> {
    const { runtime, fields, query, countBy } = this.options;
    const { stdout, now } = runtime;
    if (query !== undefined) this.search = await compileQuery(query);
    if (!columns) return;
    const create = await FORMATS[this.format].load();
    this.renderer = create({
      ...this.options,
      query: this.search && ((value) => this.query(value)),
      // A terminal may report 0 columns.
      width: (stdout.isTTY && stdout.columns) || undefined,
      now: () => (stdout.isTTY ? now() : undefined),
      onHidden: (headers) => this.hidden.push(...headers),
    });
    if (countBy !== undefined && !columns.hasOtherFields) assertFields([countBy], columns, []);
    const printed = countBy === undefined ? columns : COUNT_COLUMNS;
    if (fields && !printed.hasOtherFields) assertFields(fields, printed, []);
  }

  /** The whole value without --query. */
  query(value: unknown): unknown {
    try {
      return this.search ? this.search(value) : value;
    } catch (error) {
      if (!this.isOfWrite || !(error instanceof UsageError)) throw error;
      const { code, message } = error;
      this.failure = new OrgctlError('failure', message, { code });
      return value;
    }
  }

  /** `hasHeader`: false after other rows of the same list. */
  rows(columns: Columns, hasHeader = true) {
    const { add, end } = this.renderer.rows(this.select(columns), hasHeader);
    const { redactor } = this.options;
    /** Printing many records at once takes less time. */
    const addAll = (records: JsonObject[]): Promise<void> =>
      this.print(records.map((record) => add(redactor.result(record))).join(''));
    return { add: (record: JsonObject) => addAll([record]), addAll, end: () => this.print(end()) };
  }

  /**
   * Prints a list as it arrives. Throws UsageError for an unknown field that no row of the first page has. Reads no further
   * when nobody reads the output any more, unless the outcome depends on all pages.
   */
  async list(
    columns: Columns,
    pages: AsyncIterable<JsonObject[]> | Iterable<JsonObject[]>,
    { readsAll = false, where = '' } = {},
  ): Promise<void> {
    const { fields, messages, countBy } = this.options;
    const printed = countBy === undefined ? columns : COUNT_COLUMNS;
    const printer = this.rows(printed);
    let count = 0;
    for await (const records of countBy === undefined ? pages : countRows(columns, pages, countBy)) {
      if (fields && count === 0 && records.length > 0) assertFields(fields, printed, records);
      count += records.length;
      await this.whileRead(() => printer.addAll(records));
      if (this.isClosed && !readsAll) return;
    }
    await this.whileRead(printer.end);
    const empty = typeof columns.empty === 'function' ? columns.empty() : columns.empty;
    if (count === 0 && empty && this.isForPeople) messages.note(`${empty}${where}`);
  }

  async one(columns: Columns, record: JsonObject): Promise<void> {
    const { fields, redactor } = this.options;
    if (fields) assertFields(fields, columns, [record]);
    const text = this.renderer.one(this.select(columns), redactor.result(record));
    await this.whileRead(() => this.print(text));
  }

  /** Prints what the format prints of a command that has ended. */
  async end(createFacts: () => Promise<Facts>): Promise<void> {
    const { end } = this.renderer;
    if (!end) return;
    const text = end(await createFacts());
    await this.whileRead(() => this.print(text));
  }

  /** A reader that has seen enough does not change what the command finds out. */
  private async whileRead(print: () => Promise<void>): Promise<void> {
    if (this.isClosed) return;
    try {
      await print();
    } catch (error) {
      if (!(error instanceof ClosedPipe)) throw error;
      this.isClosed = true;
    }
  }

  /** Prints each text on a line of its own, coloured by its sign. */
  lines(texts: string[]): Promise<void> {
    const { redactor, hasColor } = this.options;
    const paint = (line: string): string => {
      const color = hasColor ? SIGN_COLORS[line.slice(0, 2)] : undefined;
      return color ? `\u001b[${color}m${line}\u001b[39m` : line;
    };
    const text = texts.map((line) => `${paint(sanitizeLine(redactor.result(line)))}\n`).join('');
    return this.whileRead(() => this.print(text));
  }

  /** Prints text without what controls a terminal. */
  text(text: string): Promise<void> {
    return this.print(sanitize(this.options.redactor.result(text)));
  }

  /** Prints a Markdown page of ours, drawn for people. */
  async page(markdown: string): Promise<void> {
    const { runtime, isAccessible, hasColor } = this.options;
    if (!this.isForPeople || isAccessible) return this.text(markdown);
    const { drawPage } = await import('./markdown-page.ts');
    await this.print(drawPage(markdown, { width: runtime.stdout.columns || 80, hasColor }));
  }

  /** Prints text with the secrets in it, and changes it only for a terminal. */
  secret(text: string): Promise<void> {
    return this.print(this.options.runtime.stdout.isTTY ? sanitize(text) : text);
  }

  private async print(text: string): Promise<void> {
    if (text === '') return;
    const { runtime, signal, messages, beforeWrite } = this.options;
    beforeWrite();
    this.writer ??= createWriter(runtime.stdout, signal);
    await this.writer.write(text);
    // A note above a long table would scroll away.
    if (!this.isHiddenTold && this.hidden.length > 0) {
      this.isHiddenTold = true;
      messages.note(`not shown: ${this.hidden.join(', ')} (use --fields or -o json)`);
    }
    if (this.failure) throw this.failure;
  }

  private select(columns: Columns): Columns {
    const { fields } = this.options;
    return fields ? selectColumns(columns, fields) : columns;
  }
}
