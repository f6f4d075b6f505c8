import { collect } from '../../reading.ts';
import { toPlainText } from '../../text/plain-text.ts';
import { takesSigns } from '../../text/signs.ts';
import { createStyle, type Style } from '../../text/style.ts';
import { hang, type Measure, wrapCell } from '../../text/wrap.ts';
import type { AnyColumns, ScreenColumn, Sentence } from '../columns.ts';
import {
  createFixedTable,
  createMeasure,
  createPainter,
  draw,
  fitTo,
  isAnnounced,
  listCut,
  type Row,
  type Table,
} from '../drawing.ts';
import type { FlatRecord } from '../flatten.ts';
import { GAP } from '../layout.ts';
import { paint, paintSign } from '../paint.ts';
import { fromRecords } from '../records.ts';
import type { CreateRenderer, Pieces, RenderOptions } from '../renderer.ts';
import { createCells, type Line, listFieldsOf, toLines, toScreenColumns, type View } from '../screen-cells.ts';

/** With less room beside its label a value is left to the terminal. */
const NARROWEST_VALUE = 16;

/** For people: tables without lines, labelled lines for a single thing, and sentences for what a write did. */
export const createTable: CreateRenderer = (options) => {
  const { host, stdout, fields, noColor = false, accessible = false } = options;
  const view: View = { fields, now: host.now() };
  const style = createStyle(host, stdout, noColor);
  const limit = toWidthLimit(options);
  const signs = takesSigns(host, accessible);

  const drawAll = async function* (columns: AnyColumns, rows: readonly Row[]): AsyncGenerator<string> {
    const heads = toScreenColumns(columns, view).map((column) => ({ ...column, head: toPlainText(column.head) }));
    const table = withoutEmpty(heads, rows);
    if (table.rows.length === 0) return;
    const toWidth = await createMeasure([table.columns.map(({ head }) => head), ...table.rows]);
    const layout = accessible ? undefined : fitTo(table, limit, toWidth);
    if (layout === undefined) return yield* drawParagraphs(table, style);
    yield* draw({ ...table, layout, style, toWidth });
    const hidden = table.columns.filter(
      ({ priority }, index) => isAnnounced(priority) && !layout.shown.includes(index),
    );
    const fields = [...hidden.flatMap(listFieldsOf), ...listCut(table, layout, toWidth)];
    if (fields.length > 0) await options.noteHidden?.(fields);
  };
  const drawOne = async function* (columns: AnyColumns, record: FlatRecord): AsyncGenerator<string> {
    const lines = toLines(columns, record, view)
      .map((line) => ({ ...line, label: toPlainText(line.label), value: toPlainText(line.value) }))
      .filter(({ value }) => value !== '');
    const toWidth = await createMeasure(lines.map(({ label, value }) => [label, value]));
    yield* drawLines(lines, style, accessible ? undefined : limit, toWidth);
  };
  const createSentences = ({ sentences }: AnyColumns): ((record: FlatRecord) => readonly Sentence[]) | undefined =>
    sentences === undefined || fields !== undefined ? undefined : (record) => sentences(record, host.now());
  const drawSentences = async function* (sentences: readonly Sentence[]): AsyncGenerator<string> {
    const toWidth = await createMeasure(sentences.map(({ text, hint = '' }) => [text, hint]));
    for (const sentence of sentences) yield drawSentence(sentence, { style, signs, toWidth, limit });
  };
  return fromRecords(options, {
    async *list(columns, source) {
      const toSentences = createSentences(columns);
      if (toSentences !== undefined) {
        return yield* drawSentences((await collect(source, (records) => records.flatMap(toSentences))).flat());
      }
      const toRow = createRow(columns, view);
      // Each page is made into cells at once: a hundred thousand records take more memory than their table.
      yield* drawAll(columns, (await collect(source, (records) => records.map(toRow))).flat());
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
      const toRow = createRow(columns, view);
      const rows: Row[] = [];
      for await (const record of records) rows.push(toRow(record));
      yield* drawAll(columns, rows);
    },
    feed(columns, isContinued) {
      const heads = toScreenColumns(columns, view).filter(({ priority }) => isAnnounced(priority));
      const toRow = createRow({ ...columns, screen: heads }, view);
      const toLines = accessible ? undefined : createFixedTable(heads, limit, style);
      let isFirst = !isContinued;
      return {
        async add(records) {
          const rows = records.map(toRow);
          const wasFirst = isFirst;
          isFirst = false;
          if (toLines !== undefined) return toLines(rows, wasFirst, await createMeasure(rows));
          return `${wasFirst ? '' : '\n'}${[...drawParagraphs({ columns: heads, rows }, style)].join('')}`;
        },
        end: () => '',
      };
    },
  });
};

/** The width of the terminal; elsewhere what COLUMNS says, or none. A terminal may report no width at all. */
function toWidthLimit({ stdout, host }: RenderOptions): number {
  const width = stdout.isTTY === true ? stdout.columns : Number(host.env['COLUMNS']);
  return width !== undefined && width > 0 ? width : Number.POSITIVE_INFINITY;
}

function createRow(columns: AnyColumns, view: View): (record: FlatRecord) => Row {
  const toCells = createCells(columns, view);
  return (record) => toCells(record).map(toPlainText);
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
  { sign, label = '', text, hint, next = [] }: Sentence,
  { style, signs, toWidth, limit }: SentenceStyle,
): string {
  const bullet = signs ? `${sign} ` : '';
  const lines = hang(`${bullet}${label}`, toPlainText(text), limit, toWidth);
  const indent = ' '.repeat(bullet.length + label.length);
  const advice = hint === undefined ? [] : hang(indent, `${signs ? '→ ' : ''}${toPlainText(hint)}`, limit, toWidth);
  const commands = next.map((command) => `${indent}${signs ? '$ ' : 'run: '}${toPlainText(command)}`);
  // The sign is painted after the line was measured.
  const painted = (lines[0] ?? '').replace(
    bullet + label,
    `${signs ? `${paintSign(sign, style)} ` : ''}${style.bold(label)}`,
  );
  return `${[painted, ...lines.slice(1), ...advice, ...commands].join('\n')}\n`;
}
