import { setImmediate } from 'node:timers/promises';
import { OrgctlError, reword, UsageError } from '../errors.ts';
import { createWriter, NOT_WRITTEN, type Writer } from '../text/write.ts';
import { type ColumnNames, type Columns, listFields, toAnyColumns } from './columns.ts';
import { checkFieldNames, checkPossibleNames } from './fields.ts';
import type { FlatRecord } from './flatten.ts';
import type { Format } from './formats/index.ts';
import { renderJson } from './json.ts';
import { PLANNED_FIELDS, toPlanned, withPlanned } from './planned.ts';
import { createSelection } from './records.ts';
import type { Pieces, RenderOptions } from './renderer.ts';
import type { Listed, ListSource, OneDocument, WriteResult } from './result.ts';

/** Prints results, and nothing but results, on stdout. Every method rejects with ClosedPipe when its reader is gone. */
export interface Output {
  readonly format: Format;
  /** Throws UsageError for `--fields` that results with these columns can never have. To be called before a write is sent. */
  checkFields(columns: ColumnNames): void;
  /** The same of what is read, which may have more fields than are listed. To be called before it is. */
  checkFieldsOfRead(columns: ColumnNames): void;
  list<Row extends object>(columns: Columns<Row>, source: ListSource<Listed<NoInfer<Row>>>): Promise<void>;
  /** A record that is a row, or the document of a resource. */
  one<Row extends object>(
    columns: Columns<Row>,
    document: NoInfer<Row> | OneDocument,
    extra?: Partial<NoInfer<Row>>,
  ): Promise<void>;
  /** The option that keeps a text in the field of this name from being printed, as far as the other fields don't matter. */
  findHiding(field: string): '--fields' | '--query' | undefined;
  /**
   * A record as `one` would print it in json, for where it is printed by other means. Throws where `needed`, a text that
   * must not be lost, is no part of it.
   */
  toJson(record: FlatRecord, needed?: string): string;
  /** What a write did. Never refuses: the write has happened. Rejects where `needed` was no part of what was printed. */
  changed<Row extends object>(columns: Columns<Row>, result: WriteResult<NoInfer<Row>>, needed?: string): Promise<void>;
  /** What a command did that takes several arguments. Formats that print in turn print each result as it comes. */
  changedMany<Row extends object>(
    columns: Columns<Row>,
    results: AsyncIterable<WriteResult<NoInfer<Row>>>,
  ): Promise<void>;
  /**
   * Records that go on coming; each group is written whole when its promise resolves. `before`: what is written before the
   * first of them. `isContinued`: after what an earlier run has printed.
   */
  feed<Row extends object>(
    columns: Columns<Row>,
    options: { readonly before: string; readonly isContinued: boolean },
  ): OutputFeed<Row>;
  /** This text and one newline, whatever the format. Rejects if it could not be written whole. */
  raw(text: string): Promise<void>;
}

export interface OutputFeed<Row> {
  /** At least one record. */
  add(records: readonly Row[]): Promise<void>;
  end(): Promise<void>;
}

export interface OutputOptions extends Omit<RenderOptions, 'query'> {
  readonly format: Format;
  /** Where it goes: `stdout` says only how it looks there. */
  readonly writer?: Writer;
  /** What `--query` says. */
  readonly query?: string | undefined;
  /** In a dry run: the writes that it has kept from leaving so far. */
  planned?(): readonly object[];
  /** Called where a list is empty and nothing was printed for it. */
  noteEmpty?(columns: ColumnNames): Promise<void>;
}

