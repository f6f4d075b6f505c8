import { toPlainText } from '../../text/plain-text.ts';
import { takesSigns } from '../../text/signs.ts';
import { createStyle, type Style } from '../../text/style.ts';
import { toFullTime } from '../../text/time.ts';
import { hang, type Measure, splitCell, wrapCell } from '../../text/wrap.ts';
import { toCellText, toDetails } from '../cell.ts';
import type { Columns, ScreenColumn, ScreenLine, Sentence } from '../columns.ts';
import { getField } from '../fields.ts';
import type { FlatRecord } from '../flatten.ts';
import { GAP, type Layout, layOut } from '../layout.ts';
import { paint, paintSign } from '../paint.ts';
import { fromRecords } from '../records.ts';
import type { CreateRenderer, Pieces, RenderOptions } from '../renderer.ts';

/** cli-table3 takes 85 µs a row, and drawing by hand 0.24 µs: only tables that people can look over pass through it. */
const MOST_CLI_TABLE_ROWS = 500;
/** In one piece cli-table3 takes quadratic time. */
const CLI_TABLE_PIECE = 100;
const PIECE = 1000;
/** With less room beside its label a value is left to the terminal. */
const NARROWEST_VALUE = 16;
/** string-width takes quadratic time where a single text has tens of thousands of wide characters. */
const MEASURABLE = /[\s\S]{1,1000}/gu;
const ASCII = /^[ -~]*$/;

/** For people: tables without lines, labelled lines for a single thing, and sentences for what a write did. */
export const createTable: CreateRenderer = (options) => {
  const { host, stdout, fields, noColor = false, accessible = false } = options;
  const style = createStyle(host, stdout, noColor);
  const limit = toWidthLimit(options);
  const signs = takesSigns(host, accessible);

  const drawAll = async function* (columns: Columns, rows: readonly Row[]): AsyncGenerator<string> {
    const heads = toScreenColumns(columns, fields);
    const table = withoutEmpty(heads, rows);
    if (table.rows.length === 0) return;
    const toWidth = await createMeasure([table.columns.map(({ head }) => head), ...table.rows]);
    const layout = accessible ? undefined : fitTo(table, limit, toWidth);
    if (layout === undefined) return yield* drawParagraphs(table, style);
    yield* draw({ ...table, layout, style, toWidth });
    const hidden = table.columns.filter(
      ({ priority }, index) => isAnnounced(priority) && !layout.shown.includes(index),
    );
    if (hidden.length > 0) await options.noteHidden?.(hidden.map(({ head }) => head));
  };
  const drawOne = async function* (columns: Columns, record: FlatRecord): AsyncGenerator<string> {
    const lines = toLines(columns, record, options)
      .map((line) => ({ ...line, label: toPlainText(line.label), value: toPlainText(line.value) }))
      .filter(({ value }) => value !== '');
    const toWidth = await createMeasure(lines.map(({ label, value }) => [label, value]));
    yield* drawLines(lines, style, accessible ? undefined : limit, toWidth);
  };
  const createSentences = ({ sentences }: Columns): ((record: FlatRecord) => readonly Sentence[]) | undefined =>
    sentences === undefined || fields !== undefined ? undefined : (record) => sentences(record, host.now());
  const drawSentences = async function* (sentences: readonly Sentence[]): AsyncGenerator<string> {
    const toWidth = await createMeasure(sentences.map(({ text, hint = '' }) => [text, hint]));
    for (const sentence of sentences) yield drawSentence(sentence, { style, signs, toWidth, limit });
  };
  return fromRecords(options, {
    async *list(columns, source) {
      const toSentences = createSentences(columns);
      if (toSentences !== undefined) {
        return yield* drawSentences((await source.collect((records) => records.flatMap(toSentences))).flat());
      }
      const toRow = createRow(columns, options);
      // A hundred thousand records would cost more than their table.
      yield* drawAll(columns, (await source.collect((records) => records.map(toRow))).flat());
    },
    one(columns, record) {
      const toSentences = createSentences(columns);
      return toSentences === undefined ? drawOne(columns, record) : drawSentences(toSentences(record));
    },
    async *many(columns, records) {
      const toSentences = createSentences(columns);
      if (toSentences !== undefined) {
        for await (const record of records) yield* drawSentences(toSentences(record));
        return;
      }
      const toRow = createRow(columns, options);
      const rows: Row[] = [];
      for await (const record of records) rows.push(toRow(record));
      yield* drawAll(columns, rows);
    },
  });
};

