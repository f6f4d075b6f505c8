import type { Style } from '../text/style.ts';
import { cutCell, type Measure, splitCell, wrapCell } from '../text/wrap.ts';
import type { ScreenColumn } from './columns.ts';
import { GAP, type Layout, layOut } from './layout.ts';
import { paint } from './paint.ts';

/** Draws tables without lines. */

/** cli-table3 takes 85 µs a row, and drawing by hand 0.24 µs: only tables that people can look over pass through it. */
const MOST_CLI_TABLE_ROWS = 500;
/** In one piece cli-table3 takes quadratic time. */
const CLI_TABLE_PIECE = 100;
const PIECE = 1000;
/** string-width takes quadratic time where a single text has tens of thousands of wide characters. */
const MEASURABLE = /[\s\S]{1,1000}/gu;
const ASCII = /^[ -~]*$/;
/** cli-table3 has its own idea of how wide other characters are: it draws as many of these as they take columns. */
const STAND_IN = '\ue000';
const STAND_INS = /\ue000+/g;

/** A cell for each column of the screen, safe for a terminal. */
export type Row = readonly string[];
export interface Table {
  readonly columns: readonly ScreenColumn[];
  readonly rows: readonly Row[];
}

/** Undefined where not even what identifies has room. `limit`: columns of the terminal. */
export function fitTo({ columns, rows }: Table, limit: number, toWidth: Measure): Layout | undefined {
  const heads = columns.map(({ head }) => head);
  const widths = toWidths([heads, ...rows], toWidth);
  return layOut(
    columns.map(({ priority, wraps }, index) => ({
      width: widths[index] ?? 0,
      ...(wraps === true ? { word: toLongestWord([heads, ...rows], index, toWidth) } : {}),
      priority: priority === 'spare' ? Number.POSITIVE_INFINITY : priority,
    })),
    limit,
  );
}

export function isAnnounced(priority: ScreenColumn['priority']): boolean {
  return priority !== 'spare';
}

function toWidths(rows: readonly Row[], toWidth: Measure): readonly number[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (let column = 0; column < row.length; column += 1) {
      const width = toWidth(row[column] ?? '');
      if (width > (widths[column] ?? 0)) widths[column] = width;
    }
  }
  return widths;
}

function toLongestWord(rows: readonly Row[], column: number, toWidth: Measure): number {
  let longest = 0;
  for (const row of rows) {
    for (const word of splitCell(row[column] ?? '')) longest = Math.max(longest, toWidth(word.trimEnd()));
  }
  return longest;
}

/** Measures texts in columns of a terminal. What measures wide characters is loaded only where there are some. */
export async function createMeasure(rows: readonly Row[]): Promise<Measure> {
  if (rows.every((row) => row.every((cell) => ASCII.test(cell)))) return ({ length }) => length;
  const { default: stringWidth } = await import('string-width');
  // A piece may end within a character that is made of several, and then a column is out of line. That is better than
  // no table.
  const toWidth = (text: string) =>
    text.match(MEASURABLE)?.reduce((width, piece) => width + stringWidth(piece), 0) ?? 0;
  return (text) => (ASCII.test(text) ? text.length : toWidth(text));
}

interface Drawing extends Table {
  readonly layout: Layout;
  readonly style: Style;
  readonly toWidth: Measure;
}

/** The lines of one cell. */
type Lines = readonly string[];

/** In pieces that end with a newline. */
export async function* draw(drawing: Drawing): AsyncGenerator<string> {
  const { columns, rows, layout, toWidth } = drawing;
  const toLinesOfRow = (row: Row): readonly Lines[] =>
    layout.shown.map((index, place) => breakCell(columns[index], row[index] ?? '', layout.widths[place] ?? 0, toWidth));
  const head = toLinesOfRow(columns.map((column) => column.head));
  const isForCliTable = rows.length <= MOST_CLI_TABLE_ROWS;
  const drawPiece = isForCliTable ? await createCliTable(drawing) : createLines(drawing);
  const size = isForCliTable ? CLI_TABLE_PIECE : PIECE;
  for (let start = 0; start < rows.length; start += size) {
    yield drawPiece(start === 0 ? head : undefined, rows.slice(start, start + size).map(toLinesOfRow));
  }
}

function breakCell(column: ScreenColumn | undefined, cell: string, width: number, toWidth: Measure): Lines {
  return column?.cuts === undefined ? wrapCell(cell, width, toWidth) : [cutCell(cell, width, toWidth)];
}

/** The fields that some cell of a table has no room for. */
export function listCut({ columns, rows }: Table, { shown, widths }: Layout, toWidth: Measure): readonly string[] {
  return shown.flatMap((index, place) => {
    const { cuts = [] } = columns[index] ?? {};
    const isCut = cuts.length > 0 && rows.some((row) => toWidth(row[index] ?? '') > (widths[place] ?? 0));
    return isCut ? cuts : [];
  });
}

/** Sets the words of a column apart that have a colour. */
export function createPainter(column: ScreenColumn | undefined, style: Style): (text: string) => string {
  return column?.tone === true ? (text) => paint(text, style) : (text) => text;
}

