import { Chalk, type ChalkInstance } from 'chalk';
import stringWidth from 'string-width';
import type { JsonObject } from '../../lib/json.ts';
import { sanitizeLine } from '../../lib/text.ts';
import { type Column, type Columns, formatValue, getField } from '../columns.ts';
import type { Renderer, RenderOptions } from '../renderer.ts';

const GAP = 2;

const STATE_COLORS: Record<string, 'green' | 'yellow' | 'red'> = {
  active: 'green',
  current: 'green',
  ok: 'green',
  invited: 'yellow',
  expiring: 'yellow',
  full: 'yellow',
  failed: 'red',
  expired: 'red',
  'not-permitted': 'red',
};

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
    const records: JsonObject[] = [];
    return {
      add(record: JsonObject) {
        records.push(record);
        return '';
      },
      end: () => {
        if (records.length === 0) return '';
        if (this.options.isAccessible) return records.map((record) => this.formatLines(table, record)).join('\n');
        return this.formatTable(table, records, hasHeader);
      },
    };
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
    const cells = records.map((record) => columns.map((column) => this.formatCell(column, record)));
    const widths = columns.map(({ header }, index) =>
      cells.reduce((widest, row) => Math.max(widest, stringWidth(row[index] ?? '')), stringWidth(header)),
    );
    const count = countFitting(widths, width);
    if (hasHeader && count < columns.length) onHidden(columns.slice(count).map(({ field }) => field));
    const visible = columns.slice(0, count);
    const layOut = (row: string[], paint: (column: Column, text: string) => string): string => {
      const texts = visible.map((column, index) => {
        const text = row[index] ?? '';
        const painted = paint(column, text);
        const isLast = index === visible.length - 1;
        const blanks = ' '.repeat(isLast && !column.align ? 0 : (widths[index] ?? 0) - stringWidth(text));
        return column.align === 'right' ? blanks + painted : painted + blanks;
      });
      return `${texts.join(' '.repeat(GAP)).trimEnd()}\n`;
    };
    const headers = visible.map((column) => column.header);
    const rows = cells.map((row) => layOut(row, (column, text) => this.paint(column, text)));
    return (hasHeader ? layOut(headers, (_column, text) => this.colors.bold(text)) : '') + rows.join('');
  }

  private formatCell({ field, format }: Cell, record: JsonObject): string {
    const value = getField(record, field);
    return sanitizeLine(format ? format(value, record, this.options.now()) : formatValue(value, ', '));
  }

  private paint({ isState }: Cell, text: string): string {
    const color = isState ? STATE_COLORS[text] : undefined;
    return color ? this.colors[color](text) : text;
  }
}

/** `LAST USED` of a column is `Last used` before a line. */
function formatLabel(header: string): string {
  if (/[a-z]/.test(header)) return header;
  const text = header.replace(/\b(?!(ID|UTC|SSO)\b)[A-Z]+\b/g, (word) => word.toLowerCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
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
