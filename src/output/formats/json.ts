import { getField, isObject, type JsonObject } from '../../lib/json.ts';
import { sanitizeJson } from '../../lib/text.ts';
import type { Columns } from '../columns.ts';
import { collectRows, type Renderer, type RenderOptions } from '../renderer.ts';

export function createJson(options: RenderOptions): Renderer {
  const print = (value: unknown): string =>
    `${sanitizeJson(JSON.stringify(applyQuery(options, value), null, 2) ?? 'null')}\n`;
  return {
    rows: (columns) => collectRows((records) => print(records.map(createSelector(options, columns)))),
    one: (columns, record) => print(createSelector(options, columns)(record)),
  };
}

export function applyQuery({ query }: RenderOptions, value: unknown): unknown {
  return query ? query(value) : value;
}

/** Picks the fields of --fields, or all fields, of related resources only those that identify and those of the table. */
export function createSelector(
  { fields, query, isWhole }: RenderOptions,
  { table, isAsSent }: Columns,
): (record: JsonObject) => JsonObject {
  if (fields) return (record) => Object.fromEntries(fields.map((field) => [field, getField(record, field) ?? null]));
  if (query || isWhole || isAsSent) return (record) => record;
  const paths = table.map(({ field }) => field.split('.'));
  const isKept = (name: string, inner: string): boolean =>
    IDENTIFYING.includes(inner) || paths.some(([first, next]) => first === name && next === inner);
  return (record) =>
    Object.fromEntries(
      Object.entries(record).map(([name, value]) => [name, pick(value, (inner) => isKept(name, inner))]),
    );
}

const IDENTIFYING = ['id', 'type', 'name', 'username', 'email'];

function pick(value: unknown, isKept: (name: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => pick(item, isKept));
  if (!isObject(value) || typeof value.id !== 'string' || typeof value.type !== 'string') return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => isKept(name)));
}
