import { UsageError } from '../lib/errors.ts';
import { assertVisible } from '../lib/input-text.ts';
import { type JsonObject, parseJson } from '../lib/json.ts';
import { quoteWord, suggest } from '../lib/text.ts';

/** The texts of attributes, by name. Throws UsageError for what is not `attribute=value`, and for `name`. */
export function parseAssignments(words: string[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const word of words) {
    assertVisible(word);
    const [, name = '', text = ''] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (name === '') {
      const isOrg = !word.includes('=') && words.some((other) => other.includes('='));
      throw new UsageError(`'${word}' is not attribute=value`, isOrg ? { hint: `Use --org ${quoteWord(word)}.` } : {});
    }
    if (name === 'name') throw new UsageError("name can't be changed here");
    if (texts.has(name)) throw new UsageError(`${name} is given twice`);
    texts.set(name, text);
  }
  return texts;
}

/** The attributes that can be changed here, as far as what is shown tells. */
export function listChangeable(shown: JsonObject): string[] {
  return Object.keys(shown).filter((name) => name !== 'name' && isSingle(shown[name]));
}

function isSingle(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

/** What the texts mean, each in the type that the organization shows. Throws UsageError. */
export function parseValues(texts: Map<string, string>, org: string, shown: JsonObject): JsonObject {
  const entries = [...texts].map(([name, text]) => {
    if (!Object.hasOwn(shown, name)) {
      const hint = suggest(name, listChangeable(shown)) ?? '`orgctl organizations show -o json` prints all.';
      throw new UsageError(`${org} shows no attribute '${name}'`, { hint });
    }
    if (!isSingle(shown[name])) throw new UsageError(`${name} can't be changed here: it is no single value`);
    return [name, parseValue(text, shown[name], name)];
  });
  return Object.fromEntries(entries);
}

/** Where null is shown, the text itself tells the type. */
function parseValue(text: string, shown: unknown, name: string): unknown {
  if (text === 'null') return null;
  if (typeof shown === 'string') return text;
  const value = text === text.trim() ? parseJson(text) : undefined;
  // A larger number would lose digits.
  const isExact = typeof value === 'number' && Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  const isLiteral = isExact || typeof value === 'boolean';
  if (shown === null) return isLiteral ? value : text;
  if (isLiteral && typeof value === typeof shown) return value;
  throw new UsageError(`${name} must be ${typeof shown === 'number' ? 'a number' : 'true or false'}, not '${text}'`);
}
