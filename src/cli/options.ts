import { Argument, InvalidArgumentError, Option } from 'commander';
import { UsageError } from '../lib/errors.ts';
import type { GlobalOptions } from './global-options.ts';

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

/** Adds the value of a repeated option. */
export function collect(value: string, previous: string[] = []): string[] {
  return [...previous, value];
}

/** Parses names separated by commas, and adds those of a repeated option. */
export function collectList(value: string, previous: string[] = []): string[] {
  const names = value.split(',').map((name) => name.trim());
  if (names.includes('')) throw new InvalidArgumentError('It has an empty name.');
  return [...previous, ...names];
}

export function parseWholeNumber(value: string): number {
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError('It must be a whole number.');
}

function parseCount(value: string): number {
  const count = Number(value);
  if (/^\d+$/.test(value) && Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It must be a whole number above 0.');
}

export const PAGE_OPTIONS: Option[] = [
  option('--limit <n>', 'maximum number of rows', parseCount),
  option('--page <n>', 'only this page', parseCount),
  option('--page-size <n>', 'rows of a page', parseCount),
];

export const INCLUDE_OPTION: Option = option(
  '--include <names>',
  'related resources to print whole, such as user, teams or organization',
  collectList,
);

/** For a command that prints no records. Throws UsageError. */
export function assertTextOrJson({ output = 'json', query, fields }: GlobalOptions, what: string): void {
  const given = [output !== 'json' && `-o ${output}`, query !== undefined && '--query', fields && '--fields'];
  const named = given.find(Boolean);
  if (named) throw new UsageError(`${named} does not go with ${what}`, { hint: 'Use -o json, or leave it out.' });
}
