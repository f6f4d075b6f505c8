export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** More would overflow the stack of what walks through a value. */
const MAX_DEPTH = 500;
const [QUOTE, BACKSLASH, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x7b, 0x7d];

/** Undefined for text that is not JSON, or is nested too deeply. */
export function parseJson(text: string): unknown {
  const value = parseDeepJson(text);
  return isDeeper(value, MAX_DEPTH) ? undefined : value;
}

/** Undefined for text that is not JSON. */
export function parseDeepJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

/** A key that one object has twice, since parsers drop its first value without a word. The text is valid JSON. */
export function findRepeatedKey(json: string): string | undefined {
  const objects: Set<string>[] = [];
  const colon = /\s*:/y;
  for (let at = 0; at < json.length; at += 1) {
    const start = at;
    const code = json.charCodeAt(at);
    if (code === OPEN_OBJECT) objects.push(new Set());
    if (code === CLOSE_OBJECT) objects.pop();
    if (code !== QUOTE) continue;
    for (at += 1; json.charCodeAt(at) !== QUOTE; at += 1) if (json.charCodeAt(at) === BACKSLASH) at += 1;
    colon.lastIndex = at + 1;
    if (!colon.test(json)) continue;
    const key: string = JSON.parse(json.slice(start, at + 1));
    if (objects.at(-1)?.has(key)) return key;
    objects.at(-1)?.add(key);
  }
  return undefined;
}
