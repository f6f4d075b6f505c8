import { Argument, Option } from 'commander';
import { UsageError } from '../errors.ts';
import { formatCount } from '../text/count.ts';

/** One argument or option of a verb: how it is written, what help says of it, what a shell offers for it, how it is read. */
export interface Param<Value = unknown> extends Details {
  /** As help shows it: `<team>`, `[member...]`, `-s, --search <text>`. */
  readonly usage: string;
  readonly summary: string;
  /** Where it may be given again, or has several values: takes one more word. */
  readonly collect?: (word: string, before?: readonly string[]) => readonly string[];
  /**
   * The value of what was given, undefined where nothing was. `name`: as messages call it. `now`: milliseconds since 1970. Throws
   * UsageError.
   */
  read(given: unknown, name: string, now: number): Value;
}

/** Why a command can't do without a parameter. */
export interface Need {
  /** What it is, in the message where it is missing. */
  readonly is?: string;
  /** As it could be given, such as `--dir dist`: of a function, with what else was given. */
  readonly example?: string | ((values: Readonly<Record<string, unknown>>) => string);
  /** What to do where it alone is missing. The example where left out, or how the command is called. */
  readonly hint?: string;
  readonly next?: readonly string[];
  /** Parameters, by their keys, of which each can stand in for it. */
  readonly or?: readonly string[];
  /** The parameter, by its key, that can't be given without it. Another one may take the place of both. */
  readonly beside?: string;
}

/** What not every parameter has. */
export interface Details {
  readonly need?: Need;
  /** The setting that gives the value where the command line does not. Never with the sandbox. */
  readonly setting?: 'to' | 'expires';
  readonly complete?: Completion;
  /** The only values that it takes. */
  readonly choices?: readonly string[];
  /** Several may stand in one word, separated by commas; a shell offers more behind one. */
  readonly isList?: true;
  /** Help leaves it out. */
  readonly isHidden?: true;
}

/** Names that only the service knows. */
export type LiveKind =
  | 'organizations'
  | 'teams'
  | 'providers'
  | 'people'
  | 'invited people'
  /** Of the sandbox, whatever service is in use. */
  | 'sandbox invitations'
  | 'tokens';

/** What a shell offers. */
export type Completion =
  | LiveKind
  /** Those that are stored here. */
  | 'profiles'
  | 'private providers'
  | 'files'
  /** Where a secret can go. */
  | 'places'
  /** What the verb prints. */
  | 'fields'
  /** Topics, and the words of commands. */
  | 'help'
  /** What the arguments before it decide. */
  | ((before: readonly string[]) => Completion | undefined)
  | readonly (string | Candidate)[];

export interface Candidate {
  readonly word: string;
  readonly description?: string;
}

export type Params = Readonly<Record<string, Param>>;

/** The values of parameters, by their keys. */
export type Values<Of extends Params> = {
  readonly [Key in keyof Of]: Of[Key] extends Param<infer Value> ? Value : never;
};

/** An argument in `<>` has a value, one with `...` many; others are undefined where they are left out. */
type Given<Usage extends string, Value> = Usage extends `${string}...${string}`
  ? readonly Value[]
  : Usage extends `<${string}`
    ? Value
    : Value | undefined;

/** Throws UsageError that names the parameter or the text. */
type Read<Value> = (text: string, name: string, now: number) => Value;

/** A text that is not empty. `toHint`: what to do about one that is, where that is the parameter's `name`. */
export function filled(toHint: (name: string) => string): Read<string> {
  return (given, name) => {
    if (given.trim() !== '') return given;
    throw new UsageError(`${name} is empty`, { hint: toHint(name) });
  };
}

/** One with a value. */
export function valued<const Usage extends string, Value>(
  usage: Usage,
  summary: string,
  read: Read<Value>,
  details: Details = {},
): Param<Given<Usage, Value>> {
  return {
    usage,
    summary,
    ...details,
    read(given, name, now) {
      const value = Array.isArray(given)
        ? readEach(details.isList ? given.flatMap(splitList) : given, (text) => read(text, name, now))
        : given === undefined
          ? undefined
          : read(given as string, name, now);
      return value as Given<Usage, Value>;
    },
  };
}

