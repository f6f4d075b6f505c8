import { toSafeText } from '../../text/plain-text.ts';

/** Rows as RFC 4180 has them, ended by CR LF. Numbers stay numbers: a negative one is no formula. */
export async function renderCsv(rows: readonly (readonly (string | number)[])[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync');
  return stringify(
    rows.map((row) => row.map((cell) => (typeof cell === 'number' ? cell : toCsvText(cell)))),
    {
      record_delimiter: 'windows',
      // A spreadsheet would run a cell that begins like a formula.
      escape_formulas: true,
      quoted_match: /[\t\n]/,
      // With one column an empty cell would be an empty line, which readers skip.
      quoted_empty: rows[0]?.length === 1,
    },
  );
}

function toCsvText(text: string): string {
  return toSafeText(text).replace(/\r\n?/g, '\n').replace(/^\n/, "'\n");
}
