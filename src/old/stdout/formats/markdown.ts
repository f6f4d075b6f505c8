import { collect } from '../../reading.ts';
import { toPlainBlock } from '../../text/plain-text.ts';
import { type AnyColumns, describeEmpty, NOTHING_TO_DO, type ScreenColumn } from '../columns.ts';
import type { FlatRecord } from '../flatten.ts';
import { fromRecords } from '../records.ts';
import type { CreateRenderer } from '../renderer.ts';
import { createCells, toLines, toScreenColumns, type View } from '../screen-cells.ts';

type Row = readonly string[];

/**
 * A table as GitHub has them, for step summaries and pull requests: the columns that people read, however wide. Since it
 * is kept, times are absolute. A single thing is a row for each of its fields.
 */
export const createMarkdown: CreateRenderer = ({ fields, ...options }) => {
  const view: View = { fields, now: undefined };
  const createRow = (columns: AnyColumns): ((record: FlatRecord) => Row) => {
    const toCells = createCells(columns, view);
    return (record) => toCells(record).map(toMarkdownCell);
  };
  const renderAll = (columns: AnyColumns, rows: readonly Row[]): string => {
    // A step summary shows something.
    if (rows.length === 0) return `${toMarkdownCell(describeEmpty(columns))}\n`;
    const isFixed = fields !== undefined || columns.screen !== undefined;
    const all = toScreenColumns(columns, view).map((column, index) => ({ ...column, index }));
    // What is empty in every row goes, unless it identifies or was asked for.
    const shown = all.filter(
      ({ priority, index }) => (isFixed && priority === 0) || rows.some((row) => row[index] !== ''),
    );
    return renderTable(
      shown.map(({ head }) => toMarkdownCell(head)),
      toRules(shown),
      rows.map((row) => shown.map(({ index }) => row[index] ?? '')),
    );
  };
  return fromRecords(
    { fields, ...options },
    {
      async *list(columns, source) {
        const toRow = createRow(columns);
        yield renderAll(columns, (await collect(source, (records) => records.map(toRow))).flat());
      },
      one(columns, record) {
        const rows = toLines(columns, record, view).map(({ label, value }) => [label, value].map(toMarkdownCell));
        const shown = fields === undefined ? rows.filter(([, value]) => value !== '') : rows;
        return [renderTable(['FIELD', 'VALUE'], toRules([{}, {}]), shown)];
      },
      async *many({ screen: _screen, ...columns }, records) {
        // What became of each thing is in the fields that programs get.
        const toRow = createRow(columns);
        const rows: Row[] = [];
        for await (const record of records) rows.push(toRow(record));
        yield renderAll({ ...columns, empty: NOTHING_TO_DO }, rows);
      },
      feed(columns, isContinued) {
        const shown = toScreenColumns(columns, view);
        const toRow = createRow(columns);
        const head = shown.map((column) => toMarkdownCell(column.head));
        let before = isContinued ? '' : renderTable(head, toRules(shown), []);
        return {
          add(records) {
            const text = before + renderRows(records.map(toRow));
            before = '';
            return text;
          },
          end: () => '',
        };
      },
    },
  );
};

function renderTable(head: Row, rules: Row, rows: readonly Row[]): string {
  return renderRows([head, rules, ...rows]);
}

function renderRows(rows: readonly Row[]): string {
  return rows.map((row) => `| ${row.join(' | ')} |\n`).join('');
}

function toRules(columns: readonly Pick<ScreenColumn, 'align'>[]): Row {
  return columns.map(({ align }) => (align === 'right' ? '---:' : '---'));
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\n': '<br>' };

/**
 * The same characters, read: what would begin a tag, a link, an image, a formula or another cell is escaped. A line break
 * is the one tag. Within a word an underscore means nothing, so that most names stay as they are.
 */
export function toMarkdownCell(text: string): string {
  return toPlainBlock(text)
    .replace(/[\\`*[\]|~$]|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, '\\$&')
    .replace(/[&<>\n]/g, (character) => ENTITIES[character] ?? '')
    .trim();
}
