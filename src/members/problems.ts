import { UsageError } from '../lib/errors.ts';

const MAX_PROBLEMS = 20;

/** Throws one UsageError that names every wrong row and the unknown columns. */
export function mapRows<T extends { location: string }, Result>(
  name: string,
  rows: T[],
  map: (row: T) => Result,
  unknown: string[] = [],
): Result[] {
  const { results, errors } = tryAll(rows, map);
  assertNoProblems(name, listRowProblems(errors), { unknown, hint: errors[0]?.error.hint });
  return results;
}

/** `line 3: it has no email` */
export function listRowProblems(errors: { item: { location: string }; error: UsageError }[]): string[] {
  return errors.map(({ item, error }) => `${item.location}: ${error.message}`);
}

/** Throws UsageError that names the problems and the unknown columns. */
export function assertNoProblems(
  name: string,
  problems: string[],
  { unknown = [], hint }: { unknown?: string[]; hint?: string | undefined } = {},
): void {
  const [only] = problems;
  if (only === undefined) return;
  const unused = unknown.length > 0 ? [`not used: ${unknown.join(', ')}`] : [];
  if (problems.length === 1) throw new UsageError(`${name}: ${only}`, { reasons: unused, hint });
  const reasons = [...listProblems(problems), ...unused];
  throw new UsageError(`${name} has ${problems.length} wrong rows, nothing was sent`, { reasons, hint });
}

/** Throws one UsageError with the errors of all people. */
export function mapPeople<T, Result>(people: T[], map: (person: T, index: number) => Result): Result[] {
  const { results, errors } = tryAll(people, map);
  const messages = [...new Set(errors.map(({ error }) => error.message))];
  const first = errors[0]?.error;
  if (!first) return results;
  if (messages.length === 1) throw first;
  const reasons = listProblems(messages);
  throw new UsageError(`${messages.length} problems, nothing was sent`, { reasons, hint: first.hint });
}

export function tryAll<T, Result>(items: T[], map: (item: T, index: number) => Result) {
  const errors: { item: T; error: UsageError }[] = [];
  const results = items.flatMap((item, index) => {
    try {
      return [map(item, index)];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      errors.push({ item, error });
      return [];
    }
  });
  return { results, errors };
}

function listProblems(problems: string[]): string[] {
  const more = problems.length - MAX_PROBLEMS;
  return more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `and ${more} more`] : problems;
}
