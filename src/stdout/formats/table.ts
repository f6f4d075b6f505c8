import { toPlainText } from '../../text/plain-text.ts';
import { createStyle, type Style } from '../../text/style.ts';
import { createTimeFormatter, type TimeFormatter } from '../../text/time.ts';
import { toCellText, toDetails } from '../cell.ts';
import type { Columns } from '../columns.ts';
import { getField } from '../fields.ts';
import { fitWidths, toTableWidth, truncate } from '../fit.ts';
import type { FlatRecord } from '../flatten.ts';
import { fromRecords } from '../records.ts';
import type { CreateRenderer, Pieces, RenderOptions } from '../renderer.ts';

/** cli-table3 compares every cell with every row above it: quadratic, and a RangeError beyond 125,000 rows. */
const MOST_CLI_TABLE_ROWS = 500;
/** cli-table3 shortens every cell once, character by character: quadratic in the length of wide text. */
const LONGEST_CLI_TABLE_CELL = 200;
/** string-width, too, takes quadratic time where a single text has tens of thousands of wide characters. */
const MEASURABLE = /[\s\S]{1,1000}/gu;
const ROWS_A_PIECE = 1000;

/** Drawn for people, with colours, and no wider than the terminal. */
export const createTable: CreateRenderer = (options) => {
  const { host, stdout, fields, noColor = false } = options;
  const style = createStyle(host, stdout, noColor);
  const width = toWidthLimit(options);
  const createRow = (columns: Columns) => {
    const toCell = createCell(columns, options);
    return (record: FlatRecord): Row =>
      (fields ?? columns.shown).map((column) => toCell(column, getField(record, column)));
  };
  const render = (columns: Columns, rows: readonly Row[]): Pieces =>
    rows.length === 0 ? [] : renderTable(fields ?? columns.shown, rows, style, width);
  return fromRecords(options, {
    async *list(columns, source) {
      const toRow = createRow(columns);
      // A hundred thousand records would cost more than their table.
      const rows = await source.collect((records) => records.map(toRow));
      yield* render(columns, rows.flat());
    },
    one(columns, record) {
      const toCell = createCell(columns, options);
      const details =
        fields?.map((field) => [field, getField(record, field)] as const) ?? toDetails(record, columns.shape);
      return renderDetails(
        details.map(([path, value]) => [path, toCell(path, value)] as const),
        style,
        width,
      );
    },
    async *many(columns, records) {
      const toRow = createRow(columns);
      const rows: Row[] = [];
      for await (const record of records) rows.push(toRow(record));
      yield* render(columns, rows);
    },
  });
};

function toWidthLimit({ stdout, boxes = true }: RenderOptions): WidthLimit {
  if (!boxes) return 'paragraphs';
  // A terminal may report no width at all.
  return stdout.isTTY === true && (stdout.columns ?? 0) > 0 ? stdout.columns : undefined;
}

/** Makes cells, in which instants stand as people read them. */
function createCell({ words, times }: Columns, { host, timeZone }: RenderOptions) {
  // Made for the first instant: what it needs takes longer than many a table.
  let formatTime: TimeFormatter | undefined;
  return (path: string, value: unknown): string => {
    const toWords = words?.[path];
    if (toWords !== undefined) return toWords(value);
    if (typeof value !== 'string' || times?.includes(path) !== true) return toCellText(value);
    formatTime ??= createTimeFormatter(host.now(), timeZone);
    return formatTime(value);
  };
}

type Row = readonly string[];

interface Layout {
  /** Left out for a table without a header. */
  readonly head?: Row;
  readonly rows: readonly Row[];
  /** How the text of a body cell is set apart. */
  paint(text: string, column: number): string;
}

/** The terminal's width; undefined for a table that may be as wide as it wants to be. In paragraphs no lines are drawn. */
type WidthLimit = number | 'paragraphs' | undefined;

/**
 * A table with a header, in pieces that end with a newline. Cells may hold any text. Where it is too wide for the terminal
 * the widest cells are cut, and where too little would be left of them each row becomes a paragraph.
 */
export async function* renderTable(
  head: Row,
  rows: readonly Row[],
  style: Style,
  limit?: WidthLimit,
): AsyncGenerator<string> {
  const layout = toPlainLayout({ head, rows, paint: (text) => text });
  if (limit === 'paragraphs') return yield* renderParagraphs(layout, style);
  const all = [layout.head ?? [], ...layout.rows];
  const toWidth = limit === undefined ? undefined : await createMeasure(all);
  if (limit === undefined || toWidth === undefined) return yield* render(layout, style);
  const natural = toWidths(all, toWidth);
  if (toTableWidth(natural) <= limit) return yield* render(layout, style);
  const widths = fitWidths(natural, limit);
  if (widths === undefined) return yield* renderParagraphs(layout, style);
  const cut = (row: Row): Row => row.map((cell, column) => truncate(cell, widths[column] ?? 0, toWidth));
  yield* render({ ...layout, head: cut(layout.head ?? []), rows: layout.rows.map(cut) }, style);
}

