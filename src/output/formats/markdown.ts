import type { JsonObject } from '../../lib/json.ts';
import { sanitizeLine } from '../../lib/text.ts';
import { type Column, formatValue, getField } from '../columns.ts';
import { type Renderer, type RenderOptions, streamRows } from '../renderer.ts';

type MarkdownColumn = Pick<Column, 'header' | 'field' | 'format' | 'align'>;

export function createMarkdown({ now }: RenderOptions): Renderer {
  const print = (cells: string[]): string => `| ${cells.map((cell) => cell.replace(/[\\|]/g, '\\$&')).join(' | ')} |\n`;
  const rows = (columns: MarkdownColumn[], hasHeader = true) => {
    const lines = `| ${columns.map(({ align }) => (align ? '---:' : '---')).join(' | ')} |\n`;
    const header = hasHeader ? print(columns.map((column) => column.header)) + lines : '';
    const formatCell = (record: JsonObject, { field, format }: MarkdownColumn): string => {
      const value = getField(record, field);
      return format ? sanitizeLine(format(value, record, now())) : formatValue(value, ', ');
    };
    const printRow = (record: JsonObject): string => print(columns.map((column) => formatCell(record, column)));
    return { ...streamRows(header, printRow), end: () => '' };
  };
  return {
    rows: ({ table }, hasHeader) => rows(table, hasHeader),
    one: ({ table, lines = table }, record) => rows(lines).add(record),
  };
}
