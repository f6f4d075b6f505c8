import { Argument, InvalidArgumentError, Option } from 'commander';

/** An option whose value a parser reads. */
export function option<Value>(
  flags: string,
  description: string,
  parse?: (value: string, previous: Value) => Value,
): Option {
  const created = new Option(flags, description);
  return parse ? created.argParser(parse) : created;
}

export function argument(name: string, description: string): Argument {
  return new Argument(name, description);
}

/** A repeated option adds its value. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

function parseCount(value: string): number {
  const count = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}

/** Options of every list that the service gives in pages. */
export const PAGE_OPTIONS: Option[] = [
  option('--limit <n>', 'maximum number of rows', parseCount),
  option('--page <n>', 'this page alone', parseCount),
  option('--page-size <n>', 'rows of a page', parseCount),
];
