import { parse } from 'csv-parse/sync';
import { formatReason, UsageError } from '../lib/errors.ts';
import { assertNoRepeatedKey, isObject, type JsonObject, parseJson } from '../lib/json.ts';
import { unmarkFormulas } from '../lib/text.ts';

export interface Row {
  /** `line 3` or `entry 3`, for messages. */
  location: string;
  record: JsonObject;
}

export interface Rows {
  /** The header of CSV, or the keys of the JSON objects. */
  columns: string[];
  rows: Row[];
}

/** Undefined for a column that means nothing. */
type FindColumn = (name: string) => string | undefined;

const DELIMITERS = [',', ';', '\t'];
/** Spreadsheets read the delimiter from such a first line. */
const SEPARATOR_LINE = /^\s*"?sep=(.)"?[,;\t ]*(?=[\r\n]|$)/i;

/** Takes CSV, JSON and ndjson; a text without a header is one email a line. Throws UsageError. */
export function parseRows(content: string, name: string, findColumn: FindColumn): Rows {
  const [, separator] = SEPARATOR_LINE.exec(content) ?? [];
  // The end of that line stays, so that the numbers of lines are right.
  const text = content.replace(SEPARATOR_LINE, '').replace(/\r\n?/g, '\n');
  if (/^\s*[[{]/.test(text)) return parseObjects(text, name);
  const first = findHeader(text);
  if (first === undefined) throw new UsageError(`${name} is empty`);
  const count = (character: string): number => first.split(character).length;
  const delimiter = separator ?? DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best));
  const [header = []] = parseCsv(first, name, delimiter).map(({ cells }) => cells.map((column) => column.trim()));
  assertNoTwins(header, findColumn, `${name}: `);
  if (header.some((column) => findColumn(column) !== undefined)) return parseTable(text, name, delimiter, header);
  if (!first.includes('@')) {
    throw new UsageError(`${name} has no known column in its header: ${header.join(', ').slice(0, 200)}`, {
      hint: 'Columns: email, user, id, teams, organization',
    });
  }
  const emails = text.split('\n').map((line) => line.replace(/[,;\s]+$/, ''));
  const rows = emails.map((email, index) => ({ location: `line ${index + 1}`, record: { email } }));
  return { columns: ['email'], rows: rows.filter(({ record }) => hasText(record.email)) };
}

/** The first line with text; a line break in a quoted cell does not end it. */
export function findHeader(text: string): string | undefined {
  return text.match(/(?:[^"\r\n]+|"[^"]*"|")+/g)?.find(hasText);
}

function hasText(line: string): boolean {
  return /[^\s,;"]/.test(line);
}

/** Throws UsageError for two columns of one meaning, of which one would be dropped. */
export function assertNoTwins(columns: string[], findColumn: FindColumn, where = ''): void {
  const seen = new Map<string, string>();
  for (const column of columns) {
    const meaning = findColumn(column);
    if (meaning === undefined) continue;
    const before = seen.get(meaning);
    if (before !== undefined) throw new UsageError(`${where}the columns ${before} and ${column} mean the same`);
    seen.set(meaning, column);
  }
}

function parseTable(text: string, name: string, delimiter: string, columns: string[]): Rows {
  const [, ...lines] = parseCsv(text, name, delimiter);
  const rows = lines.map(({ line, cells }) => {
    const values = cells.map(unmarkFormulas);
    if (values.slice(columns.length).some(hasText)) {
      const counts = `line ${line} has ${values.length} cells, and the header ${columns.length}`;
      throw new UsageError(`${name} is not valid CSV: ${counts}`);
    }
    return {
      location: `line ${line}`,
      // A cell that is missing is undefined.
      record: Object.fromEntries(columns.map((column, at) => [column, values[at]])),
    };
  });
  return { columns, rows };
}

/** Leaves out rows without text. */
function parseCsv(text: string, name: string, delimiter: string): { line: number; cells: string[] }[] {
  try {
    const rows: { line: number; cells: string[] }[] = [];
    parse(text, {
      delimiter,
      skip_empty_lines: true,
      relax_column_count: true,
      onRecord(cells: string[], { lines }) {
        if (cells.some(hasText)) rows.push({ line: lines, cells });
        return null;
      },
    });
    return rows;
  } catch (error) {
    throw new UsageError(`${name} is not valid CSV: ${formatReason(error)}`, { cause: error });
  }
}

function parseObjects(text: string, name: string): Rows {
  const whole = parseJson(text);
  if (whole === undefined && text.trimStart().startsWith('[')) {
    throw new UsageError(`${name} is not valid JSON, or nested too deeply`);
  }
  const lines = text.split('\n').map((line) => (line.trim() === '' ? null : parseJson(line)));
  const [values, place] = whole === undefined ? [lines, 'line'] : [[whole].flat(), 'entry'];
  const rows = values.flatMap((value, index) => {
    const location = `${place} ${index + 1}`;
    if (isObject(value)) return [{ location, record: value }];
    if (value === null && place === 'line') return [];
    throw new UsageError(`${name} is not valid JSON: ${location} is not ${value === undefined ? 'JSON' : 'an object'}`);
  });
  assertNoRepeatedKey(text, name);
  return { columns: [...new Set(rows.flatMap(({ record }) => Object.keys(record)))], rows };
}
