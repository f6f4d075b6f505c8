import { copyError, UsageError } from './errors.ts';
import { isObject } from './json.ts';

const MAX_PROBLEMS = 20;

/** Throws one UsageError that names the problems of all items. `name`: the file that has them. */
export function mapAll<T, Result>(items: T[], map: (item: T) => Result, name?: string): Result[] {
  const { results, problems } = tryAll(items, map);
  assertNoProblems(problems, name);
  return results;
}

export function assertNoProblems(problems: UsageError[], name?: string): void {
  const different = [...new Map(problems.map((problem) => [problem.message, problem])).values()];
  // `entry 2` comes before `entry 10`.
  const { compare } = new Intl.Collator('en', { numeric: true });
  if (name !== undefined) different.sort((one, other) => compare(one.message, other.message));
  const [only, other] = different;
  if (only === undefined) return;
  const source = name === undefined ? '' : `${name}: `;
  if (!other) throw copyError(only, { message: source + only.message });
  const lines = different.map(({ message, hint }) => message + (isSuggestion(hint) ? ` (d${hint?.slice(1)})` : ''));
  const more = different.length - MAX_PROBLEMS;
  throw new UsageError(`${source}${different.length} problems, nothing was sent`, {
    reasons: [...lines.slice(0, MAX_PROBLEMS), ...(more > 0 ? [`and ${more} more`] : [])],
    hint: different.find(({ hint }) => hint && !isSuggestion(hint))?.hint,
  });
}

const isSuggestion = (hint?: string): boolean => hint?.startsWith('Did you mean') === true;

/** The messages of problems begin with the location of the item, if it has one: `line 3: it has no email`. */
export function tryAll<T, Result>(items: T[], map: (item: T, index: number) => Result) {
  const problems: UsageError[] = [];
  const results = items.flatMap((item, index) => {
    try {
      return [map(item, index)];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      const where = isObject(item) && item.location ? `${item.location}: ` : '';
      problems.push(copyError(error, { message: where + error.message }));
      return [];
    }
  });
  return { results, problems };
}
