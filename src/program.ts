import { Command } from 'commander';
import { findVerb, type OpenSession, type RegisterNoun, registerAction } from './cli/command.ts';
import type { Completion } from './cli/completion.ts';
import { addGlobalOptions } from './cli/global-options.ts';
import { createHelp, type HelpTopics } from './commands/help/index.ts';
import { UsageError } from './lib/errors.ts';
import { listFields } from './output/columns.ts';

interface Noun {
  name: string;
  summary: string;
  group: string;
  /** Loads the verbs when the noun is named. */
  load: (completion: Completion) => Promise<RegisterNoun>;
}

const PEOPLE = 'People:';
const TOKENS = 'Tokens and audit trail:';
const REGISTRY = 'Registry and plans:';
const SETUP = 'Setup and tools:';

export const NOUNS: Noun[] = [
  {
    name: 'members',
    summary: 'List, invite and remove people; compare with a roster',
    group: PEOPLE,
    load: async () => (await import('./commands/members/index.ts')).registerMembers,
  },
  {
    name: 'teams',
    summary: 'List teams and their members; add and remove people',
    group: PEOPLE,
    load: async () => (await import('./commands/teams/index.ts')).registerTeams,
  },
  {
    name: 'audit-token',
    summary: 'Manage the audit trail token',
    group: TOKENS,
    load: async () => (await import('./commands/audit-token/index.ts')).registerAuditToken,
  },
  {
    name: 'tokens',
    summary: 'List, rotate and delete tokens of organizations and teams',
    group: TOKENS,
    load: async () => (await import('./commands/tokens/index.ts')).registerTokens,
  },
  {
    name: 'audit-trail',
    summary: 'Read audit trail events of the last 14 days',
    group: TOKENS,
    load: async () => (await import('./commands/audit-trail/index.ts')).registerAuditTrail,
  },
  {
    name: 'providers',
    summary: 'List, create, publish and delete registry providers',
    group: REGISTRY,
    load: async () => (await import('./commands/providers/index.ts')).registerProviders,
  },
  {
    name: 'feature-sets',
    summary: 'List plans; show yours',
    group: REGISTRY,
    load: async () => (await import('./commands/feature-sets/index.ts')).registerFeatureSets,
  },
  {
    name: 'auth',
    summary: 'Log in and out, and switch profiles',
    group: SETUP,
    load: async () => (await import('./commands/auth/index.ts')).registerAuth,
  },
  {
    name: 'settings',
    summary: 'Manage settings',
    group: SETUP,
    load: async () => (await import('./commands/settings/index.ts')).registerSettings,
  },
  {
    name: 'sandbox',
    summary: 'Serve, show and reset the built-in sandbox',
    group: SETUP,
    load: async () => (await import('./commands/sandbox/index.ts')).registerSandbox,
  },
  {
    name: 'api',
    summary: 'Send any request to the service',
    group: SETUP,
    load: async () => (await import('./commands/api/index.ts')).registerApi,
  },
  {
    name: 'doctor',
    summary: 'Check connection, token and settings',
    group: SETUP,
    load: async () => (await import('./commands/doctor/index.ts')).registerDoctor,
  },
  {
    name: 'completion',
    summary: 'Print a completion script for your shell',
    group: SETUP,
    load: async (completion) => {
      const { createCompletion } = await import('./commands/completion/index.ts');
      return (command, open) => registerAction(command, createCompletion(completion), open);
    },
  },
];

export interface ProgramOptions {
  version: string;
  /** The terminal's. */
  width: number | undefined;
  open: OpenSession;
  topics: HelpTopics;
  print(text: string): void;
}

/** The whole command line. `prepare` loads the verbs of a noun. */
export function createProgram(options: ProgramOptions): { program: Command; prepare(noun: Command): Promise<void> } {
  const { version, width, open, topics, print } = options;
  const program = new Command('orgctl')
    .description('orgctl administers organizations on HCP Terraform and Terraform Enterprise.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    // `orgctl help <topic>` is a noun of its own.
    .helpCommand(false)
    .exitOverride()
    // A noun alone prints its verbs, which is a result. main prints errors.
    .configureOutput({
      writeOut: print,
      writeErr: print,
      outputError: () => undefined,
      getOutHelpWidth: () => width ?? 80,
      getErrHelpWidth: () => width ?? 80,
    })
    .showSuggestionAfterError();
  addGlobalOptions(program);

  const waiting = new Map<Command, Noun>();
  for (const noun of NOUNS) {
    program.commandsGroup(noun.group);
    const command = program.command(noun.name).description(noun.summary).helpCommand(false);
    waiting.set(command, noun);
  }
  const prepare = async (command: Command): Promise<void> => {
    const noun = waiting.get(command);
    waiting.delete(command);
    if (noun) (await noun.load({ program, prepare, open, topics: topics.names }))(command, open);
  };
  program.commandsGroup(SETUP);
  registerAction(program.command('help'), createHelp(program, topics, prepare), open);
  program.hook('preSubcommand', (_program, command) => prepare(command));
  program.addHelpText(
    'after',
    `\nHelp: orgctl <noun> <verb> --help, orgctl help <topic>\nTopics: ${topics.names.join(', ')}`,
  );
  return { program, prepare };
}

/** The fields of the command that the words name, for `--fields help`. Undefined without that option. */
export async function findFields(
  argv: string[],
  program: Command,
  prepare: (noun: Command) => Promise<void>,
): Promise<string[] | undefined> {
  const at = argv.findIndex((word, index) => word === '--fields' && argv[index + 1] === 'help');
  if (at < 0 && !argv.includes('--fields=help')) return undefined;
  let command = program;
  for (const word of argv.toSpliced(at, at < 0 ? 0 : 2)) {
    const below = command.commands.find((known) => known.name() === word || known.aliases().includes(word));
    if (!below) continue;
    command = below;
    await prepare(command);
  }
  const { columns } = findVerb(command) ?? {};
  if (!columns) throw new UsageError('this command prints no fields');
  return listFields(columns);
}

/** For `orgctl` alone: at most 25 lines. */
export function formatFirstScreen(): string {
  return `orgctl administers organizations on HCP Terraform and Terraform Enterprise.

Usage: orgctl <noun> <verb> [arguments] [options]

Start
  orgctl --sandbox members list   try it: no account, no network
  orgctl auth login               log in to your service
  orgctl help jobs                daily jobs, each with its commands

Commands
${NOUNS.map(({ name, summary }) => `  ${name.padEnd(14)}${summary}`).join('\n')}

Help: orgctl --help, orgctl <noun> <verb> --help, orgctl help <topic>
`;
}
