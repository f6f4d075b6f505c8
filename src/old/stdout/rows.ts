import { stream } from '../reading.ts';
import type { AnyColumns } from './columns.ts';
import { getFilled } from './fields.ts';
import type { FlatRecord } from './flatten.ts';
import { fromRecords } from './records.ts';
import type { Renderer, RenderOptions } from './renderer.ts';

export interface Rows {
  /** What stands before the first row. */
  header(columns: readonly string[]): string;
  /** At least one row; a value for each column. */
  render(rows: readonly (readonly unknown[])[]): string;
}

/** A format of rows and nothing but rows, printed as they come. */
export function fromRows(options: RenderOptions, { header, render }: Rows): Renderer {
  const { fields } = options;
  const toRows = (records: readonly FlatRecord[], shown: readonly string[], columns: AnyColumns): string => {
    const toValue = (record: FlatRecord, column: string): unknown => {
      const value = getFilled(record, column, columns);
      return columns.cells?.[column]?.(value, record) ?? value;
    };
    if (records.length === 0) return '';
    return render(records.map((record) => shown.map((column) => toValue(record, column))));
  };
  async function* renderAll(columns: AnyColumns, groups: AsyncIterable<readonly FlatRecord[]>) {
    const shown = fields ?? columns.shown;
    let before = header(shown);
    for await (const records of groups) {
      yield before + toRows(records, shown, columns);
      before = '';
    }
    if (before !== '') yield before;
  }
  return fromRecords(options, {
    list: (columns, source) => renderAll(columns, stream(source)),
    one(columns, record, added) {
      const shown = fields ?? [...new Set([...columns.shown, ...added])];
      return [header(shown) + toRows([record], shown, columns)];
    },
    many: (columns, records) => renderAll(columns, toGroups(records)),
    feed(columns, isContinued) {
      const shown = fields ?? columns.shown;
      let before = isContinued ? '' : header(shown);
      return {
        add(records) {
          const text = before + toRows(records, shown, columns);
          before = '';
          return text;
        },
        end: () => '',
      };
    },
  });
}

async function* toGroups(records: AsyncIterable<FlatRecord>) {
  for await (const record of records) yield [record];
}
