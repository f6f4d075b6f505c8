import { UsageError } from '../lib/errors.ts';

const MAX_PROBLEMS = 20;

/** Throws one UsageError that names every wrong row and the unknown columns. */
export function mapRows<T extends { location: string }, Result>(
  name: string,
  rows: T[],
  map: (row: T) => Result,
  unknown: string[] = [],
): Result[] {
  const problems: string[] = [];
  let hint: string | undefined;
  const results = rows.flatMap((row) => {
    try {
      return [map(row)];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(`${row.location}: ${error.message}`);
      hint ??= error.hint;
      return [];
    }
  });
  assertNoProblems(name, problems, { unknown, hint });
  return results;
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
  const errors = new Map<string, UsageError>();
  const results = people.flatMap((person, index) => {
    try {
      return [map(person, index)];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      errors.set(error.message, error);
      return [];
    }
  });
  const [first] = errors.values();
  if (!first) return results;
  if (errors.size === 1) throw first;
  const reasons = listProblems([...errors.keys()]);
  throw new UsageError(`${errors.size} problems, nothing was sent`, { reasons, hint: first.hint });
}

function listProblems(problems: string[]): string[] {
  const more = problems.length - MAX_PROBLEMS;
  return more > 0 ? [...problems.slice(0, MAX_PROBLEMS), `and ${more} more`] : problems;
}
