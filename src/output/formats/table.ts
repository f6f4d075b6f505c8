import { Chalk } from 'chalk';
import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { JsonObject } from '../../lib/json.ts';
import { type Column, findStateColor, formatCell, formatLabel } from '../columns.ts';
import { collectRows, type Renderer, type RenderOptions } from '../renderer.ts';

const GAP = 2;
/** cli-table3 gets slower with every row of a table, and with the square of a long cell. */
const ROWS_AT_ONCE = 200;
const MAX_CELL = 1_000;
const SIDES = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) => [side, `${side}-mid`]);
const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'];
export const NO_BORDERS = Object.fromEntries([...SIDES, ...CORNERS, 'middle'].map((name) => [name, '']));

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
    const cells = records.map((record) => columns.map((column) => cut(formatCell(column, record, now()))));
    const widths = columns.map(({ header }, index) =>
      cells.reduce((widest, row) => Math.max(widest, measure(row[index] ?? '')), measure(header)),
    );
    const count = countFitting(widths, width);
    if (hasHeader && count < columns.length) onHidden(columns.slice(count).map(({ field }) => field));
    const visible = columns.slice(0, count);
    let text = hasHeader ? layOut([visible.map(({ header }) => colors.bold(header))], visible, widths) : '';
    for (let start = 0; start < cells.length; start += ROWS_AT_ONCE) {
      const rows = cells.slice(start, start + ROWS_AT_ONCE);
      const painted = rows.map((row) => visible.map((column, index) => paint(column, row[index] ?? '')));
      text += layOut(painted, visible, widths);
    }
    return text;
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

function layOut(rows: string[][], columns: Column[], widths: number[]): string {
  const table = new Table({
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
    colWidths: columns.map((_column, index) => (widths[index] ?? 0) + GAP),
    colAligns: columns.map(({ align = 'left' as const }) => align),
  });
  table.push(...rows);
  const lines = table.toString().split('\n');
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
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

/** cli-table3 counts a column for some marks that take none, and cuts text that is wider than its column. */
function measure(text: string): number {
  return [...text].reduce((sum, character) => sum + Math.max(1, stringWidth(character)), 0);
}

function cut(text: string): string {
  return text.length > MAX_CELL ? `${[...text.slice(0, MAX_CELL)].slice(0, -1).join('')}…` : text;
}
