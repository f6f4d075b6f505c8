import { hang, wrap } from '../text/wrap.ts';

/** Topics are written in Markdown, of which this is the part they use. */

type Row = readonly string[];

type Block =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'item'; readonly text: string }
  | { readonly kind: 'code'; readonly lines: readonly string[] }
  | { readonly kind: 'table'; readonly rows: readonly Row[] };

/** The text as it is printed, with a final newline. Lines of code and single long words may be wider than `width`. */
export function renderMarkdown(markdown: string, width: number): string {
  return `${renderLines(markdown, width).join('\n')}\n`;
}

export function renderLines(markdown: string, width: number): readonly string[] {
  let before: Block | undefined;
  return parseBlocks(markdown).flatMap((block) => {
    const isClose = before === undefined || (before.kind === 'item' && block.kind === 'item');
    before = block;
    return [...(isClose ? [] : ['']), ...renderBlock(block, width)];
  });
}

/** A cell of a table, whatever is in it. */
export function toTable(head: Row, rows: readonly Row[]): string {
  const toLine = (row: Row): string => `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [toLine(head), toLine(head.map(() => '---')), ...rows.map(toLine)].join('\n');
}

function parseBlocks(markdown: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = markdown.split('\n');
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const takeWhile = (belongs: (line: string) => boolean): readonly string[] => {
      const first = at;
      while (at + 1 < lines.length && belongs(lines[at + 1] ?? '')) at += 1;
      return lines.slice(first, at + 1);
    };
    if (line === '') continue;
    if (line.startsWith('#')) blocks.push({ kind: 'heading', text: toPlain(line.slice(line.indexOf(' ') + 1)) });
    else if (line.startsWith('```')) {
      const code = takeWhile((next) => next !== '```').slice(1);
      at += 1;
      blocks.push({ kind: 'code', lines: code });
    } else if (line.startsWith('|')) {
      const [head = '', , ...rest] = takeWhile((next) => next.startsWith('|'));
      const rows = [head, ...rest].map(toCells);
      blocks.push({ kind: 'table', rows: rows.filter((row) => row.some((cell) => cell !== '')) });
    } else if (line.startsWith('- ')) {
      const text = takeWhile((next) => next.startsWith('  ')).map((part) => part.slice(2));
      blocks.push({ kind: 'item', text: toPlain(text.join(' ')) });
    } else {
      const text = takeWhile((next) => next !== '' && !/^(?:#|```|\||- )/.test(next));
      blocks.push({ kind: 'paragraph', text: toPlain(text.join(' ')) });
    }
  }
  return blocks;
}

function toCells(line: string): Row {
  const cells = line.slice(1, line.lastIndexOf('|')).split(/(?<!\\)\|/);
  return cells.map((cell) => toPlain(cell.replaceAll('\\|', '|').trim()));
}

/** Without marks of code, and a link by its text. */
function toPlain(text: string): string {
  return text.replace(/\[([^[\]]+)\]\([^()]+\)/g, '$1').replace(/`|\*\*/g, '');
}

function renderBlock(block: Block, width: number): readonly string[] {
  switch (block.kind) {
    case 'heading':
      return [block.text];
    case 'paragraph':
      return wrap(block.text, width);
    case 'item':
      return hang('- ', block.text, width);
    case 'code':
      return block.lines.map((line) => (line === '' ? '' : INDENT + line));
    case 'table':
      return renderTable(block.rows, width);
  }
}

const INDENT = '  ';
const GAP = '  ';

function renderTable(rows: readonly Row[], width: number): readonly string[] {
  const widths = fitColumns(rows, width - INDENT.length);
  const lines = rows.map((row) => row.map((cell, column) => wrap(cell, widths[column] ?? 0)));
  // Where a first cell continues below itself, a blank line separates rows.
  const isDense = lines.every(([first]) => first === undefined || first.length === 1);
  return lines.flatMap((cells, index) => {
    const height = Math.max(...cells.map(({ length }) => length));
    const row = Array.from({ length: height }, (_, line) => {
      const parts = cells.map((cell, column) => (cell[line] ?? '').padEnd(widths[column] ?? 0));
      return (INDENT + parts.join(GAP)).trimEnd();
    });
    return isDense || index === 0 ? row : ['', ...row];
  });
}

/** The width of each column: what is too wide is taken from the widest that can still be broken. */
function fitColumns(rows: readonly Row[], width: number): readonly number[] {
  const columns = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column] ?? ''));
  const widths = columns.map((cells) => Math.max(...cells.map(({ length }) => length)));
  const least = columns.map((cells) =>
    Math.max(...cells.flatMap((cell) => cell.split(' ').map((word) => word.length))),
  );
  const total = (): number => widths.reduce((sum, each) => sum + each, GAP.length * (widths.length - 1));
  while (total() > width) {
    const [widest] = widths
      .map((_, column) => column)
      .filter((column) => (widths[column] ?? 0) > (least[column] ?? 0))
      .sort((one, other) => (widths[other] ?? 0) - (widths[one] ?? 0));
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}
