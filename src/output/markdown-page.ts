import { Chalk } from 'chalk';
import Table from 'cli-table3';
import { NO_BORDERS } from './formats/table.ts';

const MAX_WIDTH = 100;
const MIN_COLUMN = 12;

/** Draws one of our own Markdown pages for a terminal: headings, code and tables. */
export function drawPage(markdown: string, { width, hasColor }: { width: number; hasColor: boolean }): string {
  const colors = new Chalk({ level: hasColor ? 1 : 0 });
  const drawWords = (text: string): string =>
    text.replace(/`([^`]+)`/g, (all, code: string) => (hasColor ? colors.cyan(code) : all));
  const drawBlock = (block: string): string => {
    if (block.startsWith('```')) {
      const lines = block.replace(/^```.*\n|\n?```$/g, '').split('\n');
      return lines.map((line) => (line ? `  ${colors.cyan(line)}` : '')).join('\n');
    }
    if (block.startsWith('#')) return colors.bold(block.replace(/^#+ /, ''));
    return block.startsWith('|')
      ? drawTable(block.split('\n'), Math.min(width, MAX_WIDTH), drawWords)
      : drawWords(block);
  };
  return markdown.replace(/^```[\s\S]*?^```$|^#.*$|(?:^\|.*\n?)+|^.+$/gm, drawBlock);
}

/** The last column takes what the others leave, and wraps. */
function drawTable(lines: string[], width: number, drawWords: (text: string) => string): string {
  const rows = lines
    .filter((line) => line !== '' && !/^\|[ :|-]+\|$/.test(line))
    .map((line) =>
      line
        .slice(1, -1)
        .split(/(?<!\\)\|/)
        .map((cell) => cell.trim().replaceAll('\\|', '|')),
    );
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => (row[at] ?? '').length)) + 2);
  const others = widths.slice(0, -1).reduce((sum, each) => sum + each, 0);
  const last = Math.max(MIN_COLUMN, Math.min(widths.at(-1) ?? 0, width - others));
  const table = new Table({
    chars: NO_BORDERS,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 2 },
    colWidths: [...widths.slice(0, -1), last],
    wordWrap: true,
  });
  table.push(...rows.map((row) => row.map(drawWords)));
  return `${table.toString().replaceAll(/ +$/gm, '')}\n`;
}
