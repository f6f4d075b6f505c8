import { Chalk } from 'chalk';
import stringWidth from 'string-width';
import type { JsonObject } from '../../lib/json.ts';
import { type Column, findStateColor, formatCell, formatLabel } from '../columns.ts';
import { collectRows, type Renderer, type RenderOptions } from '../renderer.ts';

const GAP = 2;
/** All rows are as wide as the longest cell. */
const MAX_CELL = 1_000;

export function createTable(options: RenderOptions): Renderer {
  const { isAccessible, width = Number.POSITIVE_INFINITY, onHidden, now } = options;
  const colors = new Chalk({ level: options.hasColor ? 1 : 0 });

  const paint = ({ isState }: Column, text: string): string => {
    const color = isState ? findStateColor(text) : undefined;
    return color ? colors[color](text) : text;
  };

  /** Leaves out lines without a value. */
  function formatLines(cells: Column[], record: JsonObject): string {
    const lines = cells
      .map((cell) => ({ cell, label: formatLabel(cell.header), text: formatCell(cell, record, now()) }))
      .filter(({ text }) => text !== '');
    const longest = isAccessible ? 0 : Math.max(...lines.map(({ label }) => stringWidth(label) + GAP));
    return lines.map(({ cell, label, text }) => `${`${label}:`.padEnd(longest)} ${paint(cell, text)}\n`).join('');
  }

  function formatTable(columns: Column[], records: JsonObject[], hasHeader: boolean): string {
    const headers = columns.map(({ header }) => header);
    const rows = records.map((record) => columns.map((column) => cut(formatCell(column, record, now()))));
    const widths = headers.map((header, index) =>
      rows.reduce((widest, row) => Math.max(widest, stringWidth(row[index] ?? '')), stringWidth(header)),
    );
    const count = countFitting(widths, width);
    if (hasHeader && count < columns.length) onHidden(columns.slice(count).map(({ field }) => field));
    const formatRow = (texts: string[], draw: (column: Column, text: string) => string): string => {
      const cells = columns.slice(0, count).map((column, index) => {
        const text = texts[index] ?? '';
        const blanks = ' '.repeat((widths[index] ?? 0) - stringWidth(text));
        return column.align === 'right' ? blanks + draw(column, text) : draw(column, text) + blanks;
      });
      return `${cells.join(' '.repeat(GAP)).trimEnd()}\n`;
    };
    const head = hasHeader ? formatRow(headers, (_column, text) => colors.bold(text)) : '';
    return head + rows.map((texts) => formatRow(texts, paint)).join('');
  }

  return {
    rows: ({ table }, hasHeader) =>
      collectRows((records) => {
        if (records.length === 0) return '';
        if (isAccessible) return records.map((record) => formatLines(table, record)).join('\n');
        return formatTable(table, records, hasHeader);
      }),
    one: ({ table, lines = table }, record) => formatLines(lines, record),
  };
}

/** The number of columns from the left that fit. The first column always does. */
function countFitting(widths: number[], available: number): number {
  let used = 0;
  for (const [index, size] of widths.entries()) {
    used += size + (index > 0 ? GAP : 0);
    if (used > available && index > 0) return index;
  }
  return widths.length;
}

function cut(text: string): string {
  return text.length > MAX_CELL ? `${[...text.slice(0, MAX_CELL)].slice(0, -1).join('')}…` : text;
}
