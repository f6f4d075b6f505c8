import { formatReason, UsageError } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';

export type Query = (value: unknown) => unknown;

/** The arguments of each function: `e` is an expression such as `&name`, `v` a value, and `+` says that there may be more. */
const FUNCTIONS = new Map([
  ...['abs', 'avg', 'ceil', 'floor', 'keys', 'length', 'max', 'min', 'reverse', 'sort', 'sum', 'to_array', 'to_number']
    .concat('to_string', 'type', 'values')
    .map((name) => [name, 'v'] as const),
  ...['contains', 'ends_with', 'join', 'starts_with'].map((name) => [name, 'vv'] as const),
  ...['max_by', 'min_by', 'sort_by'].map((name) => [name, 've'] as const),
  ...['merge', 'not_null'].map((name) => [name, 'v+'] as const),
  ['map', 'ev'],
]);
const QUOTED = /"(\\.|[^"\\])*"|'(\\.|[^'\\])*'|`(\\.|[^`\\])*`/gs;

/** Throws UsageError for a mistake, and so does the returned function for a value that does not fit. */
export async function compileQuery(expression: string): Promise<Query> {
  const { default: jmespath } = await import('jmespath');
  // The package's types lack this function.
  const { compile } = jmespath as unknown as { compile(expression: string): unknown };
  const mistake = findMistake(expression, compile);
  if (mistake !== undefined) throw new UsageError(`--query: invalid JMESPath: ${mistake}`, { code: 'query' });
  return (value) => {
    try {
      return jmespath.search(value, expression);
    } catch (error) {
      throw new UsageError(`--query: ${formatReason(error)}`, { code: 'query', cause: error });
    }
  };
}

function findMistake(expression: string, compile: (expression: string) => unknown): string | undefined {
  const bare = expression.replace(QUOTED, '');
  const [hyphenated] = /\w+(-\w+)+/.exec(bare) ?? [];
  if (hyphenated !== undefined) return `quote names with hyphens: '"${hyphenated}"'`;
  if (/["'`]/.test(bare)) return 'a quote is not closed';
  if (/(?<![=!<>])=(?!=)/.test(bare)) return 'compare with ==';
  try {
    return findMistakeIn(compile(expression));
  } catch (error) {
    return formatReason(error);
  }
}

/** The package's parser leaves out parts that are missing, and knows no functions. */
function findMistakeIn(node: unknown, mayRefer = false): string | undefined {
  if (!isObject(node)) return 'a part is missing';
  const { type, name, value } = node;
  const children = Array.isArray(node.children) ? node.children : [];
  if (type === 'Literal') return undefined;
  if (type === 'Index') return Number.isNaN(value) ? 'an index must be a number' : undefined;
  if (type === 'Slice') return findMistakeInSlice(children);
  if (type === 'Function') return findMistakeInCall(String(name), children);
  if (type === 'ExpressionReference' && !mayRefer) return '& stands only before an argument of a function';
  const parts = type === 'KeyValuePair' ? [value] : children;
  return findFirst(parts, (part) => findMistakeIn(part));
}

function findMistakeInSlice(parts: unknown[]): string | undefined {
  if (parts.some(Number.isNaN)) return 'the parts of a slice must be numbers';
  return parts[2] === 0 ? 'the step of a slice must not be 0' : undefined;
}

function findMistakeInCall(name: string, args: unknown[]): string | undefined {
  const expected = FUNCTIONS.get(name);
  if (expected === undefined) return `unknown function ${name}()`;
  const [kinds, isOpen] = [expected.replace('+', ''), expected.endsWith('+')];
  if (isOpen ? args.length < kinds.length : args.length !== kinds.length) {
    return `${name}() takes ${isOpen ? 'at least ' : ''}${kinds.length}, not ${args.length} arguments`;
  }
  return findFirst(args, (arg, at) => {
    const isReference = isObject(arg) && arg.type === 'ExpressionReference';
    if (kinds[at] !== 'e') return findMistakeIn(arg);
    return isReference ? findMistakeIn(arg, true) : `argument ${at + 1} of ${name}() must begin with &`;
  });
}

function findFirst<T>(items: T[], find: (item: T, at: number) => string | undefined): string | undefined {
  for (const [at, item] of items.entries()) {
    const found = find(item, at);
    if (found !== undefined) return found;
  }
  return undefined;
}
