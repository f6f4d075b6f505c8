import { Chalk } from 'chalk';
import Table from 'cli-table3';
import stringWidth from 'string-width';
import type { JsonObject } from '../../lib/json.ts';
import { sanitizeLine } from '../../lib/text.ts';
import { type Column, formatValue, getField } from '../columns.ts';
import type { Renderer, RenderOptions } from '../renderer.ts';

const GAP = 2;
/** cli-table3 lays out all rows of a table at once, which takes ever longer. */
const ROWS_AT_ONCE = 200;
const NO_BORDERS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '',
};

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
  const { now, width = Number.POSITIVE_INFINITY, isAccessible, onHidden } = options;
  const colors = new Chalk({ level: options.colorLevel });

  function formatCell({ field, format }: Cell, record: JsonObject): string {
    const value = getField(record, field);
    return sanitizeLine(format ? format(value, record, now()) : formatValue(value, ', '));
  }

  function paint({ isState }: Cell, text: string): string {
    const color = isState ? STATE_COLORS[text] : undefined;
    return color ? colors[color](text) : text;
  }

  /** A labelled line for each field. */
  function formatLines(cells: Cell[], record: JsonObject): string {
    const longest = isAccessible ? 0 : Math.max(...cells.map(({ header }) => stringWidth(header) + GAP));
    const lines = cells.map((cell) => `${`${cell.header}:`.padEnd(longest)} ${paint(cell, formatCell(cell, record))}`);
    return lines.map((line) => `${line.trimEnd()}\n`).join('');
  }

  function formatTable(columns: Column[], records: JsonObject[]): string {
    const cells = records.map((record) => columns.map((column) => formatCell(column, record)));
    const widths = columns.map(({ header }, at) =>
      cells.reduce((widest, row) => Math.max(widest, measure(row[at] ?? '')), measure(header)),
    );
    const shown = fitColumns(widths, width);
    if (shown < columns.length) onHidden(columns.slice(shown).map(({ header }) => header));
    const visible = columns.slice(0, shown);
    const lay = (rows: string[][]): string => {
      const table = new Table({
        chars: NO_BORDERS,
        style: { head: [], border: [], 'padding-left': 0, 'padding-right': GAP },
        colWidths: widths.slice(0, shown).map((size) => size + GAP),
        colAligns: visible.map(({ align = 'left' as const }) => align),
      });
      table.push(...rows);
      return `${table.toString().replace(/ +$/gm, '')}\n`;
    };
    let text = lay([visible.map(({ header }) => colors.bold(header))]);
    for (let start = 0; start < cells.length; start += ROWS_AT_ONCE) {
      const rows = cells.slice(start, start + ROWS_AT_ONCE);
      text += lay(rows.map((row) => visible.map((column, at) => paint(column, row[at] ?? ''))));
    }
    return text;
  }

  return {
    rows({ table }) {
      const records: JsonObject[] = [];
      return {
        add(record) {
          records.push(record);
          return '';
        },
        end() {
          if (records.length === 0) return '';
          if (isAccessible) return records.map((record) => formatLines(table, record)).join('\n');
          return formatTable(table, records);
        },
      };
    },
    one: ({ table, lines = table }, record) => formatLines(lines, record),
  };
}

/** How many columns from the left fit. The first one always does. */
function fitColumns(widths: number[], available: number): number {
  let used = 0;
  for (const [at, size] of widths.entries()) {
    used += size + (at > 0 ? GAP : 0);
    if (used > available && at > 0) return at;
  }
  return widths.length;
}

/** cli-table3 counts some marks that take no column, and would cut what is wider than it was told. */
function measure(text: string): number {
  return [...text].reduce((sum, character) => sum + Math.max(1, stringWidth(character)), 0);
}