/** A table of field and value without a header. One that is too wide for the terminal stands without lines, and whole. */
export async function* renderDetails(
  rows: readonly (readonly [field: string, value: string])[],
  style: Style,
  limit?: WidthLimit,
): AsyncGenerator<string> {
  const layout = toPlainLayout({ rows, paint: (text, column) => (column === 0 ? style.bold(text) : text) });
  if (limit === undefined) return yield* render(layout, style);
  const isTooWide =
    limit === 'paragraphs' || toTableWidth(toWidths(layout.rows, await createMeasure(layout.rows))) > limit;
  if (!isTooWide) return yield* render(layout, style);
  yield layout.rows.map(([field = '', value = '']) => `${style.bold(field)}: ${value}\n`).join('');
}

function* renderParagraphs({ head = [], rows }: Layout, style: Style): Generator<string> {
  for (const [index, row] of rows.entries()) {
    const lines = row.map((cell, column) => `${style.bold(head[column] ?? '')}: ${cell}\n`);
    yield `${index === 0 ? '' : '\n'}${lines.join('')}`;
  }
}

function toPlainLayout(layout: Layout): Layout {
  const rows = layout.rows.map((row) => row.map(toPlainText));
  return { ...layout, ...(layout.head === undefined ? {} : { head: layout.head.map(toPlainText) }), rows };
}

const ASCII = /^[ -~]*$/;

/** Measures texts in columns of a terminal. What measures wide characters is loaded only where there are some. */
async function createMeasure(rows: readonly Row[]): Promise<(text: string) => number> {
  if (rows.every((row) => row.every((cell) => ASCII.test(cell)))) return ({ length }) => length;
  const { default: stringWidth } = await import('string-width');
  // Where a piece ends within a character made of several, a border may be out of line: better than no table.
  const toWidth = (text: string) =>
    text.match(MEASURABLE)?.reduce((width, piece) => width + stringWidth(piece), 0) ?? 0;
  return (text) => (ASCII.test(text) ? text.length : toWidth(text));
}

function toWidths(rows: readonly Row[], toWidth: (text: string) => number): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, toWidth(cell));
    });
  }
  return widths;
}

async function* render(layout: Layout, style: Style): AsyncGenerator<string> {
  const { head, rows } = layout;
  const isShort = rows.length <= MOST_CLI_TABLE_ROWS;
  const all = head === undefined ? rows : [head, ...rows];
  if (isShort && all.every((row) => row.every((cell) => cell.length <= LONGEST_CLI_TABLE_CELL))) {
    yield await renderByCliTable(layout, style);
    return;
  }
  // Rules between many rows would only double the lines.
  yield* renderByRow(layout, style, await createMeasure(all), isShort);
}

async function renderByCliTable({ head, rows, paint }: Layout, style: Style): Promise<string> {
  const { default: Table } = await import('cli-table3');
  // Its own colours would go into pipes too, NO_COLOR or not.
  const table = new Table({
    ...(head === undefined ? {} : { head: head.map((text) => style.bold(text)) }),
    style: { head: [], border: [] },
  });
  for (const row of rows) table.push(row.map(paint));
  return `${table.toString()}\n`;
}

/** The same characters as cli-table3, in time linear in the rows. */
function* renderByRow(
  layout: Layout,
  style: Style,
  toWidth: (text: string) => number,
  rules: boolean,
): Generator<string> {
  const { head, rows, paint } = layout;
  const widths = toWidths(head === undefined ? rows : [head, ...rows], toWidth);
  const rule = (left: string, middle: string, right: string) =>
    `${left}${widths.map((width) => '─'.repeat(width + 2)).join(middle)}${right}\n`;
  const line = (row: Row, painter: (text: string, column: number) => string) => {
    let cells = '│';
    for (const [column, cell] of row.entries()) {
      cells += ` ${painter(cell, column)}${' '.repeat((widths[column] ?? 0) - toWidth(cell))} │`;
    }
    return `${cells}\n`;
  };
  const between = rule('├', '┼', '┤');

  let piece = rule('┌', '┬', '┐');
  if (head !== undefined) piece += line(head, (text) => style.bold(text)) + between;
  for (const [index, row] of rows.entries()) {
    if (rules && index > 0) piece += between;
    piece += line(row, paint);
    if ((index + 1) % ROWS_A_PIECE === 0) {
      yield piece;
      piece = '';
    }
  }
  yield piece + rule('└', '┴', '┘');
}
