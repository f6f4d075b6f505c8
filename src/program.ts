import { Command, Option } from 'commander';
import { registerHelp } from './commands/help/index.ts';
import { formatHelp } from './commands/help/layout.ts';
import { addExamples, type PrepareCommand } from './commands/options.ts';
import { CALLER_KINDS } from './commands/sandbox/callers.ts';
import type { OpenContext } from './context/context.ts';
import type { GlobalOptions } from './context/options.ts';
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

/** By their members in GlobalOptions: none is registered that is not there. */
type OptionGroup = { readonly [Name in keyof GlobalOptions]?: Option };

const option = (flags: string, description: string): Option => new Option(flags, description);

function addGlobalOptions(program: Command): void {
  const asked: OptionGroup = {
    org: option('--org <name>', 'the organization'),
    baseUrl: option('--base-url <url>', 'the service, exactly as written; default https://app.terraform.io/api/v2'),
    host: option('--host <name>', 'the service by host name, meaning https://<name>/api/v2'),
    profile: option('--profile <name>', 'a stored base URL, organization and token by one name'),
    sandbox: option('--sandbox', 'use the embedded make-believe service; its state is kept between commands'),
    as: option('--as <caller>', `with --sandbox, who calls: ${CALLER_KINDS.join(', ')}`).choices(CALLER_KINDS),
  };
  const formats = `${FORMAT_NAMES.join(', ')}; default: table at a terminal, tsv elsewhere`;
  const output: OptionGroup = {
    output: option('-o, --output <format>', formats).choices(FORMAT_NAMES),
    fields: option('--fields <names>', 'which fields, in this order: id,email,user.username'),
    quiet: option('-q, --quiet', 'no chatter; warnings stay'),
    debug: option('--debug', 'every HTTP exchange on stderr, without secrets'),
    accessible: option('--accessible', 'for screen readers: no boxes, no moving lines, words for signs'),
    color: option('--no-color', 'no colours (so do NO_COLOR and CLICOLOR=0; FORCE_COLOR forces them)'),
  };
  const safety: OptionGroup = {
    yes: option('-y, --yes', 'answer every confirmation with yes'),
    input: option('--no-input', 'never ask anything'),
    dryRun: option('--dry-run', 'send no write; show each that would be sent'),
  };
  const connection: OptionGroup = {
    timeout: option('--timeout <duration>', 'for one request, such as 10s (default: 30s; 60s to make a token)'),
    maxRetries: option('--max-retries <n>', 'how often a request is tried again where that is safe (default: 4)'),
    caFile: option('--ca-file <pem>', 'trust this certificate authority too'),
    insecureSkipTlsVerify: option(
      '--insecure-skip-tls-verify',
      'trust any certificate: whoever is in between can read the token',
    ),
    allowHttp: option('--allow-http <host>', 'allow plain http to this host; may be repeated').argParser(collectValues),
  };
  const groups = { 'Which service, as whom:': asked, 'Output:': output, 'Safety:': safety, 'Connection:': connection };
  for (const [heading, options] of Object.entries(groups)) {
    program.optionsGroup(heading);
    for (const each of Object.values(options)) program.addOption(each);
  }
  program.optionsGroup('Help:');
}

// A terminal may report no width at all.
function helpWidth(columns: number | undefined): number {
  return columns === undefined || columns < 40 ? 100 : Math.min(columns, 120);
}
