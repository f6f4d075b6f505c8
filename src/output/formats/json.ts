import { isObject, type JsonObject } from '../../lib/json.ts';
import { sanitizeJson } from '../../lib/text.ts';
import { pickFields } from '../columns.ts';
import type { Renderer, RenderOptions } from '../renderer.ts';

export function createJson(options: RenderOptions): Renderer {
  const select = createSelection(options);
  const print = (value: unknown): string =>
    `${sanitizeJson(JSON.stringify(applyQuery(options, value), null, 2) ?? 'null')}\n`;
  return {
    rows() {
      const records: JsonObject[] = [];
      return {
        add(record) {
          records.push(select(record));
          return '';
        },
        end: () => print(records),
      };
    },
    one: (_columns, record) => print(select(record)),
  };
}

export function applyQuery({ query }: RenderOptions, value: unknown): unknown {
  return query ? query(value) : value;
}

/** Picks the fields of --fields, or everything, with related resources cut down to the fields that identify them. */
export function createSelection({ fields, query, isWhole }: RenderOptions): (record: JsonObject) => JsonObject {
  if (fields) return (record) => pickFields(record, fields);
  if (query || isWhole) return (record) => record;
  return (record) => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, identify(value)]));
}

const IDENTIFYING = ['id', 'type', 'name', 'username', 'email'];

function identify(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(identify);
  if (!isObject(value) || typeof value.id !== 'string' || typeof value.type !== 'string') return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => IDENTIFYING.includes(name)));
}
