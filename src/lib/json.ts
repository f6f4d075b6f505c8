import { UsageError } from './errors.ts';

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** How a record names its organization. */
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

/** A deeper value would overflow the stack of code that walks through it. */
const MAX_DEPTH = 500;

/** Undefined for text that is not JSON, or is nested too deeply. */
export function parseJson(text: string): unknown {
  const value = parseUncheckedJson(text);
  return isDeeper(value, MAX_DEPTH) ? undefined : value;
}

export function parseUncheckedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

// Every answer passes here, and callbacks would take longer than plain loops.
function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (depth === 0) return true;
  for (const inner of Array.isArray(value) ? value : Object.values(value)) if (isDeeper(inner, depth - 1)) return true;
  return false;
}

/** Throws UsageError for a key that one object has twice: parsers drop its first value without a word. The text is valid JSON. */
export function assertNoRepeatedKey(json: string, name: string, hint?: string): void {
  const objects: Set<string>[] = [];
  const text = json.replace(/\\["\\]/g, (pair) => (pair === '\\"' ? '\\u0022' : '\\u005c'));
  for (const [part, written] of text.matchAll(/[{}]|("[^"]*")(?:\s*:)?/g)) {
    if (part === '{') objects.push(new Set());
    if (part === '}') objects.pop();
    if (written === undefined || part === written) continue;
    const key: string = JSON.parse(written);
    if (objects.at(-1)?.has(key)) throw new UsageError(`${name}: an object has the key ${key} twice`, { hint });
    objects.at(-1)?.add(key);
  }
}
