import { Chalk } from 'chalk';
import stringWidth from 'string-width';
import type { JsonObject } from '../../lib/json.ts';
import { sanitizeLine } from '../../lib/text.ts';
import { type Column, formatValue, getField } from '../columns.ts';
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
      cells.reduce((widest, row) => Math.max(widest, stringWidth(row[at] ?? '')), stringWidth(header)),
    );
    const shown = fitColumns(widths, width);
    if (shown < columns.length) onHidden(columns.slice(shown).map(({ header }) => header));
    const visible = columns.slice(0, shown);
    const printRow = (texts: string[], decorate: (column: Column, text: string) => string): string =>
      visible
        .map((column, at) => {
          const text = texts[at] ?? '';
          const blanks = ' '.repeat((widths[at] ?? 0) - stringWidth(text));
          return column.align === 'right' ? blanks + decorate(column, text) : decorate(column, text) + blanks;
        })
        .join(' '.repeat(GAP))
        .trimEnd();
    const headers = visible.map(({ header }) => header);
    const lines = [
      printRow(headers, (_column, text) => colors.bold(text)),
      ...cells.map((row) => printRow(row, paint)),
    ];
    return lines.map((line) => `${line}\n`).join('');
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
