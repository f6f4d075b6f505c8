import { setImmediate } from 'node:timers/promises';
import { UsageError } from '../errors.ts';
import { type Format, isMachineFormat } from '../format.ts';
import type { HostOutput } from '../host.ts';
import { isObject } from '../json-object.ts';
import type { Style } from '../text/style.ts';
import { createTimeTeller, type TimeTeller } from '../text/time.ts';
import { createWriter } from '../text/write.ts';
import type { Resource, ResourceDocument } from '../wire/json-api.ts';
import { toCellText, toDetails } from './cell.ts';
import type { Columns } from './columns.ts';
import { checkFieldNames, getField, pickFields } from './fields.ts';
import { extend, type FlatRecord, flatten, indexIncluded } from './flatten.ts';
import { renderCsv } from './formats/csv.ts';
import { createJsonArray, renderJson, renderJsonArray, toJsonLine } from './formats/json.ts';
import { getIncluded, mergeDocuments, mergeWrites, toWriteDocument } from './formats/jsonapi.ts';
import { renderDetails, renderTable } from './formats/table.ts';
import { renderTsv } from './formats/tsv.ts';
import type { ListSource, Page, WriteResult } from './result.ts';

export type { ListSource, Page, WriteResult } from './result.ts';

/** Prints results, and nothing but results, on stdout. Every method rejects with ClosedPipe when nobody reads it. */
export interface Output {
  readonly format: Format;
  /** Whether the format is made for programs: json, ndjson or jsonapi. */
  readonly machine: boolean;
  /** Throws UsageError for `--fields` this noun can never have. To be called before a write is sent. */
  checkFields(noun: Columns): void;
  list(noun: Columns, source: ListSource): Promise<void>;
  one(noun: Columns, document: ResourceDocument | object, extra?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Whether a field of this name would be printed. */
  shows(field: string): boolean;
  /** A record as `one` would print it in json, for where it is printed by other means. */
  toJson(record: FlatRecord): string;
  /** What a write did. Never refuses: the write has happened. */
  changed(noun: Columns, result: WriteResult): Promise<void>;
  /**
   * What a command that takes several arguments did: in json always an array. Results that are still to come are printed
   * as they come, but for table and jsonapi, and then with the noun's columns alone.
   */
  changedMany(noun: Columns, results: readonly WriteResult[] | AsyncIterable<WriteResult>): Promise<void>;
  /** This text and one newline, whatever the format. Rejects if it could not be written whole. */
  raw(text: string): Promise<void>;
}

export interface OutputOptions {
  readonly stdout: HostOutput;
  readonly stderr: HostOutput;
  readonly format: Format;
  readonly fields?: readonly string[];
  readonly style: Style;
  /** Milliseconds since 1970-01-01T00:00Z. */
  now(): number;
  /** Whether an empty list is said to be empty on stderr, at a terminal. Default true. */
  readonly emptyNote?: boolean;
  /** Whether a table is drawn with lines around its cells; else each row is a paragraph of label and value. Default true. */
  readonly boxes?: boolean;
  /** Default: the machine's. */
  readonly timeZone?: string;
}

export function createOutput(options: OutputOptions): Output {
  const { format, style } = options;
  // A terminal may report no width at all.
  const { isTTY = false, columns: reported = 0 } = options.stdout;
  const layout = options.boxes === false ? 'paragraphs' : isTTY && reported > 0 ? reported : undefined;
  const fields = options.fields?.length ? options.fields : undefined;
  const stdout = createWriter(options.stdout);

  const refuseFieldsOfDocuments = () => {
    if (format === 'jsonapi' && fields !== undefined) {
      throw new UsageError('--fields cannot be used with jsonapi, which prints whole documents', {
        hint: 'Use json or ndjson to choose fields.',
      });
    }
  };
  const select = (record: FlatRecord) => (fields === undefined ? record : pickFields(record, fields));

  const writePieces = async (pieces: Iterable<string> | AsyncIterable<string>) => {
    for await (const piece of pieces) {
      await stdout.write(piece);
      await setImmediate();
    }
  };
  const noteEmpty = async (noun: Columns) => {
    if (options.emptyNote === false || options.stderr.isTTY !== true) return;
    // A note that cannot be written changes nothing about the result.
    await createWriter(options.stderr)
      .write(`No ${noun.name} found.\n`)
      .catch(() => {});
  };

  /** Rows of text in one of the formats with columns; `withHeader` matters only where there is one. */
  const renderRows = async (columns: readonly string[], records: readonly FlatRecord[], withHeader: boolean) => {
    const rows = records.map((record) => columns.map((column) => getField(record, column)));
    if (format === 'tsv') return renderTsv(rows.map((row) => row.map(toCellText)));
    const cells = rows.map((row) => row.map((value) => (typeof value === 'number' ? value : toCellText(value))));
    return renderCsv(withHeader ? [columns, ...cells] : cells);
  };
  /** Cells of a table, where instants are told as people read them. */
  const createTableCell = (noun: Columns) => {
    // Made for the first instant: what it needs takes longer than many a table.
    let tell: TimeTeller | undefined;
    return (path: string, value: unknown) => {
      const tellInWords = noun.words?.[path];
      if (tellInWords !== undefined) return tellInWords(value);
      if (typeof value !== 'string' || noun.times?.includes(path) !== true) return toCellText(value);
      tell ??= createTimeTeller(options.now(), options.timeZone);
      return tell(value);
    };
  };
  const createRow = (noun: Columns, columns: readonly string[]) => {
    const toCell = createTableCell(noun);
    return (record: FlatRecord) => columns.map((column) => toCell(column, getField(record, column)));
  };
  const renderTableOf = (noun: Columns, columns: readonly string[], records: readonly FlatRecord[]) =>
    renderTable(columns, records.map(createRow(noun, columns)), style, layout);
  const renderDetailsOf = (noun: Columns, record: FlatRecord) => {
    const toCell = createTableCell(noun);
    const details = fields?.map((field) => [field, getField(record, field)] as const) ?? toDetails(record, noun.shape);
    return renderDetails(
      details.map(([path, value]) => [path, toCell(path, value)] as const),
      style,
      layout,
    );
  };

  const listCollected = async (noun: Columns, source: ListSource) => {
    if (format === 'jsonapi') return writePieces(renderJson(mergeDocuments(await source.collect((page) => page))));
    let isChecked = false;
    const check = (records: readonly FlatRecord[]) => {
      if (fields !== undefined && !isChecked) checkFieldNames(fields, noun, records);
      isChecked = true;
      return records;
    };
    const keepRecords = (page: Page) => check(toRecords(noun, page));
    if (format === 'json') {
      const pages = await source.collect((page) => keepRecords(page).map(select));
      check([]);
      return writePieces(renderJsonArray(pages));
    }
    const columns = fields ?? noun.shown;
    const toRow = createRow(noun, columns);
    // A hundred thousand records would cost more than their table.
    const rows = (await source.collect((page) => keepRecords(page).map(toRow))).flat();
    check([]);
    return rows.length === 0 ? noteEmpty(noun) : writePieces(renderTable(columns, rows, style, layout));
  };
  const listStreamed = async (noun: Columns, source: ListSource) => {
    const columns = fields ?? noun.shown;
    let isFirst = true;
    let count = 0;
    const writePage = async (records: readonly FlatRecord[]) => {
      if (isFirst && fields !== undefined) checkFieldNames(fields, noun, records);
      const text =
        format === 'ndjson'
          ? records.map((record) => toJsonLine(select(record))).join('')
          : await renderRows(columns, records, isFirst);
      isFirst = false;
      count += records.length;
      await stdout.write(text);
    };
    for await (const page of source.stream()) {
      await writePage(toRecords(noun, page));
      // Without this turn the requests for further pages wait until all that have arrived are printed.
      await setImmediate();
    }
    if (isFirst) await writePage([]);
    if (count === 0 && format !== 'csv') await noteEmpty(noun);
  };

  const writeOne = async (noun: Columns, record: FlatRecord, extra: FlatRecord) => {
    if (format === 'json') return writePieces(renderJson(select(record)));
    if (format === 'ndjson') return stdout.write(toJsonLine(select(record)));
    if (format === 'table') return writePieces(renderDetailsOf(noun, record));
    return stdout.write(await renderRows(fields ?? toColumns(noun, [extra]), [record], true));
  };

  const changedAtOnce = async (noun: Columns, results: readonly WriteResult[]) => {
    const records = results.map((result) => toWriteRecord(noun, result));
    if (format === 'json') return writePieces(renderJsonArray([records.map(select)]));
    if (format === 'ndjson') return stdout.write(records.map((record) => toJsonLine(select(record))).join(''));
    const columns =
      fields ??
      toColumns(
        noun,
        results.map((result) => result.extra),
      );
    if (format !== 'table') return stdout.write(await renderRows(columns, records, true));
    if (records.length > 0) await writePieces(renderTableOf(noun, columns, records));
  };
  const changedInTurn = async (noun: Columns, results: AsyncIterable<WriteResult>) => {
    const columns = fields ?? noun.shown;
    if (format === 'table') {
      const records: FlatRecord[] = [];
      // Thousands of whole answers would fill the memory.
      for await (const result of results) records.push(pickFields(toWriteRecord(noun, result), columns));
      if (records.length > 0) await writePieces(renderTableOf(noun, columns, records));
      return;
    }
    const array = createJsonArray();
    let isFirst = true;
    for await (const result of results) {
      const record = toWriteRecord(noun, result);
      if (format === 'json') await stdout.write(array.add([select(record)]));
      else if (format === 'ndjson') await stdout.write(toJsonLine(select(record)));
      else await stdout.write(await renderRows(columns, [record], isFirst));
      isFirst = false;
    }
    if (format === 'json') await stdout.write(array.end());
    else if (format === 'csv' && isFirst) await stdout.write(await renderRows(columns, [], true));
  };

  return {
    format,
    machine: isMachineFormat(format),
    checkFields(noun) {
      refuseFieldsOfDocuments();
      // Every write tells whether it changed something.
      if (fields !== undefined) checkFieldNames(fields, { ...noun, fields: [...noun.fields, 'changed'] });
    },
    shows: (field) => fields === undefined || fields.includes(field),
    toJson: (record) => [...renderJson(select(record))].join(''),
    async list(noun, source) {
      refuseFieldsOfDocuments();
      const isStreamed = format === 'ndjson' || format === 'tsv' || format === 'csv';
      await (isStreamed ? listStreamed(noun, source) : listCollected(noun, source));
    },
    async one(noun, document, extra = {}) {
      refuseFieldsOfDocuments();
      if (format === 'jsonapi') return writePieces(renderJson(document));
      const record = toRecord(noun, document, extra);
      if (fields !== undefined) checkFieldNames(fields, noun, [record]);
      await writeOne(noun, record, extra);
    },
    async changed(noun, result) {
      if (format === 'jsonapi') return writePieces(renderJson(toWriteDocument(result)));
      await writeOne(noun, toWriteRecord(noun, result), result.extra);
    },
    async changedMany(noun, results) {
      if (!(Symbol.asyncIterator in results)) {
        if (format === 'jsonapi') return writePieces(renderJson(mergeWrites(results)));
        return changedAtOnce(noun, results);
      }
      if (format !== 'jsonapi') return changedInTurn(noun, results);
      const all: WriteResult[] = [];
      for await (const result of results) all.push(result);
      return writePieces(renderJson(mergeWrites(all)));
    },
    raw: (text) => stdout.write(`${text}\n`),
  };
}

function toRecords(noun: Columns, page: Page): readonly FlatRecord[] {
  if (noun.shape === 'record') return page.items as readonly FlatRecord[];
  const included = indexIncluded(page.included);
  return page.items.map((item) => flatten(item as Resource, included));
}

function toRecord(noun: Columns, document: ResourceDocument | object, extra: FlatRecord): FlatRecord {
  if (noun.shape === 'record') return extend(document, extra);
  const { data, included } = document as Partial<ResourceDocument>;
  // The service may answer `null` for a thing that may be absent.
  return isObject(data)
    ? flatten(data as unknown as Resource, indexIncluded(included ?? []), extra)
    : extend({}, extra);
}

function toWriteRecord(noun: Columns, result: WriteResult): FlatRecord {
  const { resource, extra } = result;
  return noun.shape === 'record'
    ? extend(resource, extra)
    : flatten(resource, indexIncluded([...getIncluded(result), ...(result.known ?? [])]), extra);
}

/** Default columns, then what orgctl itself adds and no column shows yet. */
function toColumns(noun: Columns, extras: readonly FlatRecord[]): readonly string[] {
  return [...new Set([...noun.shown, ...extras.flatMap((extra) => Object.keys(extra))])];
}
