import {
  ArityError,
  IncompleteExpressionError,
  JMESPathTypeError,
  LexerError,
  ParseError,
  search,
  UnknownFunctionError,
  VariadicArityError,
} from '@aws-lambda-powertools/jmespath';
import { OrgctlError, toReason, UsageError } from '../errors.ts';
import { isQueryFault, toQueryFault } from './query-fault.ts';
import { countValues, createWork, type MostWork, type NoteField, toMostWork } from './query-work.ts';

/** What a JMESPath expression finds in a value; null where it finds nothing. Throws a query fault where a function can't take what it gets. */
export type Query = (value: unknown) => unknown;

const FUNCTIONS = 'The functions are listed at https://jmespath.org/specification.html.';
const HELP = "It is JMESPath, such as [?status=='invited'].email. More: orgctl help output";
const MOST_SHOWN = 24;

/** Runs something that takes long in a way that Ctrl-C can interrupt. */
export type Compute = <T>(act: () => T) => T;

/** What takes no longer than people notice. */
const QUICK: MostWork = { steps: 100_000, values: 100_000 };

/** Throws UsageError that names the place of a mistake, that of a function without a meaning too. */
export function parseQuery(expression: string, compute: Compute = (act) => act(), noteField?: NoteField): Query {
  if (expression.trim() === '') {
    throw new UsageError('--query is empty', { hint: "It takes a JMESPath expression, such as '[].email'." });
  }
  // The package remembers expressions as members of an object, which has some of its own, such as `constructor`.
  const text = `${expression} `;
  const run = (value: unknown, most: MostWork, note?: NoteField): unknown => {
    const work = createWork(most, note);
    // `work` is no option of the package: the build adds what calls it.
    const found: unknown = search(text, value as Parameters<typeof search>[1], { work } as object);
    // The package also finds members that objects inherit.
    if (found === undefined || typeof found === 'function') return null;
    work.print(found);
    return found;
  };
  refuseMistake(expression, () => run(null, QUICK));
  // Some expressions make too much of any value, so no request is sent for those.
  refuseMistake(expression, () => run({}, QUICK));
  for (const call of findCalls(expression)) {
    refuseMistake(expression, () => search(`${call.name}(${Array(call.count).fill('@').join(', ')})`, null), call);
  }
  return (value) => {
    try {
      return run(value, QUICK, noteField);
    } catch (error) {
      if (!isQueryFault(error)) throw toQueryFault(describe(error), error);
    }
    try {
      return compute(() => run(value, toMostWork(countValues(value)), noteField));
    } catch (error) {
      throw error instanceof OrgctlError ? error : toQueryFault(describe(error), error);
    }
  };
}

/** Runs an expression on nothing, or one of its calls by itself. What depends on the data is no mistake. */
function refuseMistake(expression: string, run: () => unknown, call?: Call): void {
  try {
    run();
  } catch (error) {
    // Errors of this kind in the whole expression are found when each call is tried by itself.
    if (call === undefined && (error instanceof UnknownFunctionError || error instanceof ArityError)) return;
    const at = `at character ${(call?.place ?? 0) + 1}`;
    if (error instanceof ParseError) {
      throw toUnreadable(expression, error instanceof IncompleteExpressionError ? undefined : error.lexPosition);
    }
    if (error instanceof LexerError) throw toUnreadable(expression, error.lexerPosition);
    if (error instanceof UnknownFunctionError) {
      throw new UsageError(`--query: JMESPath has no function ${call?.name} (${at})`, { hint: FUNCTIONS });
    }
    if (error instanceof ArityError) {
      const { expectedArity: wanted, actualArity: given } = error;
      const least = error instanceof VariadicArityError ? 'at least ' : '';
      const what = `${least}${wanted} argument${wanted === 1 ? '' : 's'}`;
      throw new UsageError(`--query: ${call?.name}() takes ${what}, not ${given} (${at})`, { hint: FUNCTIONS });
    }
    if (error instanceof JMESPathTypeError) return;
    if (isQueryFault(error)) throw error;
    if (error instanceof RangeError) throw new UsageError('--query is nested too deeply', { hint: HELP });
    throw new UsageError(`can't read --query: ${describe(error)}`, { hint: HELP });
  }
}

/** `place`: where what can't be read begins, from 0; undefined for the end. */
function toUnreadable(expression: string, place: number | undefined): UsageError {
  const characters = Array.from(expression);
  const rest = characters.slice(place ?? characters.length);
  // Shells and Markdown make people quote so.
  const help = expression.includes('`') ? `Write a text in single quotes. ${HELP}` : HELP;
  if (rest.join('').trim() === '') {
    return new UsageError(`can't read --query: something is missing at its end, after character ${characters.length}`, {
      hint: help,
    });
  }
  const shown = rest.length > MOST_SHOWN ? [...rest.slice(0, MOST_SHOWN), '…'] : rest;
  const [tail] = /^-[\w-]+/.exec(rest.join('')) ?? [];
  const name =
    characters
      .slice(0, place)
      .join('')
      .split(/[^\w-]/)
      .at(-1) ?? '';
  const isHyphenated = tail !== undefined && name !== '';
  return new UsageError(`can't read --query at character ${characters.length - rest.length + 1}: ${shown.join('')}`, {
    hint: isHyphenated ? `Put a name with a hyphen in double quotes: "${name}${tail}".` : help,
  });
}

interface Call {
  readonly name: string;
  /** From 0. */
  readonly place: number;
  /** Of its arguments. */
  readonly count: number;
}

/** The functions that an expression calls, wherever it does: only those that are reached are looked up when it runs. */
function findCalls(expression: string): readonly Call[] {
  const calls: Call[] = [];
  const open: { readonly call: Omit<Call, 'count'> | undefined; commas: number; isEmpty: boolean }[] = [];
  const characters = Array.from(expression);
  let name = '';
  let place = 0;
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? '';
    const inner = open.at(-1);
    if (character.trim() === '') continue;
    if (inner !== undefined && character !== ')') inner.isEmpty = false;
    if ('([{'.includes(character)) {
      const call = character === '(' && name !== '' ? { name, place } : undefined;
      open.push({ call, commas: 0, isEmpty: true });
    } else if (')]}'.includes(character)) {
      open.pop();
      if (inner?.call !== undefined) calls.push({ ...inner.call, count: inner.isEmpty ? 0 : inner.commas + 1 });
    } else if (character === ',') {
      if (inner !== undefined) inner.commas += 1;
    }
    if (name === '') place = at;
    name = /\w/.test(character) ? name + character : '';
    if ('"\'`'.includes(character)) at = findEnd(characters, at);
  }
  return calls;
}

/** Where the text ends that begins here. */
function findEnd(characters: readonly string[], begin: number): number {
  let at = begin + 1;
  while (at < characters.length && characters[at] !== characters[begin]) at += characters[at] === '\\' ? 2 : 1;
  return at;
}

/** The package's words, which end with the expression. */
function describe(error: unknown): string {
  const [words = ''] = toReason(error).split(' in expression: ');
  return words.charAt(0).toLowerCase() + words.slice(1);
}
