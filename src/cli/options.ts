import { Argument, Option } from 'commander';
import type { Client } from '../api/client.ts';
import type { ConfigStore } from '../config/store.ts';
import { UsageError } from '../lib/errors.ts';
import { joinNames } from '../lib/text.ts';
import { parseWholeNumber } from '../lib/time.ts';
import { type Columns, listFields } from '../output/columns.ts';

interface CompletionRequest {
  text: string;
  operands: string[];
  columns: Columns | undefined;
  open(): Promise<{ client: Client; store: ConfigStore; org(): string }>;
}

/** Offers values for an option or argument. What doesn't begin with `text` is left out later. */
export type Complete = (request: CompletionRequest) => readonly string[] | Promise<readonly string[]>;

type CamelCase<Text extends string> = Text extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Text;

/** `ignoreMissing` of `--ignore-missing`, `search` of `-s, --search <text>`, `color` of `--no-color`. */
type OptionName<Flags extends string> = Flags extends `${infer Long} <${string}`
  ? OptionName<Long>
  : Flags extends `${string}--no-${infer Name}`
    ? CamelCase<Name>
    : Flags extends `${string}--${infer Name}`
      ? CamelCase<Name>
      : never;

export class TypedOption<Name extends string = string, Value = unknown> extends Option {
  complete?: Complete;
  declare readonly types: { name: Name; value: Value };
}

export class TypedArgument<Value = unknown> extends Argument {
  complete?: Complete;
  declare readonly value: Value;
}

export type OptionValues<Options extends readonly TypedOption[]> = {
  [Each in Options[number] as Each['types']['name']]: Each['types']['value'];
};

interface ValueSettings {
  choices?: readonly string[];
  complete?: Complete;
  /** Throws UsageError that begins with `name`, which is `--limit`, or `version` of an argument. */
  parse?(text: string, name: string, previous?: unknown): unknown;
}

interface OptionSettings extends ValueSettings {
  default?: string;
  isRequired?: boolean;
  isHidden?: boolean;
  group?: string;
}

type ParsedValue<Given, Plain> = Given extends { parse(...args: never): infer Value }
  ? Value
  : Given extends { choices: readonly (infer Value)[] }
    ? Value
    : Plain;

type OptionValue<Flags extends string, Given> =
  | ParsedValue<Given, Flags extends `${string}<${string}` ? string : boolean>
  | (Given extends { default: string } | { isRequired: true } ? never : undefined);

export function option<const Flags extends string, const Given extends OptionSettings = object>(
  flags: Flags,
  description: string,
  settings?: Given & OptionSettings,
): TypedOption<OptionName<Flags>, OptionValue<Flags, Given>> {
  const created = new TypedOption<OptionName<Flags>, OptionValue<Flags, Given>>(flags, description);
  const { default: text, isRequired = false, isHidden = false, group, ...shared }: OptionSettings = settings ?? {};
  created.complete = shared.complete;
  configure(created, created.long ?? flags, shared);
  if (text !== undefined) created.default(created.parseArg?.(text, undefined) ?? text, text);
  if (group) created.helpGroup(group);
  return created.makeOptionMandatory(isRequired).hideHelp(isHidden);
}

type ArgumentValue<Flags extends string, Value> = Flags extends `${string}...${string}`
  ? Value[]
  : Flags extends `<${string}`
    ? Value
    : Value | undefined;

export function argument<const Flags extends string, const Given extends ValueSettings = object>(
  flags: Flags,
  description: string,
  settings?: Given & ValueSettings,
): TypedArgument<ArgumentValue<Flags, ParsedValue<Given, string>>> {
  const created = new TypedArgument<ArgumentValue<Flags, ParsedValue<Given, string>>>(flags, description);
  created.complete = settings?.complete;
  configure(created, created.name(), settings ?? {});
  return created;
}

/** Each word of a repeated argument is parsed, and they make a list. */
function configure(created: Option | Argument, name: string, { choices, parse }: ValueSettings): void {
  const parseChoice = (text: string): string => {
    if (!choices || choices.includes(text)) return text;
    throw new UsageError(`${name} must be ${joinNames(choices, 'or')}, not '${text}'`);
  };
  const parseWord = parse ?? parseChoice;
  if (choices) created.choices(choices);
  if (created instanceof Argument && created.variadic) {
    created.argParser<unknown[]>((text, words = []) => [...words, parseWord(text, name)]);
  } else if (choices || parse) created.argParser<unknown>((text, previous) => parseWord(text, name, previous));
}

export function collect(text: string, _name: string, previous: string[] = []): string[] {
  return [...previous, text];
}

/** Parses names separated by commas, and adds those of a repeated option. */
export function collectList(text: string, name: string, previous: string[] = []): string[] {
  const names = text.split(',').map((each) => each.trim());
  if (names.includes('')) throw new UsageError(`${name} has an empty name`);
  return [...previous, ...names];
}

function parseCount(text: string, name: string): number {
  return parseWholeNumber(text, name, { min: 1 });
}

export const COUNT_OPTION = option('--count-by <field>', 'count the rows with each value of this field', {
  complete: ({ columns }) => (columns ? listFields(columns) : []),
});

export const LIST_OPTIONS = [
  COUNT_OPTION,
  option('--limit <n>', 'maximum number of rows', { parse: parseCount }),
  option('--page <n>', 'only this page', { parse: parseCount }),
  option('--page-size <n>', 'rows per page', { parse: parseCount }),
] as const;

export const INCLUDE_OPTION = option(
  '--include <names>',
  'related resources to print whole, such as user, teams or organization',
  { parse: collectList },
);

export const FILE_OPTION = option('--file <path>', 'CSV with a header, one email a line, or JSON; - is stdin');
