import { stringify } from 'csv-stringify/sync';
import { formatValue, getField, listPlainFields } from '../columns.ts';
import type { Renderer } from '../renderer.ts';

export function createCsv(): Renderer {
  // A spreadsheet would run a cell that begins like a formula.
  const print = (cells: string[]): string => stringify([cells], { escape_formulas: true });
  const rows = (fields: string[]) => {
    let header = print(fields);
    const takeHeader = (): string => {
      const text = header;
      header = '';
      return text;
    };
    return {
      add: (record: unknown) => takeHeader() + print(fields.map((field) => formatValue(getField(record, field)))),
      end: takeHeader,
    };
  };
  return {
    rows: ({ table }) => rows(listPlainFields(table)),
    one: ({ table, lines = table }, record) => rows(listPlainFields(lines)).add(record),
  };
}
