import { parse } from 'marked';
import type { FormatName } from '../../src/output/formats.ts';

/** Parsers of orgctl's output formats, independent of the code that writes them. Each throws for other text. */

const PARSERS: Readonly<Record<FormatName, (text: string) => unknown>> = {
  json: JSON.parse,
  ndjson: parseJsonLines,
  csv: parseCsv,
  tsv: parseTsv,
  table: parseTable,
  markdown: parseMarkdown,
};

export function parseFormat(format: FormatName, text: string): unknown {
  return PARSERS[format](text);
}

/** One value a line, every line ended. */
export function parseJsonLines(text: string): readonly Readonly<Record<string, unknown>>[] {
  return toLines(text, '\n').map((line) => JSON.parse(line));
}

/** Rows of cells, all of one length. */
export function parseTsv(text: string): readonly (readonly string[])[] {
  return sameLength(
    toLines(text, '\n').map((line) =>
      line.split('\t').map((cell) => {
        if (/[\r\n]|\\(?![tnr\\])/.test(cell.replaceAll('\\\\', ''))) throw new Error(`no cell of tsv: ${cell}`);
        return cell;
      }),
    ),
  );
}

/** By RFC 4180, or with line feeds alone: the header and the rows, all of one length. */
export function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [];
  const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n)/y;
  let row: string[] = [];
  while (CELL.lastIndex < text.length) {
    const at = CELL.lastIndex;
    const match = CELL.exec(text);
    if (match === null) throw new Error(`no csv: ${JSON.stringify(text.slice(at, at + 80))}`);
    row.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === ',') continue;
    rows.push(row);
    row = [];
  }
  if (row.length > 0 || rows.length === 0) throw new Error('no csv: it has no header or ends within a row');
  return sameLength(rows);
}

/** What people read: a head and rows, labelled lines, or sentences with a sign; no line ends in blanks. */
function parseTable(text: string): readonly string[] {
  const lines = toLines(text, '\n');
  const isTable = /^[A-Z][A-Z0-9 ().-]*$/.test(lines[0] ?? '');
  for (const line of lines) {
    const isPart = isTable || /^(?:[✓✗!=+~-] |[A-Z][\w -]*: {2,}| {2})\S/.test(line) || / checks: /.test(line);
    if (!isPart || line !== line.trimEnd()) throw new Error(`no table: ${text}`);
  }
  return lines;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/**
 * One table, its head first: what a reader of the page sees in each cell. Addresses become links by themselves. Of an empty list
 * there is a sentence in its place.
 */
export function parseMarkdown(text: string): readonly (readonly string[])[] {
  if (text === '' || /^(?:No [a-z -]+|Nothing to do)\.\n$/.test(text)) return [];
  const html = parse(text, { async: false, gfm: true });
  if (!/^<table>[\s\S]*<\/table>\n$/.test(html) || html.split('<table>').length > 2)
    throw new Error(`no table: ${text}`);
  return sameLength(
    html
      .split('</tr>')
      .slice(0, -1)
      .map((row) =>
        [...row.matchAll(/<t[hd](?: align="right")?>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) => {
          const shown = cell.replace(/<a href="[^"]*">([^<]*)<\/a>/g, '$1').replaceAll('<br>', '\n');
          if (shown.includes('<')) throw new Error(`no text: ${cell}`);
          return shown.replace(/&(?:lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? '');
        }),
      ),
  );
}

function toLines(text: string, end: string): readonly string[] {
  if (text === '') return [];
  if (!text.endsWith(end)) throw new Error(`the last line has no end: ${JSON.stringify(text.slice(-80))}`);
  return text.slice(0, -end.length).split(end);
}

function sameLength<Row extends readonly unknown[]>(rows: readonly Row[]): readonly Row[] {
  const odd = rows.find((row) => row.length !== rows[0]?.length);
  if (odd !== undefined) throw new Error(`this row has another length than the first: ${JSON.stringify(odd)}`);
  return rows;
}
