import { Command, Option } from 'commander';
import { registerHelp } from './commands/help/index.ts';
import { formatHelp } from './commands/help/layout.ts';
import { addExamples, type PrepareCommand } from './commands/options.ts';
import { CALLER_KINDS } from './commands/sandbox/callers.ts';
import type { OpenContext } from './context/context.ts';
import type { Host } from './host.ts';
import { collectValues } from './input/repeatable.ts';
import { ITSELF, NOUNS, type Noun } from './nouns.ts';
import type { Stderr } from './stderr/stream.ts';
import { FORMAT_NAMES } from './stdout/formats/index.ts';
import { createWriter } from './text/write.ts';

export interface ProgramOptions {
  readonly host: Host;
  readonly stderr: Stderr;
  readonly version: string;
  readonly loadContext: () => Promise<OpenContext>;
  readonly onPrint: (written: Promise<void>) => void;
}

/** The whole command line: every noun, and the options that all of them share. */
export function createProgram({ host, stderr, version, loadContext, onPrint }: ProgramOptions): Command {
  const program = new Command('orgctl')
    .description(
      'Administer organizations on HCP Terraform, Terraform Enterprise and services with the same API:\nmembers and invitations, audit trail tokens, registry providers, feature sets.',
    )
    .usage('<noun> <verb> [arguments] [options]')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .configureHelp({ formatHelp, optionDescription: (option) => option.description })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => onPrint(createWriter(host.stdout).write(text)),
      writeErr: (text) => onPrint(stderr.write(text)),
      // main prints errors, all of them in one way.
      outputError: () => undefined,
      getOutHelpWidth: () => helpWidth(host.stdout.columns),
      getErrHelpWidth: () => helpWidth(stderr.stream.columns),
    });

  addGlobalOptions(program);

  const waiting = new Map<Command, Noun>();
  for (const noun of NOUNS) {
    const command = program
      .command(noun.name)
      .description(noun.description)
      .helpGroup(noun.group)
      .helpCommand(false)
      .usage('<verb> [arguments] [options]');
    waiting.set(command, noun);
  }
  const prepare: PrepareCommand = async (command) => {
    const noun = waiting.get(command);
    waiting.delete(command);
    const [open, register] = await Promise.all([loadContext(), noun?.load()]);
    register?.(command, open, prepare);
    return open;
  };
  program.hook('preSubcommand', async (_program, command) => {
    if (waiting.has(command)) await prepare(command);
  });
  registerHelp(program, prepare).helpGroup(ITSELF);

  addExamples(program, {
    'orgctl --sandbox members list': 'try it: the embedded service needs no account and no network',
    'orgctl members list --org acme': 'on the real service, with ORGCTL_TOKEN set',
    'orgctl members invite --help': 'what a command takes, with examples',
  });
  return program;
}

function addGlobalOptions(program: Command): void {
  program.optionsGroup('Which service, as whom:');
  program
    .option('--org <name>', 'the organization')
    .option('--base-url <url>', 'the service, exactly as written; default https://app.terraform.io/api/v2')
    .option('--host <name>', 'the service by host name, meaning https://<name>/api/v2')
    .option('--profile <name>', 'a stored base URL, organization and token by one name')
    .option('--sandbox', 'use the embedded make-believe service; its state is kept between commands')
    .addOption(
      new Option('--as <caller>', `with --sandbox, who calls: ${CALLER_KINDS.join(', ')}`).choices(CALLER_KINDS),
    );
  program.optionsGroup('Output:');
  program
    .addOption(
      new Option(
        '-o, --output <format>',
        `${FORMAT_NAMES.join(', ')}; default: table at a terminal, tsv elsewhere`,
      ).choices(FORMAT_NAMES),
    )
    .option('--fields <names>', 'which fields, in this order: id,email,user.username')
    .option('-q, --quiet', 'no chatter; warnings stay')
    .option('--debug', 'every HTTP exchange on stderr, without secrets')
    .option('--accessible', 'for screen readers: no boxes, no moving lines, words for signs')
    .option('--no-color', 'no colours (so do NO_COLOR and CLICOLOR=0; FORCE_COLOR forces them)');
  program.optionsGroup('Safety:');
  program
    .option('-y, --yes', 'answer every confirmation with yes')
    .option('--no-input', 'never ask anything')
    .option('--dry-run', 'send no write; show each that would be sent');
  program.optionsGroup('Connection:');
  program
    .option('--timeout <duration>', 'for one request, such as 10s (default: 30s; 60s to make a token)')
    .option('--max-retries <n>', 'how often a request is tried again where that is safe (default: 4)')
    .option('--ca-file <pem>', 'trust this certificate authority too')
    .option('--insecure-skip-tls-verify', 'trust any certificate: whoever is in between can read the token')
    .option('--allow-http <host>', 'allow plain http to this host; may be repeated', collectValues);
  program.optionsGroup('Help:');
}

// A terminal may report no width at all.
function helpWidth(columns: number | undefined): number {
  return columns === undefined || columns < 40 ? 100 : Math.min(columns, 120);
}
