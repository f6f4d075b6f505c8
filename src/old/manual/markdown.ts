import { lexer, type Token, type Tokens } from 'marked';
import { hang, wrap } from '../text/wrap.ts';

/** Topics are written in Markdown. */

/** The text as it is printed, with a final newline. Lines of code and single long words may be wider than `width`. */
export function renderMarkdown(markdown: string, width: number): string {
  const blocks = lexer(markdown).filter(({ type }) => type !== 'space');
  const lines = blocks.flatMap((block, index) => [...(index === 0 ? [] : ['']), ...renderBlock(block, width)]);
  return `${lines.join('\n')}\n`;
}

/** A cell of a table, whatever is in it. */
export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const toLine = (row: readonly string[]): string =>
    `| ${row.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [toLine(head), toLine(head.map(() => '---')), ...rows.map(toLine)].join('\n');
}

function renderBlock(block: Token, width: number): readonly string[] {
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return wrap(toPlain(block.tokens), width);
    case 'list':
      return (block as Tokens.List).items.flatMap(({ tokens }) => hang('- ', toPlain(tokens), width));
    case 'code':
      return (block as Tokens.Code).text.split('\n').map((line) => (line === '' ? '' : INDENT + line));
    case 'table': {
      const { header, rows } = block as Tokens.Table;
      const cells = [header, ...rows].map((row) => row.map(({ tokens }) => toPlain(tokens)));
      return renderTable(
        cells.filter((row) => row.some((cell) => cell !== '')),
        width,
      );
    }
    default:
      throw new TypeError(`topics have no ${block.type}`);
  }
}

/** Without marks of code, a link by its text, and lines that continue a sentence behind it. */
function toPlain(tokens: readonly Token[] = []): string {
  return tokens
    .map((token) => ('tokens' in token ? toPlain(token.tokens) : 'text' in token ? token.text : token.raw))
    .join('')
    .replaceAll('\n', ' ');
}

const INDENT = '  ';
const GAP = '  ';

function renderTable(rows: readonly (readonly string[])[], width: number): readonly string[] {
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
function fitColumns(rows: readonly (readonly string[])[], width: number): readonly number[] {
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
