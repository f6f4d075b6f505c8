import { toSafeText } from '../../text/plain-text.ts';
import { toCellText } from '../cell.ts';
import type { CreateRenderer } from '../renderer.ts';
import { fromRows } from '../rows.ts';

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** Rows without a header, each ended by a newline. */
export const createTsv: CreateRenderer = (options) => fromRows(options, { header: () => '', render: renderTsv });

export function renderTsv(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(toTsvCell).join('\t')}\n`).join('');
}

function toTsvCell(value: unknown): string {
  return toSafeText(toCellText(value)).replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? '');
}