/** A cell for each column of the screen, safe for a terminal. */
type Row = readonly string[];
type Line = Pick<ScreenLine, 'label' | 'tone'> & { readonly value: string };

interface Table {
  readonly columns: readonly ScreenColumn[];
  readonly rows: readonly Row[];
}

/** The width of the terminal; elsewhere what COLUMNS says, or none. A terminal may report no width at all. */
function toWidthLimit({ stdout, host }: RenderOptions): number {
  const width = stdout.isTTY === true ? stdout.columns : Number(host.env['COLUMNS']);
  return width !== undefined && width > 0 ? width : Number.POSITIVE_INFINITY;
}

/** Of fields that were asked for, none is left out. */
function toScreenColumns({ shown, screen }: Columns, fields: readonly string[] | undefined): readonly ScreenColumn[] {
  if (fields === undefined && screen !== undefined) return screen;
  return (fields ?? shown).map((field) => ({ head: field.toUpperCase(), field, priority: 0, wraps: true }));
}

function createRow(columns: Columns, options: RenderOptions): (record: FlatRecord) => Row {
  const { fields, host } = options;
  const now = host.now();
  if (fields !== undefined || columns.screen === undefined) {
    const toText = createText(columns, now);
    const shown = fields ?? columns.shown;
    return (record) => shown.map((field) => toPlainText(toText(field, getField(record, field))));
  }
  const { screen } = columns;
  return (record) =>
    screen.map(({ field, show }) => {
      const value = getField(record, field);
      return toPlainText(show === undefined ? toCellText(value) : show(value, record, now));
    });
}

/** A value as people read it where nothing else says how. */
function createText({ words, times }: Columns, now: number): (field: string, value: unknown) => string {
  return (field, value) => {
    const toWords = words?.[field];
    if (toWords !== undefined) return toWords(value);
    if (typeof value === 'string' && times?.includes(field) === true) return toFullTime(value, now);
    return Array.isArray(value) ? value.map(toCellText).join(', ') : toCellText(value);
  };
}

function toLines(columns: Columns, record: FlatRecord, { fields, host }: RenderOptions): readonly Line[] {
  const now = host.now();
  if (fields === undefined && columns.lines !== undefined) {
    return columns.lines.map(({ field, show = toCellText, ...line }) => ({
      ...line,
      value: show(getField(record, field), record, now),
    }));
  }
  const toText = createText(columns, now);
  const details = fields?.map((field) => [field, getField(record, field)] as const) ?? toDetails(record, columns.shape);
  return details.map(([label, value]) => ({ label, value: toText(label, value) }));
}

/** A column that is empty in every row goes, unless it identifies. */
function withoutEmpty(columns: readonly ScreenColumn[], rows: readonly Row[]): Table {
  const kept = [...columns.keys()].filter(
    (index) => columns[index]?.priority === 0 || rows.some((row) => row[index] !== ''),
  );
  if (kept.length === columns.length) return { columns, rows };
  return {
    columns: kept.flatMap((index) => columns[index] ?? []),
    rows: rows.map((row) => kept.map((index) => row[index] ?? '')),
  };
}

