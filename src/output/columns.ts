import { UsageError } from '../lib/errors.ts';
import { getField, isObject, type JsonObject } from '../lib/json.ts';
import { capitalize, isSameName, sanitizeLine, suggest } from '../lib/text.ts';
import { formatRelative, formatTime } from '../lib/time.ts';

/** Formats a value for people. `now` is milliseconds since 1970, and undefined if times stay as they are. */
export type FormatCell = (value: unknown, record: JsonObject, now: number | undefined) => string;

export interface Column {
  header: string;
  /** A path into the record, such as `user.username`. */
  field: string;
  /** Replaces `field` in tsv and csv. */
  plainFields?: string[];
  /** tsv and csv print the plain value. */
  format?: keyof typeof FORMATS | FormatCell;
  align?: 'right';
  /** The value names a state, which has a colour. */
  isState?: boolean;
}

export interface Columns {
  /** The first column identifies the row, and is never dropped. tsv and csv have the same columns. */
  table: Column[];
  /** The labelled lines of a single record; by default each column is a line. */
  lines?: Column[];
  /** JSON prints related resources whole. */
  isAsSent?: boolean;
  /** The names of other known fields, for `--fields`. */
  fields?: string;
  /** The text for an empty list, such as `no members found`. A function is called when the list was read. */
  empty?: string | (() => string);
  /** The service may send more fields, so `--fields` can be checked only with a record. */
  hasOtherFields?: boolean;
}

export const ORGANIZATION: Column = { header: 'ORGANIZATION', field: 'organization.id' };
export const ID: Column = { header: 'ID', field: 'id' };
export const STATUS: Column = { header: 'STATUS', field: 'status', isState: true };
export const RESULT: Column = { header: 'RESULT', field: 'result', isState: true };
export const ERROR: Column[] = [
  { header: 'CODE', field: 'error.code' },
  { header: 'ERROR', field: 'error.message' },
];

/** Adds the organization as the first column, for several organizations. */
export function withOrganization(columns: Columns): Columns {
  // The change comes first in a report of changes.
  if (columns.table[0]?.field === 'change') return columns;
  return { ...columns, table: [ORGANIZATION, ...columns.table.filter(({ field }) => field !== ORGANIZATION.field)] };
}

/** Formats a value as one line without control characters, which `clean` removes or replaces. */
export function formatValue(value: unknown, separator = ',', clean = sanitizeLine): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => formatValue(item, ',', clean)).join(separator);
  if (isObject(value)) {
    const { id, type, name = id } = value;
    return clean(typeof type === 'string' && typeof name === 'string' ? name : JSON.stringify(value));
  }
  return clean(String(value));
}

export function formatYes(value: unknown): string {
  if (typeof value !== 'boolean') return formatValue(value);
  return value ? 'yes' : 'no';
}

const FORMATS = {
  age: (value, _record, now) => formatRelative(formatValue(value), now),
  date: (value, _record, now) => formatTime(formatValue(value), now),
  count: (value) => (typeof value === 'number' ? value.toLocaleString('en-US') : formatValue(value)),
  yes: formatYes,
  /** Yes or no; a value that is not there is unknown. */
  flag: formatYes,
} satisfies Record<string, FormatCell>;

/** The text for people. */
export function formatCell({ field, format }: Column, record: JsonObject, now: number | undefined): string {
  const value = getField(record, field);
  const formatShown = typeof format === 'string' ? FORMATS[format] : format;
  return formatShown ? sanitizeLine(formatShown(value, record, now)) : formatValue(value, ', ');
}

/** `LAST USED` of a column is `Last used` before a line. */
export function formatLabel(header: string): string {
  if (/[a-z]/.test(header)) return header;
  const text = header.replace(/\b(?!(ID|UTC|SSO)\b)[A-Z]+\b/g, (word) => word.toLowerCase());
  return capitalize(text);
}

const STATE_COLORS = new Map([
  ...['active', 'current', 'ok'].map((state) => [state, 'green'] as const),
  ...['invited', 'expiring', 'full', 'unknown'].map((state) => [state, 'yellow'] as const),
  ...['failed', 'expired', 'not-permitted'].map((state) => [state, 'red'] as const),
]);

export function findStateColor(state: string): 'green' | 'yellow' | 'red' | undefined {
  return STATE_COLORS.get(state);
}

export function splitColumns(columns: Column[]): Column[] {
  return columns.flatMap((column) => column.plainFields?.map((field) => ({ header: field, field })) ?? [column]);
}

export function listPlainFields(columns: Column[]): string[] {
  return splitColumns(columns).map(({ field }) => field);
}

/** The cells of tsv and csv. */
export function formatPlain(columns: Column[], record: JsonObject): string[] {
  return listPlainFields(columns).map((field) => formatValue(getField(record, field)));
}

export function listFields({ table, lines = [], fields }: Columns): string[] {
  return [...new Set([...table, ...lines].map(({ field }) => field).concat(fields?.split(' ') ?? []))];
}

export function selectColumns(columns: Columns, fields: string[]): Columns {
  const table = fields.map(
    (field) => columns.table.find((column) => column.field === field) ?? { header: field.toUpperCase(), field },
  );
  return { ...columns, table, lines: table.map((column) => ({ ...column, header: column.field })) };
}

/** Throws UsageError for a field that is neither known nor in a record. */
export function assertFields(fields: string[], columns: Columns, records: JsonObject[]): void {
  const known = listFields(columns);
  const isKnown = (field: string): boolean =>
    known.some((name) => name === field || name.startsWith(`${field}.`)) ||
    records.some((record) => [getField(record, field)].flat().some((value) => value !== undefined));
  const unknown = fields.find((field) => !isKnown(field));
  if (unknown === undefined) return;
  const column = columns.table.find(({ header }) => isSameName(header, unknown));
  const suggestion = column ? `Did you mean ${column.field}?` : suggest(unknown, known);
  throw new UsageError(`unknown field '${sanitizeLine(unknown)}'`, {
    code: 'unknown-field',
    hint: `${suggestion ? `${suggestion} ` : ''}--fields help lists them.`,
  });
}
