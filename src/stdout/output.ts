import { setImmediate } from 'node:timers/promises';
import { UsageError } from '../errors.ts';
import { createWriter } from '../text/write.ts';
import type { ResourceDocument } from '../wire/json-api.ts';
import { type Columns, listFields } from './columns.ts';
import { checkFieldNames } from './fields.ts';
import type { FlatRecord } from './flatten.ts';
import type { Format } from './formats/index.ts';
import { renderJson } from './json.ts';
import { createSelection } from './records.ts';
import type { Pieces, RenderOptions } from './renderer.ts';
import type { ListSource, WriteResult } from './result.ts';

/** Prints results, and nothing but results, on stdout. Every method rejects with ClosedPipe when its reader is gone. */
export interface Output {
  readonly format: Format;
  /** Throws UsageError for `--fields` that results with these columns can never have. To be called before a write is sent. */
  checkFields(columns: Columns): void;
  list(columns: Columns, source: ListSource): Promise<void>;
  one(columns: Columns, document: ResourceDocument | object, extra?: FlatRecord): Promise<void>;
  /** Whether a field of this name would be printed. */
  shows(field: string): boolean;
  /** A record as `one` would print it in json, for where it is printed by other means. */
  toJson(record: FlatRecord): string;
  /** What a write did. Never refuses: the write has happened. */
  changed(columns: Columns, result: WriteResult): Promise<void>;
  /** What a command did that takes several arguments. Formats that print in turn print each result as it comes. */
  changedMany(columns: Columns, results: AsyncIterable<WriteResult>): Promise<void>;
  /**
   * Records that go on coming; each group is written whole when its promise resolves. `before`: what is written before the
   * first of them. `isContinued`: after what an earlier run has printed.
   */
  feed(columns: Columns, options: { readonly before: string; readonly isContinued: boolean }): OutputFeed;
  /** This text and one newline, whatever the format. Rejects if it could not be written whole. */
  raw(text: string): Promise<void>;
}

export interface OutputFeed {
  /** At least one record. */
  add(records: readonly object[]): Promise<void>;
  end(): Promise<void>;
}

export interface OutputOptions extends RenderOptions {
  readonly format: Format;
  /** Called where a list is empty and nothing was printed for it. */
  noteEmpty?(columns: Columns): Promise<void>;
}

export async function openOutput({ format, noteEmpty, ...rest }: OutputOptions): Promise<Output> {
  const options = { ...rest, fields: rest.fields?.length ? rest.fields : undefined };
  const { fields } = options;
  const stdout = createWriter(options.stdout);
  const renderer = (await format.load())(options);

  const refuseFieldsOfDocuments = (): void => {
    if (format.document === 'service' && fields !== undefined) {
      throw new UsageError("--fields doesn't work with jsonapi", { hint: 'Use json.' });
    }
  };
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

  return {
    format,
    checkFields(columns) {
      refuseFieldsOfDocuments();
      // Every write says whether it changed something.
      if (fields !== undefined)
        checkFieldNames(fields, { ...columns, fields: [...listFields(columns), 'changed'] }, options.command);
    },
    shows: (field) => fields === undefined || fields.includes(field),
    toJson: (record) => [...renderJson(createSelection(options)(record))].join(''),
    async list(columns, source) {
      refuseFieldsOfDocuments();
      if (!(await write(renderer.list(columns, source)))) await noteEmpty?.(columns);
    },
    async one(columns, document, extra = {}) {
      refuseFieldsOfDocuments();
      await write(renderer.one(columns, document, extra));
    },
    async changed(columns, result) {
      await write(renderer.changed(columns, result));
    },
    async changedMany(columns, results) {
      await write(renderer.changedMany(columns, results));
    },
    feed(columns, { before, isContinued }) {
      refuseFieldsOfDocuments();
      const feed = renderer.feed(columns, isContinued);
      let start = before;
      const put = async (text: string): Promise<void> => {
        await stdout.write(start + text);
        start = '';
      };
      return {
        add: async (records) => put(await feed.add(records as readonly FlatRecord[])),
        end: async () => {
          const text = feed.end();
          if (text !== '') await put(text);
        },
      };
    },
    raw: (text) => stdout.write(`${text}\n`),
  };
}
