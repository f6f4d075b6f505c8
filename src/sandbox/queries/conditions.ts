import type { Value } from '../store.ts';

/** SQL, and what is bound to its question marks. */
type Condition = readonly [sql: string, ...values: Value[]];

/** What a row must meet: all conditions that are not false. */
export function allOf(...conditions: readonly (Condition | false)[]): { where: string; values: Value[] } {
  const wanted = conditions.filter((condition) => condition !== false);
  return { where: wanted.map(([sql]) => sql).join(' AND '), values: wanted.flatMap(([, ...values]) => values) };
}

/** Text as it is compared without case: the `…_folded` columns hold it like this. */
export function fold(text: string): string {
  return text.toLowerCase();
}
