import { UsageError } from '../lib/errors.ts';
import { isObject, type JsonObject } from '../lib/json.ts';
import { isSameName, sanitizeLine, suggest } from '../lib/text.ts';

/** A value as people read it. `now` in milliseconds since 1970. */
export type FormatCell = (value: unknown, record: JsonObject, now: number) => string;

export interface Column {
  header: string;
  /** A path into the record, such as `user.username`. */
  field: string;
  /** The fields that tsv and csv have in its place. */
  plainFields?: string[];
  /** For tables. tsv and csv have the value itself. */
  format?: FormatCell;
  align?: 'right';
  /** Has the colour of the state that it names. */
  isState?: boolean;
}

/** The columns and fields of a command, for every format. */
export interface Columns {
  /** For messages: `No teams.` */
  name: string;
  /** The first one identifies, and is never dropped. tsv and csv have the same columns. */
  table: Column[];
  /** For one thing: a line each, under a label. Without them each column is a line. */
  lines?: Pick<Column, 'field' | 'format' | 'isState' | 'header'>[];
  /** JSON has records as the service sent them, and related resources whole. */
  isAsSent?: boolean;
  /** Other fields that are known, for `--fields`. */
  fields?: string[];
  /** The service may send more fields: what is none of them is known once there is a record. */
  isOpen?: boolean;
}

/** For several organizations: which one a row is of comes first. */
export function withOrganization(columns: Columns): Columns {
  const first: Column = { header: 'ORGANIZATION', field: 'organization.id' };
  return { ...columns, table: [first, ...columns.table.filter(({ field }) => field !== first.field)] };
}

/** The value at a path. Undefined if there is none; of a list the values of its items. */
export function getField(record: unknown, path: string): unknown {
  if (Array.isArray(record)) return record.map((item) => getField(item, path));
  if (!isObject(record)) return undefined;
  if (Object.hasOwn(record, path)) return record[path];
  // A related resource that did not come along is called by its id.
  if (path === 'name' && typeof record.type === 'string') return record.id;
  const dot = path.indexOf('.');
  return dot < 0 ? undefined : getField(record[path.slice(0, dot)], path.slice(dot + 1));
}

/** A value as text, without anything that would steer a terminal. */
export function formatValue(value: unknown, separator = ','): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map((item) => formatValue(item)).join(separator);
  if (isObject(value)) {
    const { id, type, name = id } = value;
    // A related resource is called by its name.
    return sanitizeLine(typeof type === 'string' && typeof name === 'string' ? name : JSON.stringify(value));
  }
  return sanitizeLine(String(value));
}

/** The fields of tsv and csv. */
export function listPlainFields(columns: Pick<Column, 'field' | 'plainFields'>[]): string[] {
  return columns.flatMap(({ field, plainFields = [field] }) => plainFields);
}

export function pickFields(record: JsonObject, fields: string[]): JsonObject {
  return Object.fromEntries(fields.map((field) => [field, getField(record, field) ?? null]));
}

export function listFields({ table, lines = [], fields = [] }: Columns): string[] {
  return [...new Set([...table, ...lines].map(({ field }) => field).concat(fields))];
}

/** The columns of `--fields`. */
export function selectColumns(columns: Columns, fields: string[]): Columns {
  const table = fields.map(
    (field) => columns.table.find((column) => column.field === field) ?? { header: field.toUpperCase(), field },
  );
  return { ...columns, table, lines: table.map((column) => ({ ...column, header: column.field })) };
}

/**
 * Throws UsageError for a field that is neither known nor in a record. A header in place of a field is one. Without
 * records only what is known counts.
 */
export function assertFields(fields: string[], columns: Columns, records: JsonObject[]): void {
  const known = listFields(columns);
  const isKnown = (field: string): boolean =>
    known.some((name) => name === field || name.startsWith(`${field}.`)) ||
    records.some((record) => hasField(record, field));
  const unknown = fields.find((field) => !isKnown(field));
  if (unknown === undefined) return;
  const column = columns.table.find(({ header }) => isSameName(header, unknown));
  const meant = column ? `Did you mean ${column.field}?` : suggest(unknown, known);
  throw new UsageError(`unknown field '${sanitizeLine(unknown)}'`, {
    code: 'unknown-field',
    hint: `${meant ? `${meant} ` : ''}--fields help lists them.`,
  });
}

function hasField(record: JsonObject, field: string): boolean {
  const value = getField(record, field);
  return Array.isArray(value) ? value.some((item) => item !== undefined) : value !== undefined;
}

export const formatYes: FormatCell = (value) => (value === true ? 'yes' : value === false ? 'no' : formatValue(value));

export const formatCount: FormatCell = (value) =>
  typeof value === 'number' ? value.toLocaleString('en-US') : formatValue(value);
