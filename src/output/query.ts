import { formatReason, UsageError } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';

export type Query = (value: unknown) => unknown;
type Search = (value: unknown, expression: string) => unknown;

const QUOTED = /"(\\.|[^"\\])*"|'(\\.|[^'\\])*'|`(\\.|[^`\\])*`/gs;

/** Throws UsageError for a mistake, and so does the returned function for a value that does not fit. */
export async function compileQuery(expression: string): Promise<Query> {
  const { default: jmespath } = await import('jmespath');
  // The package's types lack this function.
  const { compile } = jmespath as unknown as { compile(expression: string): unknown };
  const search: Search = jmespath.search;
  try {
    assertQuoted(expression);
    assertValid(compile(expression), search);
  } catch (error) {
    throw new UsageError(`--query: invalid JMESPath: ${formatReason(error)}`, { code: 'query' });
  }
  return (value) => {
    try {
      return search(value, expression);
    } catch (error) {
      throw new UsageError(`--query: ${formatReason(error)}`, { code: 'query', cause: error });
    }
  };
}

function assertQuoted(expression: string): void {
  const bare = expression.replace(QUOTED, '');
  const [hyphenated] = /\w+(-\w+)+/.exec(bare) ?? [];
  if (hyphenated !== undefined) throw new Error(`quote names with hyphens: '"${hyphenated}"'`);
  if (/["'`]/.test(bare)) throw new Error('a quote is not closed');
  if (/(?<![=!<>])=(?!=)/.test(bare)) throw new Error('compare with ==');
}

/** The package's parser leaves out parts that are missing, and knows no functions. */
function assertValid(node: unknown, search: Search): void {
  if (!isObject(node)) throw new Error('a part is missing');
  const { type, name, value } = node;
  const children = Array.isArray(node.children) ? node.children : [];
  if (type === 'Literal') return;
  if (type === 'Index' && Number.isNaN(value)) throw new Error('an index must be a number');
  if (type === 'ExpressionReference') throw new Error('& stands only before an argument of a function');
  if (type === 'Slice') {
    if (children.some(Number.isNaN) || children[2] === 0) throw new Error('a slice takes numbers, and no step of 0');
    return;
  }
  if (type === 'Function') assertCallable(String(name), children, search);
  for (const child of type === 'KeyValuePair' ? [value] : children) {
    assertValid(isReference(child) ? child.children[0] : child, search);
  }
}

/** Calls the function with a list, which shows whether it exists and what it takes, but not whether later values fit. */
function assertCallable(name: string, args: unknown[], search: Search): void {
  try {
    search([], `${name}(${args.map((arg) => (isReference(arg) ? '&@' : '@')).join()})`);
  } catch (error) {
    const reason = formatReason(error);
    if (!reason.startsWith('TypeError') || reason.includes('expression')) throw error;
  }
}

function isReference(node: unknown): node is { children: unknown[] } {
  return isObject(node) && node.type === 'ExpressionReference';
}
