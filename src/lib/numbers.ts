import { UsageError } from './errors.ts';

/** Throws UsageError; `name` is the option or setting that has the text. */
export function parseWholeNumber(text: string, name: string, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}): number {
  const number = Number(text);
  if (/^\s*\d+\s*$/.test(text) && number >= min && number <= max) return number;
  const above = min > 0 ? ` above ${min - 1}` : '';
  const upTo = max < Number.MAX_SAFE_INTEGER ? ` up to ${max}` : '';
  throw new UsageError(`${name} must be a whole number${above}${upTo}, not '${text}'`);
}
