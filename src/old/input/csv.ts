import { type CsvError, parse } from 'csv-parse/sync';
import { unmarkFormulas } from '../text/formulas.ts';

/** Where a text stops being CSV. `line` from 1. */
export interface BrokenCsv {
  readonly line: number;
  readonly problem: string;
}

/**
 * Hands over each record with the line, from 1, on which it begins, the header first: lines that begin with # and empty ones
 * are passed over. Returns what could not be read, where there is any. `isPlain`: quotation marks are letters.
 */
export function readCsv(
  text: string,
  onRecord: (values: readonly string[], line: number) => void,
  { delimiter = ',', isPlain = false }: { readonly delimiter?: string; readonly isPlain?: boolean } = {},
): BrokenCsv | undefined {
  let lastRead = 0;
  let broken: CsvError | undefined;
  parse(text, {
    delimiter,
    ...(isPlain ? { quote: false } : {}),
    comment: '#',
    // An address or a team may hold a #.
    comment_no_infix: true,
    skip_empty_lines: true,
    trim: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    relax_quotes: true,
    skip_records_with_error: true,
    on_skip(error) {
      broken ??= error;
    },
    on_record(record: readonly string[], { lines }) {
      lastRead = lines;
      // The csv that orgctl prints has marks before formulas.
      onRecord(record.map(unmarkFormulas), lines - countBreaks(record));
      // The parser keeps what this returns.
      return null;
    },
  });
  return broken === undefined ? undefined : toBroken(broken, text, lastRead);
}

/** `lastRead`: the line where the last whole record ends. */
function toBroken(error: CsvError, text: string, lastRead: number): BrokenCsv {
  if (error.code !== 'CSV_QUOTE_NOT_CLOSED') {
    return { line: Number(error['lines']), problem: 'a quoted value goes on after its closing quotation mark' };
  }
  // The parser notices it at the end of the file, far from where it begins.
  const begins = text.split(/\r\n|\r|\n/).findIndex((line, index) => index >= lastRead && /^\s*[^\s#]/.test(line));
  return { line: begins + 1, problem: 'a quotation mark is never closed' };
}

function countBreaks(record: readonly string[]): number {
  return record.reduce((count, value) => count + (value.match(/\r\n|\r|\n/g)?.length ?? 0), 0);
}