export async function openOutput({ format, noteEmpty, planned, ...rest }: OutputOptions): Promise<Output> {
  const query = rest.query === undefined ? undefined : (await import('./query.ts')).parseQuery(rest.query);
  const options = { ...rest, query, fields: rest.fields?.length ? rest.fields : undefined };
  const { fields } = options;
  const { writer: stdout = createWriter(options.stdout) } = options;
  const renderer = (await format.load())(options);

  /** Whether there was anything to write. */
  const write = async (pieces: Pieces): Promise<boolean> => {
    let isEmpty = true;
    for await (const piece of pieces) {
      isEmpty &&= piece === '';
      await stdout.write(piece);
      // Without this turn the requests for further pages wait until all that have arrived are printed.
      await setImmediate();
    }
    return !isEmpty;
  };

  const select = createSelection(options);
  const toJson = (record: FlatRecord): string =>
    [...renderJson(query === undefined ? select(record) : query(select(record)))].join('');

  return {
    format,
    checkFields(columns) {
      // Every write says whether it changed something.
      const added = ['changed', ...(planned === undefined ? [] : PLANNED_FIELDS)];
      if (fields !== undefined) checkFieldNames(fields, { ...columns, fields: [...listFields(columns), ...added] });
    },
    checkFieldsOfRead(columns) {
      if (fields !== undefined) checkPossibleNames(fields, columns);
    },
    findHiding(field) {
      if (fields !== undefined && !fields.includes(field)) return '--fields';
      try {
        return query === undefined || toJson({ [field]: SAMPLE }).includes(SAMPLE) ? undefined : '--query';
      } catch (error) {
        if (isQueryFault(error)) return '--query';
        throw error;
      }
    },
    toJson: (record, needed) => holding(toJson(record), needed),
    async list(columns, source) {
      if (!(await write(renderer.list(toAnyColumns(columns), source))) && query === undefined)
        await noteEmpty?.(columns);
    },
    async one(columns, document, extra = {}) {
      await write(renderer.one(toAnyColumns(columns), document, extra));
    },
    changed: (columns, result, needed) =>
      afterwards(async () => {
        const writes = planned?.() ?? [];
        // Where people read, it is said in words already.
        if (writes.length > 0 && format.forPeople && fields === undefined) return;
        const pieces =
          writes.length === 0
            ? renderer.changed(toAnyColumns(columns), result)
            : renderer.changed(withPlanned(toAnyColumns(columns)), toPlanned(result, writes));
        await write(needed === undefined ? pieces : [holding(await collect(pieces), needed)]);
      }),
    changedMany: (columns, results) =>
      afterwards(async () => {
        await write(renderer.changedMany(toAnyColumns(columns), results));
      }),
    feed(columns, { before, isContinued }) {
      const feed = renderer.feed(toAnyColumns(columns), isContinued);
      let start = before;
      const put = async (text: string): Promise<void> => {
        await stdout.write(start + text);
        start = '';
      };
      return {
        add: async (records) => put(await feed.add(records)),
        end: async () => {
          const text = await feed.end();
          if (text !== '') await put(text);
        },
      };
    },
    raw: (text) => stdout.write(`${text}\n`),
  };
}

const QUERY = 'query';

/** A result that `--query` doesn't fit. */
export function isQueryFault(error: unknown): error is OrgctlError {
  return error instanceof OrgctlError && error.code === QUERY;
}

/** A sample in place of a secret that does not exist yet. */
const SAMPLE = 'a-secret';

function holding(text: string, needed = ''): string {
  if (text.includes(needed)) return text;
  throw new UsageError("--query doesn't fit the result: it leaves out the secret", { code: QUERY });
}

async function collect(pieces: Pieces): Promise<string> {
  let text = '';
  for await (const piece of pieces) text += piece;
  return text;
}

/** Prints what a write did: where that fails, it says that only the printing did. */
export async function afterwards(print: () => Promise<void>): Promise<void> {
  try {
    await print();
  } catch (error) {
    if (error instanceof OrgctlError && error.code === NOT_WRITTEN) {
      throw reword(error, { hint: `${error.hint} ${STAYS}` });
    }
    if (!isQueryFault(error)) throw error;
    const { message, code, cause } = error;
    throw new OrgctlError('failure', message, { code, cause, hint: STAYS });
  }
}

const STAYS = 'What the command changed stays changed.';