/** Throws everything that is wrong, at once. */
function readEach<Value>(words: readonly string[], read: (text: string) => Value): readonly Value[] {
  const wrong: UsageError[] = [];
  const values = words.flatMap((word): readonly Value[] => {
    try {
      return [read(word)];
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      wrong.push(error);
      return [];
    }
  });
  const [first] = wrong;
  if (first === undefined) return values;
  const reasons = [...new Set(wrong.map(({ message }) => message))];
  if (reasons.length === 1) throw first;
  const hint = [...new Set(wrong.flatMap((each) => each.hint ?? []))];
  throw new UsageError(`${formatCount(reasons.length)} arguments can't be used`, {
    reasons,
    ...(hint.length === 0 ? {} : { hint: hint.join(' ') }),
  });
}

/** `a,b` is two, and so is `a, b,`: without the blanks around them. */
function splitList(word: string): readonly string[] {
  const parts = word.split(',').map((part) => part.trim());
  return parts.length === 1 ? parts : parts.filter((part) => part !== '');
}

/** One whose value stays as it was given. */
export function text<const Usage extends string>(
  usage: Usage,
  summary: string,
  details?: Details,
): Param<Given<Usage, string>> {
  return valued(usage, summary, (given) => given, details);
}

/** One that takes nothing but these. */
export function choice<const Usage extends string, const Value extends string>(
  usage: Usage,
  summary: string,
  choices: readonly Value[],
): Param<Given<Usage, Value>> {
  return valued(usage, summary, (given) => given as Value, { choices, complete: choices });
}

/** An option without a value. Its value is whether it was given, of one that begins with `--no-` too. */
export function flag(usage: string, summary: string, details: Details = {}): Param<boolean> {
  return {
    usage,
    summary,
    ...details,
    read: (given) => (usage.startsWith('--no-') ? given === false : given === true),
  };
}

/** An option with names, separated by commas or by being given again; each of them once. */
export function names(usage: string, summary: string, details: Details = {}): Param<readonly string[] | undefined> {
  return {
    usage,
    summary,
    ...details,
    isList: true,
    collect: collectNames,
    read: (given) => given as readonly string[] | undefined,
  };
}

/** An option that may be given again. */
export function repeated(usage: string, summary: string, details: Details = {}): Param<readonly string[]> {
  return { usage, summary, ...details, collect: collectValues, read: (given = []) => given as readonly string[] };
}

/** One that must be given, here or by its setting. Its value is undefined only where a parameter of `or` is given in its place. */
export function needed<Value>(param: Param<Value>, need: Need): Param<Exclude<Value, undefined>> {
  return { ...param, need } as Param<Exclude<Value, undefined>>;
}

/** The same, but for these parameters, by their keys, that can be given in its place. */
export function insteadOf<Value>(param: Param<Value>, ...or: readonly string[]): Param<Value> {
  return { ...param, need: { ...param.need, or } };
}

/** As messages call it: an option by its long name, an argument as help shows it. */
export function toName({ usage }: Param): string {
  return usage.split(' ').find((word) => word.startsWith('--')) ?? usage;
}

/** The options that were given: by name, or with `isWhole` as words of a command that does the same. */
export function listGiven<Of extends Params>(options: Of, values: Values<Of>, isWhole = false): readonly string[] {
  return Object.entries(options).flatMap(([key, param]) => {
    const value: unknown = values[key];
    if (value === undefined || value === false) return [];
    if (!isWhole) return [toName(param)];
    const [name = ''] = param.usage.replace(',', '').split(' ');
    if (value === true) return [name];
    const words = param.isList ? [[value].flat().join(',')] : [value].flat();
    return words.flatMap((word) => [name, `${word}`]);
  });
}

type Carrier = { readonly param?: Param };

export function toOption(param: Param): Option {
  const { usage, summary, choices, collect, isList, isHidden } = param;
  const option = new Option(usage, summary);
  if (choices !== undefined) option.choices(choices);
  if (collect !== undefined) option.argParser<readonly string[] | undefined>(collect);
  else if (isList === true && option.required) option.argParser<string | undefined>(addToList);
  return Object.assign(option.hideHelp(isHidden ?? false), { param });
}

function addToList(value: string, before: string | undefined): string {
  return before === undefined ? value : `${before},${value}`;
}

export function toArgument(param: Param): Argument {
  const { usage, summary, choices } = param;
  const argument = new Argument(usage, summary);
  if (choices !== undefined) argument.choices(choices);
  return Object.assign(argument, { param });
}

/** What an option or an argument was made from. */
export function readParam(of: Option | Argument): Param | undefined {
  return (of as Carrier).param;
}

function collectValues(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** For one that may be repeated or hold a comma list: every name given, without blanks and repeats. */
function collectNames(value: string, before: readonly string[] = []): readonly string[] {
  return [...new Set([...before, ...splitList(value)])].filter((name) => name !== '');
}