/** Of a column without a width, where rows are printed as they come. The last one has the rest of the line. */
const USUAL_WIDTH = 24;
const NARROWEST_REST = 16;

/**
 * Rows of a table that goes on, with widths that are known before they come: a longer cell pushes its own line, and the
 * last one is wrapped into, or cut to, what is left of it. Undefined where the terminal is too narrow. `limit`: its columns.
 */
export function createFixedTable(
  columns: readonly ScreenColumn[],
  limit: number,
  style: Style,
): ((rows: readonly Row[], withHead: boolean, toWidth: Measure) => string) | undefined {
  const last = columns.length - 1;
  const own = columns.slice(0, last).map(({ width = USUAL_WIDTH }) => width + GAP);
  let missing = (columns[last]?.width ?? 0) - limit + own.reduce((sum, width) => sum + width, 0);
  const narrowed = own.map((width, index) => {
    const spare = width - GAP - (columns[index]?.least ?? width);
    const given = Math.min(Math.max(missing, 0), Math.max(spare, 0));
    missing -= given;
    return width - given;
  });
  const widths = missing > 0 ? own : narrowed;
  if (limit - widths.reduce((sum, width) => sum + width, 0) < NARROWEST_REST) return undefined;
  const painters = columns.map((column) => createPainter(column, style));
  return (rows, withHead, toWidth) => {
    const drawRow = (row: Row, toStyled: (text: string, index: number) => string): string => {
      let text = '';
      let used = 0;
      for (const [index, width] of widths.entries()) {
        const cell = row[index] ?? '';
        const padded = Math.max(width, toWidth(cell) + GAP);
        text += (cell === '' ? '' : toStyled(cell, index)) + ' '.repeat(padded - toWidth(cell));
        used += padded;
      }
      const lines = breakCell(columns[last], row[last] ?? '', Math.max(limit - used, NARROWEST_REST), toWidth);
      return trimLines(`${text}${lines.map((line) => toStyled(line, last)).join(`\n${' '.repeat(used)}`)}\n`);
    };
    const head = withHead
      ? drawRow(
          columns.map(({ head }) => head),
          style.bold,
        )
      : '';
    return head + rows.map((row) => drawRow(row, (cell, index) => painters[index]?.(cell) ?? cell)).join('');
  };
}

type DrawPiece = (head: readonly Lines[] | undefined, rows: readonly (readonly Lines[])[]) => string;

const NO_LINES = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((name) => [name, '']),
);

async function createCliTable({ columns, layout, style, toWidth }: Drawing): Promise<DrawPiece> {
  const { default: Table } = await import('cli-table3');
  const painters = layout.shown.map((index) => createPainter(columns[index], style));
  return (head, rows) => {
    const hidden: string[] = [];
    const toCells = (row: readonly Lines[], toStyled: (text: string, column: number) => string): readonly string[] => {
      const cells = row.map((): string[] => []);
      // In the order in which they are drawn.
      for (let line = 0; line < Math.max(...row.map(({ length }) => length)); line += 1) {
        for (const [column, lines] of row.entries()) {
          const text = lines[line];
          if (text === undefined) continue;
          const isPlain = ASCII.test(text);
          const width = toWidth(text);
          if (!isPlain && width > 0) hidden.push(toStyled(text, column));
          cells[column]?.push(isPlain ? toStyled(text, column) : STAND_IN.repeat(width));
        }
      }
      return cells.map((lines) => lines.join('\n'));
    };
    const table = new Table({
      chars: NO_LINES,
      style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': GAP },
      colAligns: layout.shown.map((index) => columns[index]?.align ?? 'left'),
      colWidths: layout.widths.map((width) => width + GAP),
      ...(head === undefined ? {} : { head: [...toCells(head, style.bold)] }),
    });
    for (const row of rows) table.push([...toCells(row, (text, place) => painters[place]?.(text) ?? text)]);
    let next = 0;
    return trimLines(`${table.toString()}\n`.replace(STAND_INS, () => hidden[next++] ?? ''));
  };
}

/** The same characters as cli-table3. */
function createLines({ columns, layout, style, toWidth }: Drawing): DrawPiece {
  const right = layout.shown.map((index) => columns[index]?.align === 'right');
  const painters = layout.shown.map((index) => createPainter(columns[index], style));
  const drawRow = (row: readonly Lines[], toStyled: (text: string, column: number) => string): string => {
    let text = '';
    const height = Math.max(...row.map(({ length }) => length));
    for (let line = 0; line < height; line += 1) {
      for (let column = 0; column < row.length; column += 1) {
        const cell = row[column]?.[line] ?? '';
        const pad = ' '.repeat((layout.widths[column] ?? 0) - toWidth(cell));
        const styled = cell === '' ? '' : toStyled(cell, column);
        text += (right[column] === true ? pad + styled : styled + pad) + ' '.repeat(GAP);
      }
      text += '\n';
    }
    return text;
  };
  return (head, rows) => {
    let text = head === undefined ? '' : drawRow(head, style.bold);
    for (const row of rows) text += drawRow(row, (cell, column) => painters[column]?.(cell) ?? cell);
    return trimLines(text);
  };
}

/** Linear: what is looked at is only the end of each line. */
function trimLines(text: string): string {
  return text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
