import { parse } from 'csv-parse/sync';
import { formatReason, UsageError } from '../lib/errors.ts';
import { isObject, type JsonObject, parseJson } from '../lib/json.ts';
import { unmarkFormulas } from '../lib/text.ts';

interface Row {
  /** `line 3` or `entry 3`, for messages. */
  location: string;
  record: JsonObject;
}

export interface Rows {
  /** The header of CSV, or the keys of the JSON objects. */
  columns: string[];
  rows: Row[];
}

const DELIMITERS = [',', ';', '\t'];

/** Takes CSV, JSON and ndjson; a text without a header is one email a line. Throws UsageError. */
export function parseRows(content: string, name: string, isHeader: (column: string) => boolean): Rows {
  const text = content.replace(/^\ufeff/, '');
  const start = text.trimStart();
  if (start === '') throw new UsageError(`${name} is empty`);
  if (/^[[{]/.test(start)) return parseObjects(text, name);
  const [first = ''] = start.split(/\r?\n|\r/, 1);
  const delimiter = DELIMITERS.reduce((best, one) => (count(first, one) > count(first, best) ? one : best));
  const header = parseCsv(first, name, delimiter)[0]?.cells.map((column) => column.trim()) ?? [];
  if (header.some(isHeader)) return parseTable(text, name, delimiter, header);
  if (!first.includes('@')) {
    throw new UsageError(`${name} has no known column in its header: ${header.join(', ')}`, {
      hint: 'Columns: email, user, id, teams, organization',
    });
  }
  const lines = text.split(/\r\n|\n|\r/).map((line, index) => ({ location: `line ${index + 1}`, email: line.trim() }));
  const rows = lines.filter(({ email }) => email !== '');
  return { columns: ['email'], rows: rows.map(({ location, email }) => ({ location, record: { email } })) };
}

function count(text: string, character: string): number {
  return text.split(character).length;
}

function parseTable(text: string, name: string, delimiter: string, columns: string[]): Rows {
  const [, ...lines] = parseCsv(text, name, delimiter);
  const rows = lines.map(({ line, cells }) => {
    const values = cells.map((cell) => unmarkFormulas(cell.trim()));
    return {
      location: `line ${line}`,
      record: Object.fromEntries(columns.map((column, at) => [column, values[at] ?? ''])),
    };
  });
  return { columns, rows };
}

function parseCsv(text: string, name: string, delimiter: string): { line: number; cells: string[] }[] {
  try {
    const options = {
      delimiter,
      info: true,
      skip_empty_lines: true,
      relax_column_count_less: true,
    } as const;
    // The types of csv-parse don't know that `info` changes the shape of a record.
    const records = parse(text, options) as unknown as { info: { lines: number }; record: string[] }[];
    return records.map(({ info, record }) => ({ line: info.lines, cells: record }));
  } catch (error) {
    throw new UsageError(`${name} is not valid CSV: ${formatReason(error)}`, { cause: error });
  }
}

function parseObjects(text: string, name: string): Rows {
  const whole = parseJson(text);
  const lines = text.split('\n').map((line, index) => ({ line, location: `line ${index + 1}` }));
  const entries =
    whole === undefined
      ? lines
          .filter(({ line }) => line.trim() !== '')
          .map(({ line, location }) => ({ value: parseJson(line), location }))
      : [whole].flat().map((value, index) => ({ value, location: `entry ${index + 1}` }));
  const rows = entries.map(({ value, location }) => {
    if (isObject(value)) return { location, record: value };
    throw new UsageError(`${name} is not valid JSON: ${location} is not an object`);
  });
  return { columns: [...new Set(rows.flatMap(({ record }) => Object.keys(record)))], rows };
}
