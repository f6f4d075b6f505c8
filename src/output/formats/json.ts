import { isObject, type JsonObject } from '../../lib/json.ts';
import { sanitizeJson } from '../../lib/text.ts';
import { type Columns, pickFields } from '../columns.ts';
import type { Renderer, RenderOptions } from '../renderer.ts';

export function createJson(options: RenderOptions): Renderer {
  const print = (value: unknown): string =>
    `${sanitizeJson(JSON.stringify(applyQuery(options, value), null, 2) ?? 'null')}\n`;
  return {
    rows(columns) {
      const select = createSelector(options, columns);
      const records: JsonObject[] = [];
      return {
        add(record) {
          records.push(select(record));
          return '';
        },
        end: () => print(records),
      };
    },
    one: (columns, record) => print(createSelector(options, columns)(record)),
  };
}

export function applyQuery({ query }: RenderOptions, value: unknown): unknown {
  return query ? query(value) : value;
}

/** Picks the fields of --fields, or all fields, with only the identifying fields of related resources. */
export function createSelector(
  { fields, query, isWhole }: RenderOptions,
  { isAsSent }: Columns,
): (record: JsonObject) => JsonObject {
  if (fields) return (record) => pickFields(record, fields);
  if (query || isWhole || isAsSent) return (record) => record;
  return (record) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, identify(value)]));
}

const IDENTIFYING = ['id', 'type', 'name', 'username', 'email'];

function identify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(identify);
  if (!isObject(value) || typeof value.id !== 'string' || typeof value.type !== 'string') return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => IDENTIFYING.includes(name)));
}
