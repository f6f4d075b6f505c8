import { type Command, Help } from 'commander';
import {
  addCommand,
  type CommandContext,
  findVerb,
  type OpenSession,
  OrgctlCommand,
  registerAction,
  type Verb,
  type Verbs,
} from './cli/command.ts';
import { addGlobalOptions } from './cli/global-options.ts';
import { createHelp, type HelpTopics } from './commands/help/index.ts';
import { UsageError } from './lib/errors.ts';
import { listFields } from './output/columns.ts';

/** A noun is a command itself, or has verbs. */
type NounModule = { verbs: Verbs } | { verb: Verb } | { createVerb(context: CommandContext): Verb };
type Nouns = Record<string, [summary: string, load: () => Promise<NounModule>]>;

/** The nouns by their groups in the help. A noun is loaded when it is named, and so is a verb. */
const GROUPS: Record<string, Nouns> = {
  'Organizations and people:': {
    organizations: ['List, show and change organizations', () => import('./commands/organizations/index.ts')],
    members: ['List, invite and remove people; compare with a roster', () => import('./commands/members/index.ts')],
    teams: ['List, create and change teams; add and remove people', () => import('./commands/teams/index.ts')],
  },
  'Tokens and audit trail:': {
    'audit-token': ['Manage the audit trail token', () => import('./commands/audit-token/index.ts')],
    tokens: ['List, rotate and delete tokens of organizations and teams', () => import('./commands/tokens/index.ts')],
    'audit-trail': ['Read audit trail events of the last 14 days', () => import('./commands/audit-trail/index.ts')],
  },
  'Registry and plans:': {
    providers: ['List, create, publish and delete registry providers', () => import('./commands/providers/index.ts')],
    'feature-sets': ['List plans; show yours', () => import('./commands/feature-sets/index.ts')],
  },
  'Setup and tools:': {
    auth: ['Log in and out, and switch profiles', () => import('./commands/auth/index.ts')],
    settings: ['Manage settings', () => import('./commands/settings/index.ts')],
    sandbox: ['Serve, show and reset the built-in sandbox', () => import('./commands/sandbox/index.ts')],
    api: ['Send any request to the service; it never asks', () => import('./commands/api/index.ts')],
    doctor: ['Check connection, token and settings', () => import('./commands/doctor/index.ts')],
    completion: ['Print a completion script for your shell', () => import('./commands/completion/index.ts')],
  },
};

export const NOUNS = Object.values(GROUPS).flatMap((nouns) => Object.entries(nouns));

export interface ProgramOptions {
  version: string;
  /** The width of the terminal; undefined elsewhere. */
  width: number | undefined;
  open: OpenSession;
  topics: HelpTopics;
  print(text: string): void;
}

/** The whole command line. `prepare` loads a noun or a verb. */
export function createProgram(options: ProgramOptions): Pick<CommandContext, 'program' | 'prepare'> {
  const { open, topics } = options;
  const program = createRoot(options);
  const loaders = new Map<Command, () => Promise<void>>();
  const prepare = async (command: Command): Promise<void> => {
    const load = loaders.get(command);
    loaders.delete(command);
    await load?.();
  };
  const context = { program, prepare, open };
  const addVerbs = (noun: Command, verbs: Verbs): void => {
    noun.hook('preSubcommand', (_noun, command) => prepare(command));
    for (const [name, [summary, load]] of Object.entries(verbs)) {
      const command = addCommand(noun, name, summary);
      loaders.set(command, async () => registerAction(command, (await load()).verb, open));
    }
  };
  addGlobalOptions(program);
  for (const [group, nouns] of Object.entries(GROUPS)) {
    program.commandsGroup(group);
    for (const [name, [summary, load]] of Object.entries(nouns)) {
      const noun = addCommand(program, name, summary);
      loaders.set(noun, async () => {
        const module = await load();
        if ('verbs' in module) addVerbs(noun, module.verbs);
        else registerAction(noun, 'verb' in module ? module.verb : module.createVerb(context), open);
      });
    }
  }
  const help = addCommand(program, 'help', 'Show help on a command or a topic');
  registerAction(help, createHelp(program, topics, prepare), open);
  program.hook('preSubcommand', (_program, command) => prepare(command));
  const end = `\nHelp: orgctl <noun> <verb> --help, orgctl help <topic>\nTopics: ${topics.names.join(', ')}`;
  program.addHelpText('after', end);
  return { program, prepare };
}

function createRoot({ version, width, print }: ProgramOptions): Command {
  return (
    new OrgctlCommand('orgctl')
      .description('orgctl administers organizations on HCP Terraform and Terraform Enterprise.')
      .version(version, '-V, --version', 'print the version')
      .helpOption('-h, --help', 'print help')
      // `orgctl help` also shows topics, so it is a command of its own.
      .helpCommand(false)
      .exitOverride()
      // The help of a noun without a verb is a result, and main prints errors.
      .configureHelp({ formatHelp: formatOptionsLast, minWidthToWrap: 20 })
      .configureOutput({
        writeOut: print,
        writeErr: print,
        outputError: () => undefined,
        getOutHelpWidth: () => width ?? 80,
        getErrHelpWidth: () => width ?? 80,
      })
      .showSuggestionAfterError()
  );
}

/** Shows commands before the many global options. */
function formatOptionsLast(command: Command, help: Help): string {
  const sections = Help.prototype.formatHelp
    .call(help, command, help)
    .trimEnd()
    .split(/\n\n(?=\S)/);
  const isOptions = (section: string): boolean => /^ +-/m.test(section);
  return `${[...sections.filter((section) => !isOptions(section)), ...sections.filter(isOptions)].join('\n\n')}\n`;
}

/** The fields of the command that `argv` names, for `--fields help`. Undefined without this option. */
export async function findFields(argv: string[], program: Command, prepare: (noun: Command) => Promise<void>) {
  const at = argv.findIndex((word, index) => word === '--fields' && argv[index + 1] === 'help');
  if (at < 0 && !argv.includes('--fields=help')) return undefined;
  const { findPosition } = await import('./cli/completion.ts');
  const { command } = await findPosition({ program, prepare }, argv);
  const { columns } = findVerb(command) ?? {};
  if (!columns) throw new UsageError('this command does not take --fields');
  return listFields(columns);
}

/** The text of `orgctl` without arguments. */
export function formatFirstScreen(): string {
  return `orgctl administers organizations on HCP Terraform and Terraform Enterprise.

Usage: orgctl <noun> <verb> [arguments] [options]

Start
  orgctl --sandbox members list   try it: no account, no network
  orgctl auth login               log in to your service
  orgctl help jobs                daily jobs, each with its commands

Commands
${NOUNS.map(([name, [summary]]) => `  ${name.padEnd(15)}${summary}`).join('\n')}

Help: orgctl --help, orgctl <noun> <verb> --help, orgctl help <topic>
`;
}
