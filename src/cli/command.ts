import { Command, type ErrorOptions } from 'commander';
import { UsageError } from '../lib/errors.ts';
import type { Columns } from '../output/columns.ts';
import { assertPlain, type GlobalOptions } from './global-options.ts';
import type { OptionValues, TypedArgument, TypedOption } from './options.ts';
import type { Session, SessionRules } from './session.ts';

interface VerbParts extends SessionRules {
  columns?: Columns;
  /** The options of output that a verb without columns takes. */
  formats?: readonly ('-o json' | '--query')[];
  options?: readonly TypedOption[];
  arguments?: readonly TypedArgument[];
  /** The global options that its help names, if not those of most verbs. */
  usualOptions?: string;
  examples: string[];
}

export interface Verb extends VerbParts {
  run(session: Session, options: GlobalOptions, ...args: never): Promise<void>;
}

/** The values of the options, and those of the global options that have no namesake among them. */
export type VerbOptions<Options extends readonly TypedOption[]> = OptionValues<Options> &
  Omit<GlobalOptions, keyof OptionValues<Options>>;

type ArgumentValues<Arguments extends readonly TypedArgument[]> = {
  [Index in keyof Arguments]: Arguments[Index]['value'];
};

export function defineVerb<
  const Options extends readonly TypedOption[] = [],
  const Arguments extends readonly TypedArgument[] = [],
>(
  verb: Omit<VerbParts, 'options' | 'arguments'> & {
    options?: Options;
    arguments?: Arguments;
    run(session: Session, options: VerbOptions<Options>, ...args: ArgumentValues<Arguments>): Promise<void>;
  },
): Verb {
  return verb;
}

/** The verbs of a noun. A verb is loaded when it is named. */
export type Verbs = Record<string, readonly [summary: string, load: () => Promise<{ verb: Verb }>]>;

export type OpenSession = (options: GlobalOptions, rules: SessionRules) => Promise<Session>;

export interface CommandContext {
  program: Command;
  /** Loads the verbs of a noun, or a verb. */
  prepare(command: Command): Promise<void>;
  open: OpenSession;
}

const ALIASES: Record<string, string> = {
  list: 'ls',
  remove: 'rm',
  delete: 'rm',
  show: 'get',
  get: 'show',
  organizations: 'orgs',
};

/** What is meant by words and options of people who know other tools. */
const MEANT: Record<string, string> = {
  'auth login': 'login',
  'auth logout': 'logout',
  'auth status': 'whoami status user',
  settings: 'config',
  'members invite': 'invite',
  members: 'users',
  'audit-trail list': 'logs audit audit-log audit-logs',
  '--version': 'version',
  '-o json': '--json --format',
  '--query': '--jq',
  '--yes': '--force',
  '--debug': '--verbose -v',
  '--org': '--organization',
  show: 'view describe',
  create: 'add new',
  invite: 'add new create',
  add: 'new',
  update: 'edit',
  delete: 'revoke remove',
  remove: 'delete',
  status: 'whoami',
};

const verbs = new WeakMap<Command, Verb>();

export class OrgctlCommand extends Command {
  override createCommand(name?: string): OrgctlCommand {
    return new OrgctlCommand(name);
  }

  override error(message: string, { code }: ErrorOptions = {}): never {
    const [, text = message, suggestion] = /^(?:error: )?(.*?)(?:\n\((Did you mean .*)\))?$/s.exec(message) ?? [];
    const extra = this.args[this.registeredArguments.length];
    const [, option] = /^unknown option '([^=]*).*'$/s.exec(text) ?? [];
    const word = (code === 'commander.unknownCommand' ? this.args[0] : option) ?? '';
    const meant = Object.keys(MEANT).find((name) => MEANT[name]?.split(' ').includes(word) && isKnown(this, name));
    const path = option === undefined ? `${formatPath(this)} ` : '';
    const hint = meant === undefined ? suggestion : `Did you mean ${path}${meant}?`;
    throw new UsageError(code === 'commander.excessArguments' ? `unexpected argument '${extra}'` : text, {
      hint: hint ?? `See ${formatPath(this)} --help.`,
    });
  }
}

function isKnown(command: Command, text: string): boolean {
  const [first = ''] = text.split(' ');
  return findSubcommand(command, first) !== undefined || first.startsWith('-');
}

/** `orgctl members list` */
function formatPath(command: Command): string {
  return command.parent ? `${formatPath(command.parent)} ${command.name()}` : command.name();
}

export function findSubcommand(command: Command, word: string): Command | undefined {
  return command.commands.find((subcommand) => subcommand.name() === word || subcommand.aliases().includes(word));
}

export function findVerb(command: Command): Verb | undefined {
  return verbs.get(command);
}

export function addCommand(parent: Command, name: string, summary: string): Command {
  const command = parent.command(name).description(summary).helpCommand(false);
  const alias = ALIASES[name];
  return alias === undefined || findSubcommand(parent, alias) ? command : command.alias(alias);
}

/** The output prints its end even if the command failed. */
async function runToEnd(session: Session, command: Command, run: () => Promise<void>): Promise<void> {
  let failure: unknown;
  const keep = (error: unknown): void => {
    failure ??= error;
  };
  await run().catch(keep);
  const createFacts = async () =>
    (await import('./facts.ts')).createFacts(session, command, formatPath(command), failure);
  await session.output.end(createFacts).catch(keep);
  if (failure !== undefined) throw failure;
}

function listUsualOptions({ columns, formats = [], usualOptions }: Verb): string {
  if (usualOptions) return usualOptions;
  return [columns ? '--org --profile -o --fields --query' : formats, '--yes --dry-run --sandbox'].flat().join(' ');
}

export function registerAction(command: Command, verb: Verb, open: OpenSession): void {
  const { arguments: args = [], options = [], examples, columns, formats = [] } = verb;
  for (const argument of args) command.addArgument(argument);
  for (const option of options) command.addOption(option);
  if (verb.takesSeveralOrgs) command.option('--all-orgs', 'every organization that you are a member of');
  const lines = examples.map((line) => `  $ orgctl ${line}\n`);
  const usual = `\nGlobal options (all: orgctl --help):\n  ${listUsualOptions(verb)}\n`;
  command.addHelpText('after', `${usual}\nExamples:\n${lines.join('')}`);
  command.action(async (...given: unknown[]) => {
    const globals = command.optsWithGlobals<GlobalOptions>();
    // The value of --input of `api` must not come from the global --no-input.
    const names = command.options.map((option) => option.attributeName());
    const own = Object.fromEntries(names.map((name) => [name, command.getOptionValue(name)]));
    if (!columns) assertPlain(globals, formatPath(command), formats);
    const session = await open(globals, verb);
    await session.output.check(columns);
    // defineVerb has checked that the verb takes what its arguments give.
    const values = { ...globals, ...own, allOrgs: globals.allOrgs };
    const run = () => verb.run(session, values, ...(given.slice(0, args.length) as never));
    await runToEnd(session, command, run);
  });
  verbs.set(command, verb);
}
