import type { Columns } from './columns.ts';
import { getField } from './fields.ts';
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
  const toRows = (
    records: readonly FlatRecord[],
    shown: readonly string[],
    { instead = {}, cells = {} }: Columns,
  ): string => {
    const others = shown.map((column) => (fields === undefined ? instead[column] : undefined));
    const toValue = (record: FlatRecord, column: string, index: number): unknown => {
      const other = others[index];
      const cell = cells[column];
      const value = cell === undefined ? getField(record, column) : cell(getField(record, column));
      return other === undefined ? value : fill(value, getField(record, other));
    };
    if (records.length === 0) return '';
    return render(records.map((record) => shown.map((column, index) => toValue(record, column, index))));
  };
  async function* renderAll(columns: Columns, groups: AsyncIterable<readonly FlatRecord[]>) {
    const shown = fields ?? columns.shown;
    let before = header(shown);
    for await (const records of groups) {
      yield before + toRows(records, shown, columns);
      before = '';
    }
    if (before !== '') yield before;
  }
  return fromRecords(options, {
    list: (columns, source) => renderAll(columns, source.stream()),
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

/** The value, and what stands in place of what it lacks. */
function fill(value: unknown, other: unknown): unknown {
  if (!Array.isArray(value) || !Array.isArray(other)) return value ?? other;
  return value.map((item, index) => item ?? other[index]);
}

async function* toGroups(records: AsyncIterable<FlatRecord>) {
  for await (const record of records) yield [record];
}
