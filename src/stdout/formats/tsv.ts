import { toSafeText } from '../../text/plain-text.ts';

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Rows without a header, each ended by a newline. */
export function renderTsv(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(toTsvCell).join('\t')}\n`).join('');
}

function toTsvCell(text: string): string {
  return toSafeText(text).replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '');
}