function fitTo({ columns, rows }: Table, limit: number, toWidth: Measure): Layout | undefined {
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

function isAnnounced(priority: ScreenColumn['priority']): boolean {
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
async function createMeasure(rows: readonly Row[]): Promise<Measure> {
  if (rows.every((row) => row.every((cell) => ASCII.test(cell)))) return ({ length }) => length;
  const { default: stringWidth } = await import('string-width');
  // Where a piece ends within a character made of several, a column may be out of line: better than no table.
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

async function* draw(drawing: Drawing): AsyncGenerator<string> {
  const { columns, rows, layout, toWidth } = drawing;
  const toLinesOfRow = (row: Row): readonly Lines[] =>
    layout.shown.map((index, place) => wrapCell(row[index] ?? '', layout.widths[place] ?? 0, toWidth));
  const head = toLinesOfRow(columns.map((column) => column.head));
  // cli-table3 has its own idea of how wide other characters are.
  const isForCliTable =
    rows.length <= MOST_CLI_TABLE_ROWS && rows.every((row) => row.every((cell) => ASCII.test(cell)));
  const drawPiece = isForCliTable ? await createCliTable(drawing) : createLines(drawing);
  const size = isForCliTable ? CLI_TABLE_PIECE : PIECE;
  for (let start = 0; start < rows.length; start += size) {
    yield drawPiece(start === 0 ? head : undefined, rows.slice(start, start + size).map(toLinesOfRow));
  }
}

function createPainter(column: ScreenColumn | undefined, style: Style): (text: string) => string {
  return column?.tone === true ? (text) => paint(text, style) : (text) => text;
}

type DrawPiece = (head: readonly Lines[] | undefined, rows: readonly (readonly Lines[])[]) => string;

const NO_LINES = Object.fromEntries(
  ['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right']
    .concat(['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'])
    .map((name) => [name, '']),
);

async function createCliTable({ columns, layout, style }: Drawing): Promise<DrawPiece> {
  const { default: Table } = await import('cli-table3');
  const painters = layout.shown.map((index) => createPainter(columns[index], style));
  return (head, rows) => {
    const table = new Table({
      chars: NO_LINES,
      style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': GAP },
      colAligns: layout.shown.map((index) => columns[index]?.align ?? 'left'),
      colWidths: layout.widths.map((width) => width + GAP),
      ...(head === undefined ? {} : { head: head.map((lines) => lines.map(style.bold).join('\n')) }),
    });
    for (const row of rows) table.push(row.map((lines, place) => lines.map(painters[place] ?? String).join('\n')));
    return trimLines(`${table.toString()}\n`);
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

/** A field a line, and a blank line between two rows: nothing has to be compared across a line. */
function* drawParagraphs({ columns, rows }: Table, style: Style): Generator<string> {
  for (const [index, row] of rows.entries()) {
    const lines = row.flatMap((cell, column) =>
      cell === ''
        ? []
        : [`${style.bold(columns[column]?.head ?? '')}: ${createPainter(columns[column], style)(cell)}\n`],
    );
    yield `${index === 0 ? '' : '\n'}${lines.join('')}`;
  }
}

/** `Label:  value`, values below each other. Without a limit for screen readers, where nothing has to be aligned. */
function drawLines(lines: readonly Line[], style: Style, limit: number | undefined, toWidth: Measure): Pieces {
  const indent = Math.max(0, ...lines.map(({ label }) => toWidth(label))) + 1 + GAP;
  const room = limit === undefined || limit - indent < NARROWEST_VALUE ? Number.POSITIVE_INFINITY : limit - indent;
  return lines.map(({ label, value, tone }) => {
    const pad = limit === undefined ? ' ' : ' '.repeat(indent - toWidth(label) - 1);
    const text = wrapCell(value, room, toWidth).map((line) => (tone === true ? paint(line, style) : line));
    return `${style.bold(`${label}:`)}${pad}${text.join(`\n${' '.repeat(indent)}`)}\n`;
  });
}

interface SentenceStyle {
  readonly style: Style;
  readonly signs: boolean;
  readonly toWidth: Measure;
  readonly limit: number;
}

/** Wrapped, and what continues it stands below its text. */
function drawSentence(
  { sign, label = '', text, hint }: Sentence,
  { style, signs, toWidth, limit }: SentenceStyle,
): string {
  const bullet = signs ? `${sign} ` : '';
  const lines = hang(`${bullet}${label}`, toPlainText(text), limit, toWidth);
  const advice =
    hint === undefined
      ? []
      : hang(' '.repeat(bullet.length + label.length), `${signs ? '→ ' : ''}${toPlainText(hint)}`, limit, toWidth);
  // Painted after it was measured.
  const painted = (lines[0] ?? '').replace(
    bullet + label,
    `${signs ? `${paintSign(sign, style)} ` : ''}${style.bold(label)}`,
  );
  return `${[painted, ...lines.slice(1), ...advice].join('\n')}\n`;
}
