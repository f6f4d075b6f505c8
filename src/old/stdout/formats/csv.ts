import { stringify } from 'csv-stringify/sync';
import { markFormulas } from '../../text/formulas.ts';
import { toSafeText } from '../../text/plain-text.ts';
import { toCellText } from '../cell.ts';
import type { CreateRenderer } from '../renderer.ts';
import { fromRows } from '../rows.ts';

export const createCsv: CreateRenderer = (options) =>
  fromRows(options, { header: (columns) => renderCsv([columns]), render: renderCsv });

/** Rows as RFC 4180 has them, ended by CR LF. Numbers stay numbers: a negative one is no formula. */
export function renderCsv(rows: readonly (readonly unknown[])[]): string {
  return stringify(
    rows.map((row) => row.map((value) => (typeof value === 'number' ? value : toCsvText(toCellText(value))))),
    {
      record_delimiter: 'windows',
      // Programs elsewhere separate cells by these.
      quoted_match: /[;|\t\n]/,
      // With one column an empty cell would be an empty line, which readers skip.
      quoted_empty: rows[0]?.length === 1,
    },
  );
}

function toCsvText(text: string): string {
  return markFormulas(toSafeText(text).replace(/\r\n?/g, '\n'));
}
