import { copyError, UsageError } from '../lib/errors.ts';
import { isObject } from '../lib/json.ts';

const MAX_PROBLEMS = 20;

export interface Problem {
  /** Begins with the location of the item, if it has one: `line 3: it has no email`. */
  text: string;
  error: UsageError;
}

/** Throws one UsageError that names the problems of all items. `name`: the file that has them. */
export function mapAll<T, Result>(items: T[], map: (item: T) => Result, name?: string): Result[] {
  const { results, problems } = tryAll(items, map);
  assertNoProblems(problems, name);
  return results;
}

export function assertNoProblems(problems: Problem[], name?: string): void {
  const different = [...new Map(problems.map((problem) => [problem.text, problem])).values()];
  // `entry 2` comes before `entry 10`.
  const { compare } = new Intl.Collator('en', { numeric: true });
  if (name !== undefined) different.sort((one, other) => compare(one.text, other.text));
  const [only, other] = different;
  if (only === undefined) return;
  const source = name === undefined ? '' : `${name}: `;
  if (!other) throw copyError(only.error, { message: source + only.text });
  const lines = different.map(
    ({ text, error: { hint } }) => text + (isSuggestion(hint) ? ` (d${hint?.slice(1)})` : ''),
  );
  const more = different.length - MAX_PROBLEMS;
  throw new UsageError(`${source}${different.length} problems, nothing was sent`, {
    reasons: [...lines.slice(0, MAX_PROBLEMS), ...(more > 0 ? [`and ${more} more`] : [])],
    hint: different.find(({ error: { hint } }) => hint && !isSuggestion(hint))?.error.hint,
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
