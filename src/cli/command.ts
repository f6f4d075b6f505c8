import type { Argument, Command, Option } from 'commander';
import type { Columns } from '../output/columns.ts';
import type { GlobalOptions } from './global-options.ts';
import type { Session, SessionOptions } from './session.ts';

/** A verb: what commander registers, and what it runs. */
export interface Verb<Options = unknown, Args extends unknown[] = never[]> {
  summary: string;
  aliases?: string[];
  /** --org may name several, and there is --all-orgs. */
  takesSeveralOrgs?: boolean;
  /** --profile may name one that does not exist yet. */
  isForNewProfile?: boolean;
  /** --debug leaves out bodies: anything may stand in them. */
  hidesBodies?: boolean;
  /** For `--fields`. */
  columns?: Columns;
  arguments?: Argument[];
  options?: Option[];
  examples: string[];
  run(session: Session, options: Options & GlobalOptions, ...args: Args): Promise<void>;
}

export type OpenSession = (options: GlobalOptions, verb: SessionOptions['verb']) => Promise<Session>;

/** Adds the verbs of a noun to its command. */
export type RegisterNoun = (noun: Command, open: OpenSession) => void;

const verbs = new WeakMap<Command, Verb>();

/** The verb of a command, for help, completion, README and tests. */
export function findVerb(command: Command): Verb | undefined {
  return verbs.get(command);
}

/** Registers a verb below its noun. */
export function addVerb<Options, Args extends unknown[]>(
  noun: Command,
  name: string,
  verb: Verb<Options, Args>,
  open: OpenSession,
): void {
  // `.command()` inherits the settings of the program; `.addCommand()` would not.
  registerAction(noun.command(name), verb, open);
}

/** Makes a verb of a command that has no verbs below it, such as `api`. */
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
  command.addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ orgctl ${line}`).join('\n')}\n`);
  command.action(async (...given: unknown[]) => {
    const globals = command.optsWithGlobals<GlobalOptions>();
    // An option of the verb hides a global one of the same name, also if it is not given: --input of `api` and --no-input.
    const own = Object.fromEntries(
      command.options.map((option) => [option.attributeName(), command.getOptionValue(option.attributeName())]),
    );
    const session = await open(globals, verb);
    if (columns) await session.output.check(columns);
    await verb.run(
      session,
      { ...globals, ...own } as Options & GlobalOptions,
      ...(given.slice(0, args.length) as Args),
    );
  });
  verbs.set(command, verb as unknown as Verb);
}
