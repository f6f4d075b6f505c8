import { isObject } from '../json-object.ts';
import type { Reading } from '../reading.ts';
import type { AnyColumns } from './columns.ts';
import { checkFieldNames, pickFields } from './fields.ts';
import { extend, type FlatRecord, flatten, indexIncluded } from './flatten.ts';
import type { Feed, Pieces, Renderer, RenderOptions } from './renderer.ts';
import type { ListSource, OneDocument, Page, Unidentified, WriteResult } from './result.ts';

type RecordSource = Reading<readonly FlatRecord[]>;

/** How a format prints records. */
export interface RecordRenderer {
  list(columns: AnyColumns, source: RecordSource): Pieces;
  /** `added` names what orgctl itself adds to the record. */
  one(columns: AnyColumns, record: FlatRecord, added: readonly string[]): Pieces;
  many(columns: AnyColumns, records: AsyncIterable<FlatRecord>): Pieces;
  feed(columns: AnyColumns, isContinued: boolean): Feed<FlatRecord>;
}

/** Makes records of what came, and refuses unknown names in `--fields`. */
export function fromRecords(options: Pick<RenderOptions, 'fields'>, renderer: RecordRenderer): Renderer {
  const { fields } = options;
  const changed = (result: WriteResult): FlatRecord => {
    const { resource, record, extra } = result;
    return record !== undefined
      ? extend(record, extra)
      : flatten(resource, indexIncluded([...(result.included ?? []), ...(result.known ?? [])]), extra);
  };
  return {
    list: (columns, source) => renderer.list(columns, toRecordSource(columns, source, options)),
    one(columns, document, extra) {
      const record = toRecord(columns, document, extra);
      if (fields !== undefined) checkFieldNames(fields, columns, [record]);
      return renderer.one(columns, record, Object.keys(extra));
    },
    changed: (columns, result) => renderer.one(columns, changed(result), Object.keys(result.extra)),
    changedMany: (columns, results) =>
      renderer.many(
        columns,
        (async function* () {
          for await (const result of results) yield changed(result);
        })(),
      ),
    feed(columns, isContinued) {
      const { add, end } = renderer.feed(columns, isContinued);
      let isChecked = fields === undefined;
      return {
        add(rows) {
          const records = rows as readonly FlatRecord[];
          if (!isChecked && fields !== undefined) checkFieldNames(fields, columns, records);
          isChecked = true;
          return add(records);
        },
        end,
      };
    },
  };
}

/** The record with the fields that were asked for: all of them where none is named. */
export function createSelection({ fields }: Pick<RenderOptions, 'fields'>): (record: FlatRecord) => FlatRecord {
  return (record) => (fields === undefined ? record : pickFields(record, fields));
}

/** Names of fields are checked against the first page, or against none where the list has no page. */
function toRecordSource(
  columns: AnyColumns,
  source: ListSource,
  { fields }: Pick<RenderOptions, 'fields'>,
): RecordSource {
  let isChecked = false;
  const check = (records: readonly FlatRecord[]): readonly FlatRecord[] => {
    if (fields !== undefined && !isChecked) checkFieldNames(fields, columns, records);
    isChecked = true;
    return records;
  };
  return {
    async *read(way, keep) {
      yield* source.read(way, (page) => keep(check(toRecords(columns, page))));
      check([]);
    },
  };
}

function toRecords(columns: AnyColumns, page: Page): readonly FlatRecord[] {
  if (columns.shape === 'record') return page.items as readonly FlatRecord[];
  const included = indexIncluded(page.included);
  return page.items.map((item) => flatten(item as Unidentified, included));
}

function toRecord(columns: AnyColumns, document: object, extra: object): FlatRecord {
  if (columns.shape === 'record') return extend(document, extra);
  const { data, included } = document as Partial<OneDocument>;
  return isObject(data) ? flatten(data, indexIncluded(included ?? []), extra) : extend({}, extra);
}
