import { stringify } from 'csv-stringify/sync';
import { type Column, formatValue, getField } from '../columns.ts';
import type { Renderer } from '../renderer.ts';

export function createCsv(): Renderer {
  // A spreadsheet would run a cell that begins like a formula.
  const print = (cells: string[]): string => stringify([cells], { escape_formulas: true });
  const rows = (columns: Pick<Column, 'field'>[]) => {
    let header = print(columns.map(({ field }) => field));
    const takeHeader = (): string => {
      const text = header;
      header = '';
      return text;
    };
    return {
      add: (record: unknown) => takeHeader() + print(columns.map(({ field }) => formatValue(getField(record, field)))),
      end: takeHeader,
    };
  };
  return {
    rows: ({ table }) => rows(table),
    one: ({ table, lines = table }, record) => rows(lines).add(record),
  };
}
