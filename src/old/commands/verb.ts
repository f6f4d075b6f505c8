import type { Command } from 'commander';
import type { Allowed, Context, OpenContext } from '../context/context.ts';
import type { CommandName } from '../input/about.ts';
import { addDocumentation } from '../manual/documentation.ts';
import type { TopicName } from '../manual/topic-names.ts';
import type { ColumnNames } from '../stdout/columns.ts';
import { readFromSetting } from './from-setting.ts';
import { type Param, type Params, toArgument, toName, toOption, type Values } from './param.ts';
import { refuseMissing, toTaken } from './usage.ts';

/** What a verb does to what the service has. */
export type Effect =
  /** It asks, and changes nothing. */
  | 'reads'
  | 'writes'
  /** It changes or shows only what is on this machine. */
  | 'own'
  /** What the command line says. */
  | 'any';

/** Gives a command its verbs, where it is a noun, and the way to make contexts. */
export type PrepareCommand = (command: Command) => Promise<OpenContext>;

/** For a verb that looks at the command line itself. */
export interface Line {
  readonly command: Command;
  readonly open: OpenContext;
  readonly prepare: PrepareCommand;
}

/** Columns for which one of these is needed on the command line: a flag, or an argument as usage has it. */
export interface OtherColumns {
  readonly with: readonly string[];
  readonly columns: ColumnNames;
}

/** What can be asked of every verb. */
export interface VerbFacts {
  readonly name: CommandName;
  readonly effect: Effect;
  /** What it prints. Left out where it prints no rows. */
  readonly columns?: ColumnNames;
  /** What it prints in place of that with one of these options: the first of them counts. */
  readonly others?: readonly OtherColumns[];
  /** Prints one thing, in json an object; of several organizations or arguments a list all the same. */
  readonly printsOne?: true;
}

interface VerbData<Args extends Params, Options extends Params> extends VerbFacts {
  readonly aliases?: readonly string[];
  /** A sentence without its full stop. Left out where the noun has no other verb: then it is the noun's. */
  readonly help?: string;
  /** The help in fewer words, for the list of verbs. */
  readonly summary?: string;
  /** Lines that work as printed. */
  readonly examples: readonly string[];
  /** Printed at the end of its help. */
  readonly more?: string;
  /** Which topic of help has more. That of the noun where it is left out. */
  readonly topic?: TopicName;
  /** Of the options of every command those that it is about, by their flags without hyphens, and what they do here. */
  readonly shared?: Readonly<Record<string, string>>;
  /** In the order of the command line. */
  readonly args?: Args;
  /** In the order of help. */
  readonly options?: Options;
  readonly takesMoreArgs?: true;
  readonly allowed?: Allowed;
  /** Of several organizations one that the token does not reach is a row, and the others are changed. */
  readonly keepsUnreached?: true;
  readonly run: (context: Context, input: Values<Args> & Values<Options>, line: Line) => Promise<void>;
}

/** Gives a noun's command what is below it. */
export type Register = (noun: Command, open: OpenContext, prepare: PrepareCommand) => void;

type NoParams = Readonly<Record<never, never>>;

const FACTS = Symbol('verb');
type WithFacts = Command & { [FACTS]?: VerbFacts };

/** A verb, which commander parses: `run` gets what its arguments and options give, by their keys. */
export function verb<Args extends Params = NoParams, Options extends Params = NoParams>(
  data: VerbData<Args, Options>,
): Register {
  return (noun, open, prepare) => {
    const [, name] = data.name.split(' ');
    const command = name === undefined ? noun : noun.command(name);
    if (data.help !== undefined) command.description(data.help);
    if (data.summary !== undefined) command.summary(data.summary);
    command.aliases(data.aliases ?? []).allowExcessArguments(data.takesMoreArgs ?? false);
    const args = Object.entries(data.args ?? {});
    for (const [, param] of args) command.addArgument(toArgument(param));
    const options = Object.entries(data.options ?? {}).map(([key, param]) => {
      const option = toOption(param);
      command.addOption(option);
      return [key, param, option.attributeName()] as const;
    });
    // commander has a text of its own in place of an empty one.
    command.usage(toTaken(data.args ?? {}, data.options ?? {}, data.shared !== undefined) || ' ');
    if (data.more !== undefined) command.addHelpText('after', data.more);
    const stored = options.flatMap(([, param]) => (param.setting === undefined ? [] : [toName(param)]));
    addDocumentation(command, { ...data, stored });
    Object.assign(command, { [FACTS]: data });
    command.action(async () => {
      const writes = data.effect === 'writes';
      const refusesUnreached = writes && data.keepsUnreached !== true;
      const takesSeveral = data.options !== undefined && 'orgs' in data.options;
      const context = open(command, { ...data.allowed, verb: data.name, writes, takesSeveral, refusesUnreached });
      const now = context.places.host.now();
      const given = command.opts();
      const read = (param: Param, value: unknown): unknown => {
        const stored = value === undefined ? readStored(context, param) : undefined;
        return stored === undefined ? param.read(value, toName(param), now) : stored(now);
      };
      const input = Object.fromEntries([
        ...args.map(([key, param], at) => [key, read(param, command.processedArgs[at])]),
        ...options.map(([key, param, attribute]) => [key, read(param, given[attribute])]),
      ]) as Values<Args> & Values<Options>;
      refuseMissing(command, { ...data.args, ...data.options }, input);
      const isGiven = (name: string): boolean => {
        const option = command.options.find(({ long }) => long === name);
        return option === undefined ? command.args.length > 0 : (given[option.attributeName()] ?? false) !== false;
      };
      const columns = chooseColumns(data, isGiven);
      if (columns !== undefined && data.effect === 'reads' && context.screen.requested.fields !== undefined) {
        (await context.screen.output()).checkFieldsOfRead(columns);
      }
      // What prints one thing may print a secret, and looks by itself.
      if (columns !== undefined && data.effect === 'writes' && data.printsOne !== true) {
        (await context.screen.output()).checkFields(columns);
      }
      if (columns === undefined && data.effect === 'own' && context.screen.requested.fields !== undefined) {
        await context.screen.checkPlanFields();
      }
      await data.run(context, input, { command, open, prepare });
    });
  };
}

/** Reads what the setting of a parameter gives. A secret of the sandbox has no business in the places of real ones. */
function readStored({ identity }: Context, { setting, read }: Param): ((now: number) => unknown) | undefined {
  if (setting === undefined || identity.isSandbox) return undefined;
  const { value, source } = identity.settings[setting];
  if (value === undefined) return undefined;
  return (now) => readFromSetting(setting, source, () => read(value, `the setting ${setting}`, now));
}

/** What a verb prints where this is on its command line. */
export function chooseColumns(
  { columns, others = [] }: VerbFacts,
  isGiven: (name: string) => boolean,
): ColumnNames | undefined {
  return others.find((other) => other.with.some(isGiven))?.columns ?? columns;
}

export function readVerb(command: Command): VerbFacts | undefined {
  return (command as WithFacts)[FACTS];
}

/** A noun with these verbs, in the order of its help. */
export function noun(verbs: readonly Register[], examples: readonly string[], topic?: TopicName): Register {
  return (command, open, prepare) => {
    for (const register of verbs) register(command, open, prepare);
    addDocumentation(command, { examples, ...(topic === undefined ? {} : { topic }) });
  };
}
