/** Parsers of orgctl's output formats, independent of the code that writes them. Each throws for other text. */

/** One value a line, every line ended. */
export function parseJsonLines(text: string): Record<string, unknown>[] {
  if (text !== '' && !text.endsWith('\n'))
    throw new Error(`the last line has no end: ${JSON.stringify(text.slice(-80))}`);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

/** By RFC 4180, or with line feeds alone: the header and the rows, all of one length. */
export function parseCsv(text: string): string[][] {
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
  const odd = rows.find(({ length }) => length !== rows[0]?.length);
  if (odd !== undefined) throw new Error(`this row has another length than the first: ${JSON.stringify(odd)}`);
  return rows;
}
