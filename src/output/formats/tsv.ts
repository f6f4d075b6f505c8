import type { JsonObject } from '../../lib/json.ts';
import { type Column, formatValue, getField } from '../columns.ts';
import type { Renderer } from '../renderer.ts';

export function createTsv(): Renderer {
  const print = (columns: Pick<Column, 'field'>[], record: JsonObject): string =>
    `${columns.map(({ field }) => formatValue(getField(record, field))).join('\t')}\n`;
  return {
    rows: ({ table }) => ({ add: (record) => print(table, record), end: () => '' }),
    one: ({ table, lines = table }, record) => print(lines, record),
  };
}
