import { stringify } from 'csv-stringify/sync';
import { markFormulas } from '../../lib/text.ts';
import { formatValue, getField, listPlainFields } from '../columns.ts';
import type { Renderer } from '../renderer.ts';

export function createCsv(): Renderer {
  const print = (cells: string[]): string => stringify([cells.map(markFormulas)]);
  const rows = (fields: string[], hasHeader = true) => {
    let header = hasHeader ? print(fields) : '';
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
    rows: ({ table }, hasHeader) => rows(listPlainFields(table), hasHeader),
    one: ({ table, lines = table }, record) => rows(listPlainFields(lines)).add(record),
  };
}
