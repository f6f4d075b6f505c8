import type { Argument, Command, Option } from 'commander';
import { UsageError } from '../lib/errors.ts';
import { suggest } from '../lib/text.ts';
import type { Columns } from '../output/columns.ts';
import type { CompletionContext } from './completion.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Session, SessionOptions } from './session.ts';

export interface Verb<Options = unknown, Args extends unknown[] = never[]> {
  summary: string;
  aliases?: string[];
  /** --org takes several names, and the verb has --all-orgs. */
  takesSeveralOrgs?: boolean;
  /** --profile may name a new profile. */
  isForNewProfile?: boolean;
  /** Runs without `config.json` if that can't be used, and says why. */
  checksSettings?: boolean;
  /** --debug prints no bodies, since their secrets can't be known. */
  hidesBodies?: boolean;
  columns?: Columns;
  arguments?: Argument[];
  options?: Option[];
  examples: string[];
  run(session: Session, options: Options & GlobalOptions, ...args: Args): Promise<void>;
}

export type OpenSession = (options: GlobalOptions, verb: SessionOptions['verb']) => Promise<Session>;

/** Registers a noun that is a command itself, such as `api`. */
export type RegisterNoun = (noun: Command, open: OpenSession, completion: CompletionContext) => void;

const verbs = new WeakMap<Command, Verb>();

/** The subcommand of a name or alias. */
export function findSubcommand(command: Command, word: string): Command | undefined {
  return command.commands.find((subcommand) => subcommand.name() === word || subcommand.aliases().includes(word));
}

/** Throws UsageError for a word that is not a subcommand. */
export function rejectUnknown(command: Command): void {
  command.on('command:*', ([word = '']: string[]) => {
    const names = command.commands.map((subcommand) => subcommand.name());
    const path = command.parent ? `orgctl ${command.name()}` : 'orgctl';
    throw new UsageError(`unknown command '${word}'`, { hint: suggest(word, names) ?? `See ${path} --help.` });
  });
}

export function findVerb(command: Command): Verb | undefined {
  return verbs.get(command);
}

export function registerAction<Options, Args extends unknown[]>(
  command: Command,
  verb: Verb<Options, Args>,
  open: OpenSession,
): void {
  const { arguments: args = [], options = [], examples, columns } = verb;
  command.description(verb.summary).aliases(verb.aliases ?? []);
  for (const argument of args) command.addArgument(argument);
  for (const option of options) command.addOption(option);
  if (verb.takesSeveralOrgs) command.option('--all-orgs', 'every organization that you are a member of');
  command.addHelpText(
    'after',
    `\nGlobal options: orgctl --help\n\nExamples:\n${examples.map((line) => `  $ orgctl ${line}`).join('\n')}\n`,
  );
  command.action(async (...given: unknown[]) => {
    const globals = command.optsWithGlobals<GlobalOptions>();
    // The value of --input of `api` must not come from the global --no-input.
    const own = Object.fromEntries(
      command.options.map((option) => [option.attributeName(), command.getOptionValue(option.attributeName())]),
    );
    const session = await open(globals, verb);
    await session.output.check(columns);
    await verb.run(
      session,
      { ...globals, ...own } as Options & GlobalOptions,
      ...(given.slice(0, args.length) as Args),
    );
  });
  verbs.set(command, verb as unknown as Verb);
}
