import { isObject, type JsonObject } from './json.ts';

export function createOrgRecord(name: string): JsonObject {
  return { id: name, type: 'organizations' };
}

/** The value at a path; for a list, the values of its items. */
export function getField(record: unknown, path: string): unknown {
  if (Array.isArray(record)) return record.map((item) => getField(item, path));
  if (!isObject(record)) return undefined;
  if (Object.hasOwn(record, path)) return record[path];
  // A related resource that was not included has no name but its id.
  if (path === 'name' && typeof record.type === 'string') return record.id;
  const dot = path.indexOf('.');
  return dot < 0 ? undefined : getField(record[path.slice(0, dot)], path.slice(dot + 1));
}
