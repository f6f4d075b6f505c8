import { type Document, LineCounter, parseDocument, visit } from 'yaml';
import { UsageError } from '../errors.ts';

/** Lists may stand once and be referred to. Each reference is looked up among all before it. */
const MOST_ALIASES = 2_000;
/** What they may come to in all, where a list that is referred to refers to others. */
const MOST_ALIASED = 1_000_000;

export interface YamlText {
  readonly value: unknown;
  /** The line, from 1, on which each item of the list under this key begins; of the list itself without a key. */
  itemLines(key: string | undefined): readonly number[];
}

/** Throws UsageError for what is not one YAML document. `name` is what messages call the text. */
export function parseYaml(text: string, name: string): YamlText {
  const counter = new LineCounter();
  // YAML 1.2: `no` is a text. Its own drawing of the spot would need several lines.
  const options = { lineCounter: counter, prettyErrors: false, version: '1.2' } as const;
  // Its warnings would go to stderr by themselves, past everything that is told there.
  const document = parseDocument(text, { ...options, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) {
    throw new UsageError(`${name} is not YAML: line ${counter.linePos(error.pos[0]).line}: ${error.message}`, {
      hint: 'Write - email: ana@example.com, and below it teams: [platform], under members:.',
      cause: error,
    });
  }
  refuseManyAliases(document, name);
  return {
    value: toValue(() => document.toJS({ maxAliasCount: MOST_ALIASED }), name),
    itemLines(key) {
      const list = key === undefined ? document.contents : document.get(key, true);
      const items = isList(list) ? list.items : [];
      return items.map((item) => (hasRange(item) ? counter.linePos(item.range[0]).line : 0));
    },
  };
}

function refuseManyAliases(document: Document.Parsed, name: string): void {
  let count = 0;
  visit(document, {
    Alias() {
      count += 1;
      return count > MOST_ALIASES ? visit.BREAK : undefined;
    },
  });
  if (count <= MOST_ALIASES) return;
  throw new UsageError(`${name} holds more than ${MOST_ALIASES} references (*name)`, {
    hint: 'Write the teams out for each person.',
  });
}

function toValue(read: () => unknown, name: string): unknown {
  try {
    return read();
  } catch (error) {
    throw new UsageError(`${name} refers to itself too often, or to what it does not hold`, {
      reasons: [error instanceof Error ? error.message : String(error)],
      hint: 'Write the teams out for each person.',
      cause: error,
    });
  }
}

function isList(node: unknown): node is { readonly items: readonly unknown[] } {
  return typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items);
}

function hasRange(node: unknown): node is { readonly range: readonly [number, number, number] } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}
