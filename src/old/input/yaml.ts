import { Lexer, LineCounter, parseDocument } from 'yaml';
import { UsageError } from '../errors.ts';
import { formatCount } from '../text/count.ts';

/** The most references to lists that stand once. Each is looked up among all before it. */
const MOST_ALIASES = 2_000;
/** The lexer's mark before a text. */
const SCALAR = '\x1f';
/** The most items that references come to in all, where a list that is referred to refers to others. */
const MOST_ALIASED = 1_000_000;

/** What to do about a text that can't be used, in the words of what it should be. */
export interface YamlHints {
  readonly form: string;
  /** Instead of references. */
  readonly spelledOut: string;
}

/** Names of keys and numbers of items, from the outermost in. */
type YamlPath = readonly (string | number)[];

/** Throws UsageError for what is not one YAML document. `name` is what messages call the text. */
export function parseYaml(text: string, name: string, { form, spelledOut }: YamlHints) {
  refuseManyAliases(text, name, spelledOut);
  const counter = new LineCounter();
  // In YAML 1.2 `no` is a text. The package's own drawing of the spot would need several lines.
  const options = { lineCounter: counter, prettyErrors: false, version: '1.2' } as const;
  const document = parse(text, { ...options, logLevel: 'error' }, name, form);
  const [error] = document.errors;
  if (error !== undefined) {
    throw new UsageError(`${name} is not YAML: line ${counter.linePos(error.pos[0]).line}: ${error.message}`, {
      hint: form,
      cause: error,
    });
  }
  return {
    value: toValue(document, name, spelledOut),
    /** The line, from 1, on which what stands at this path begins, or its key; 0 where there is none. */
    lineOf(path: YamlPath, part: 'key' | 'value' = 'value'): number {
      let place: Place = { value: document.contents };
      for (const step of path) place = findInside(place.value, step, document);
      const node = part === 'key' ? place.key : place.value;
      return hasRange(node) ? counter.linePos(node.range[0]).line : 0;
    },
  };
}

/** Before the text is parsed, which takes long too. */
function refuseManyAliases(text: string, name: string, hint: string): void {
  let count = 0;
  let before = '';
  for (const token of new Lexer().lex(text)) {
    // What follows this mark is a text, whatever it begins with.
    if (token.startsWith('*') && before !== SCALAR) count += 1;
    before = token;
    if (count > MOST_ALIASES) {
      throw new UsageError(`${name} has more than ${formatCount(MOST_ALIASES)} references (*name)`, { hint });
    }
  }
}

/** The parser calls itself for each level. Its warnings would go to stderr by themselves, past what writes there. */
function parse(text: string, options: Parameters<typeof parseDocument>[1], name: string, hint: string): YamlDocument {
  try {
    return parseDocument(text, options);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new UsageError(`${name} is nested deeper than anything means`, { hint, cause });
  }
}

type YamlDocument = ReturnType<typeof parseDocument>;

function toValue(document: YamlDocument, name: string, hint: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASED });
  } catch (error) {
    throw new UsageError(`${name} has a reference (*name) to nothing, or too many`, {
      reasons: [error instanceof Error ? error.message : String(error)],
      hint,
      cause: error,
    });
  }
}

interface Place {
  readonly key?: unknown;
  readonly value: unknown;
}

function findInside(outer: unknown, step: string | number, document: YamlDocument): Place {
  const node = isReference(outer) ? outer.resolve(document) : outer;
  const items = hasItems(node) ? node.items : [];
  const item = typeof step === 'number' ? items[step] : items.find((pair) => isPairOf(pair, step));
  return isPair(item) ? { key: item.key, value: item.value } : { value: item };
}

function hasItems(node: unknown): node is { readonly items: readonly unknown[] } {
  return typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items);
}

function isPair(item: unknown): item is { readonly key: unknown; readonly value: unknown } {
  return typeof item === 'object' && item !== null && 'key' in item && 'value' in item;
}

function isPairOf(item: unknown, name: string): boolean {
  if (!isPair(item)) return false;
  const { key } = item;
  return typeof key === 'object' && key !== null && 'value' in key && String(key.value) === name;
}

function isReference(node: unknown): node is { resolve(document: YamlDocument): unknown } {
  return typeof node === 'object' && node !== null && 'resolve' in node && typeof node.resolve === 'function';
}

function hasRange(node: unknown): node is { readonly range: readonly [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}
