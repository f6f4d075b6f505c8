import { Lexer, LineCounter, parseDocument } from 'yaml';
import { UsageError } from '../errors.ts';
import { formatCount } from '../text/count.ts';

/** Lists may stand once and be referred to. Each reference is looked up among all before it. */
const MOST_ALIASES = 2_000;
/** The lexer's mark before a text. */
const SCALAR = '\x1f';
/** What they may come to in all, where a list that is referred to refers to others. */
const MOST_ALIASED = 1_000_000;

/** Throws UsageError for what is not one YAML document. `name` is what messages call the text. */
export function parseYaml(text: string, name: string) {
  refuseManyAliases(text, name);
  const counter = new LineCounter();
  // YAML 1.2: `no` is a text. Its own drawing of the spot would need several lines.
  const options = { lineCounter: counter, prettyErrors: false, version: '1.2' } as const;
  // Its warnings would go to stderr by themselves, past what writes there.
  const document = parseDocument(text, { ...options, logLevel: 'error' });
  const [error] = document.errors;
  if (error !== undefined) {
    throw new UsageError(`${name} is not YAML: line ${counter.linePos(error.pos[0]).line}: ${error.message}`, {
      hint: 'Write - email: ana@example.com, and below it teams: [platform], under members:.',
      cause: error,
    });
  }
  return {
    value: toValue(document, name),
    /** The line, from 1, on which each item of the list under this key begins; of the list itself without a key. */
    itemLines(key: string | undefined): readonly number[] {
      const list = key === undefined ? document.contents : document.get(key, true);
      const items = isList(list) ? list.items : [];
      return items.map((item) => (hasRange(item) ? counter.linePos(item.range[0]).line : 0));
    },
  };
}

/** Before the text is parsed, which takes long too. */
function refuseManyAliases(text: string, name: string): void {
  let count = 0;
  let before = '';
  for (const token of new Lexer().lex(text)) {
    // What follows this mark is a text, whatever it begins with.
    if (token.startsWith('*') && before !== SCALAR) count += 1;
    before = token;
    if (count > MOST_ALIASES) {
      throw new UsageError(`${name} has more than ${formatCount(MOST_ALIASES)} references (*name)`, {
        hint: 'Write the teams out for each person.',
      });
    }
  }
}

function toValue(document: ReturnType<typeof parseDocument>, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASED });
  } catch (error) {
    throw new UsageError(`${name} has a reference (*name) to nothing, or too many`, {
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
