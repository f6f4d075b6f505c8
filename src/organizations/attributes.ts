import { UsageError } from '../lib/errors.ts';
import { assertVisible } from '../lib/input-text.ts';
import type { JsonObject } from '../lib/json.ts';
import { suggest } from '../lib/text.ts';

/** The texts of attributes by their names. Throws UsageError for what is not `attribute=value`, and for `name`. */
export function parseAssignments(words: string[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const word of words) {
    assertVisible(word);
    const [, name, text] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (name === undefined || text === undefined) throw new UsageError(`'${word}' is not attribute=value`);
    if (name === 'name') throw new UsageError("name can't be changed here");
    if (texts.has(name)) throw new UsageError(`${name} is given twice`);
    texts.set(name, text);
  }
  return texts;
}

/** The attributes that can be changed here, as far as what is shown tells. */
export function listChangeable(shown: JsonObject): string[] {
  return Object.keys(shown).filter((name) => name !== 'name' && isPlain(shown[name]));
}

function isPlain(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** The values that the texts mean, each in the type that the organization shows. Throws UsageError. */
export function parseValues(texts: Map<string, string>, org: string, shown: JsonObject): JsonObject {
  const entries = [...texts].map(([name, text]) => {
    if (!Object.hasOwn(shown, name)) {
      const hint = suggest(name, listChangeable(shown)) ?? '`orgctl organizations show -o json` prints all.';
      throw new UsageError(`${org} shows no attribute '${name}'`, { hint });
    }
    if (!isPlain(shown[name])) throw new UsageError(`${name} can't be changed here: it is no single value`);
    return [name, parseValue(text, shown[name], name)];
  });
  return Object.fromEntries(entries);
}

const WORDS = new Map<string, unknown>([
  ['null', null],
  ['true', true],
  ['false', false],
]);

/** Where null is shown, the text itself tells the type. */
function parseValue(text: string, shown: unknown, name: string): unknown {
  if (text === 'null') return null;
  if (typeof shown === 'string') return text;
  const value = WORDS.get(text) ?? parseNumber(text);
  if (shown === null) return value ?? text;
  if (typeof value === typeof shown) return value;
  throw new UsageError(`${name} must be ${typeof shown === 'number' ? 'a number' : 'true or false'}, not '${text}'`);
}

/** Undefined for text that is no number of JSON, or one that would lose digits. */
function parseNumber(text: string): number | undefined {
  const isNumber = /^-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?$/i.test(text);
  return isNumber && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER ? Number(text) : undefined;
}
