import { UsageError } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';

const MAX_PROBLEMS = 20;

export interface Problem {
  /** Begins with the location of the item, if it has one: `line 3: it has no email`. */
  text: string;
  error: UsageError;
}

interface Source {
  /** The file that has the items. */
  name?: string | undefined;
  /** Columns that are not used. */
  unknown?: string[];
  /** Gets the problems if some items have none, so that they can be named with those that are found later. */
  wrong?: Problem[] | undefined;
}

/** Throws one UsageError that names the problems of all items. */
export function mapAll<T, Result>(items: T[], map: (item: T, index: number) => Result, source: Source = {}): Result[] {
  const { results, problems } = tryAll(items, map);
  if (!source.wrong || results.length === 0) assertNoProblems(problems, source);
  source.wrong?.push(...problems);
  return results;
}

/** Throws UsageError that names the problems and the unknown columns. */
export function assertNoProblems(problems: Problem[], { name, unknown = [] }: Source = {}): void {
  const different = [...new Map(problems.map((problem) => [problem.text, problem])).values()];
  // `entry 2` comes before `entry 10`.
  const { compare } = new Intl.Collator('en', { numeric: true });
  if (name !== undefined) different.sort((one, other) => compare(one.text, other.text));
  const [only] = different;
  if (only === undefined) return;
  const isOne = different.length === 1;
  const text = isOne ? only.text : `${different.length} problems, nothing was sent`;
  const lines = different.map(
    ({ text: line, error: { hint } }) => line + (isSuggestion(hint) ? ` (d${hint?.slice(1)})` : ''),
  );
  const more = different.length - MAX_PROBLEMS;
  throw new UsageError(name === undefined ? text : `${name}: ${text}`, {
    reasons: [
      ...(isOne ? only.error.reasons : lines.slice(0, MAX_PROBLEMS)),
      ...(more > 0 ? [`and ${more} more`] : []),
      ...(unknown.length > 0 ? [`not used: ${unknown.join(', ')}`] : []),
    ],
    hint: different.find(({ error: { hint } }) => hint && (isOne || !isSuggestion(hint)))?.error.hint,
  });
}

const isSuggestion = (hint?: string): boolean => hint?.startsWith('Did you mean') === true;

export function tryAll<T, Result>(items: T[], map: (item: T, index: number) => Result) {
  const problems: Problem[] = [];
  const results = items.flatMap((item, index) => {
    try {
      return [map(item, index)];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const where = isObject(item) && item.location ? `${item.location}: ` : '';
      problems.push({ text: where + error.message, error });
      return [];
    }
  });
  return { results, problems };
}
