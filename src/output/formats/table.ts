import { Chalk, type ChalkInstance } from 'chalk';
import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { JsonObject } from '../../lib/json.ts';
import { sanitizeLine } from '../../lib/text.ts';
import { type Column, type Columns, findStateColor, formatLabel, formatValue, getField } from '../columns.ts';
import { collectRows, type Renderer, type RenderOptions } from '../renderer.ts';

const GAP = 2;
/** cli-table3 gets slower with every row of a table, and with the square of a long cell. */
const ROWS_AT_ONCE = 200;
const MAX_CELL = 1_000;
const SIDES = ['top', 'bottom', 'left', 'right', 'mid'].flatMap((side) => [side, `${side}-mid`]);
const CORNERS = ['top-left', 'top-right', 'bottom-left', 'bottom-right'];
const NO_BORDERS = Object.fromEntries([...SIDES, ...CORNERS, 'middle'].map((name) => [name, '']));

type Cell = Pick<Column, 'header' | 'field' | 'format' | 'isState'>;

export function createTable(options: RenderOptions): Renderer {
  return new TableRenderer(options);
}

class TableRenderer implements Renderer {
  private options: RenderOptions;
  private colors: ChalkInstance;

  constructor(options: RenderOptions) {
    this.options = options;
    this.colors = new Chalk({ level: options.colorLevel });
  }

  rows({ table }: Columns, hasHeader: boolean) {
    return collectRows((records) => {
      if (records.length === 0) return '';
      if (this.options.isAccessible) return records.map((record) => this.formatLines(table, record)).join('\n');
      return this.formatTable(table, records, hasHeader);
    });
  }

  one({ table, lines = table }: Columns, record: JsonObject): string {
    return this.formatLines(lines, record);
  }

  /** Leaves out lines without a value. */
  private formatLines(cells: Cell[], record: JsonObject): string {
    const lines = cells
      .map((cell) => ({ cell, label: formatLabel(cell.header), text: this.formatCell(cell, record) }))
      .filter(({ text }) => text !== '');
    const { isAccessible } = this.options;
    const longest = isAccessible ? 0 : Math.max(...lines.map(({ label }) => stringWidth(label) + GAP));
    return lines.map(({ cell, label, text }) => `${`${label}:`.padEnd(longest)} ${this.paint(cell, text)}\n`).join('');
  }

  private formatTable(columns: Column[], records: JsonObject[], hasHeader: boolean): string {
    const { width = Number.POSITIVE_INFINITY, onHidden } = this.options;
    const cells = records.map((record) => columns.map((column) => cut(this.formatCell(column, record))));
    const widths = columns.map(({ header }, index) =>
      cells.reduce((widest, row) => Math.max(widest, measure(row[index] ?? '')), measure(header)),
    );
    const count = countFitting(widths, width);
    if (hasHeader && count < columns.length) onHidden(columns.slice(count).map(({ field }) => field));
    const visible = columns.slice(0, count);
    let text = hasHeader ? layOut([visible.map(({ header }) => this.colors.bold(header))], visible, widths) : '';
    for (let start = 0; start < cells.length; start += ROWS_AT_ONCE) {
      const rows = cells.slice(start, start + ROWS_AT_ONCE);
      const painted = rows.map((row) => visible.map((column, index) => this.paint(column, row[index] ?? '')));
      text += layOut(painted, visible, widths);
    }
    return text;
  }

  private formatCell({ field, format }: Cell, record: JsonObject): string {
    const value = getField(record, field);
    return sanitizeLine(format ? format(value, record, this.options.now()) : formatValue(value, ', '));
  }

  private paint({ isState }: Cell, text: string): string {
    const color = isState ? findStateColor(text) : undefined;
    return color ? this.colors[color](text) : text;
  }
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
