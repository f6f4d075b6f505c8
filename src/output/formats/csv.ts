import { stringify } from 'csv-stringify/sync';
import { markFormulas } from '../../lib/text.ts';
import { formatValue, getField, listPlainFields } from '../columns.ts';
import { type Renderer, streamRows } from '../renderer.ts';

export function createCsv(): Renderer {
  const print = (cells: string[]): string => stringify([cells.map(markFormulas)]);
  const rows = (fields: string[], hasHeader = true) =>
    streamRows(hasHeader ? print(fields) : '', (record) =>
      print(fields.map((field) => formatValue(getField(record, field)))),
    );
  return {
    rows: ({ table }, hasHeader) => rows(listPlainFields(table), hasHeader),
    one: ({ table, lines = table }, record) => rows(listPlainFields(lines)).add(record),
  };
}
