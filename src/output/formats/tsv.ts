import type { JsonObject } from '../../lib/json.ts';
import { formatValue, getField, listPlainFields } from '../columns.ts';
import type { Renderer } from '../renderer.ts';

export function createTsv(): Renderer {
  const print = (fields: string[], record: JsonObject): string =>
    `${fields.map((field) => formatValue(getField(record, field))).join('\t')}\n`;
  return {
    rows: ({ table }) => ({ add: (record) => print(listPlainFields(table), record), end: () => '' }),
    one: ({ table, lines = table }, record) => print(listPlainFields(lines), record),
  };
}
