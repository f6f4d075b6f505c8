import { toPlainText } from './plain-text.ts';
import type { Style } from './style.ts';

/** cli-table3 compares every cell with every row above it: quadratic, and a RangeError beyond 125,000 rows. */
const MOST_CLI_TABLE_ROWS = 500;
/** cli-table3 shortens every cell once, character by character: quadratic in the length of wide text. */
const LONGEST_CLI_TABLE_CELL = 200;
/** string-width, too, takes quadratic time where a single text has tens of thousands of wide characters. */
const MEASURABLE = /[\s\S]{1,1000}/gu;
const ROWS_A_PIECE = 1000;

type Row = readonly string[];

interface Layout {
  /** Left out for a table without a header. */
  readonly head?: Row;
  readonly rows: readonly Row[];
  /** How the text of a body cell is set apart. */
  paint(text: string, column: number): string;
}

/** A table with a header, in pieces that end with a newline. Cells may hold any text. */
export function renderTable(head: Row, rows: readonly Row[], style: Style): AsyncGenerator<string> {
  return render({ head, rows, paint: (text) => text }, style);
}

/** A table of field and value without a header. */
export function renderDetails(
  rows: readonly (readonly [field: string, value: string])[],
  style: Style,
): AsyncGenerator<string> {
  return render({ rows, paint: (text, column) => (column === 0 ? style.bold(text) : text) }, style);
}

async function* render(layout: Layout, style: Style): AsyncGenerator<string> {
  const head = layout.head?.map(toPlainText);
  const rows = layout.rows.map((row) => row.map(toPlainText));
  const plain = { ...layout, ...(head === undefined ? {} : { head }), rows };
  const isShort = rows.length <= MOST_CLI_TABLE_ROWS;
  const all = head === undefined ? rows : [head, ...rows];
  if (isShort && all.every((row) => row.every((cell) => cell.length <= LONGEST_CLI_TABLE_CELL))) {
    yield await renderByCliTable(plain, style);
    return;
  }
  const { default: stringWidth } = await import('string-width');
  // Where a piece ends within a character made of several, a border may be out of line: better than no table.
  const toWidth = (text: string) =>
    text.match(MEASURABLE)?.reduce((width, piece) => width + stringWidth(piece), 0) ?? 0;
  // Rules between many rows would only double the lines.
  yield* renderByRow(plain, style, toWidth, isShort);
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
  const widths: number[] = [];
  for (const row of head === undefined ? rows : [head, ...rows]) {
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, toWidth(cell));
    });
  }
  const rule = (left: string, middle: string, right: string) =>
    `${left}${widths.map((width) => '─'.repeat(width + 2)).join(middle)}${right}\n`;
  const line = (row: Row, painter: (text: string, column: number) => string) =>
    `│${row.map((cell, column) => ` ${painter(cell, column)}${' '.repeat((widths[column] ?? 0) - toWidth(cell))} `).join('│')}│\n`;
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
