import { UsageError } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';

const MAX_PROBLEMS = 20;

interface Source {
  /** The file that has the items. */
  name?: string;
  /** Columns that are not used. */
  unknown?: string[];
}

/** Throws one UsageError that names the problems of all items. */
export function mapAll<T, Result>(items: T[], map: (item: T, index: number) => Result, source?: Source): Result[] {
  const { results, problems, first } = tryAll(items, map);
  assertNoProblems(problems, source, first);
  return results;
}

/** Throws UsageError that names the problems and the unknown columns. */
export function assertNoProblems(problems: string[], { name, unknown = [] }: Source = {}, first?: UsageError): void {
  const different = [...new Set(problems)];
  const [only] = different;
  if (only === undefined) return;
  const isOne = different.length === 1;
  const text = isOne ? only : `${different.length} problems, nothing was sent`;
  const more = different.length - MAX_PROBLEMS;
  throw new UsageError(name === undefined ? text : `${name}: ${text}`, {
    reasons: [
      ...(isOne ? (first?.reasons ?? []) : different.slice(0, MAX_PROBLEMS)),
      ...(more > 0 ? [`and ${more} more`] : []),
      ...(unknown.length > 0 ? [`not used: ${unknown.join(', ')}`] : []),
    ],
    hint: first?.hint,
  });
}

/** Each problem begins with the location of the item, if it has one: `line 3: it has no email`. */
export function tryAll<T, Result>(items: T[], map: (item: T, index: number) => Result) {
  const problems: string[] = [];
  let first: UsageError | undefined;
  const results = items.flatMap((item, index) => {
    try {
      return [map(item, index)];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      first ??= error;
      problems.push(isObject(item) && item.location ? `${item.location}: ${error.message}` : error.message);
      return [];
    }
  });
  return { results, problems, first };
}
