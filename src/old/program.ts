import { Command } from 'commander';
import { CALLER_KINDS } from '../sandbox/callers.ts';
import { createHelpFormat } from './commands/help/layout.ts';
import { choice, flag, type Param, repeated, text, toOption } from './commands/param.ts';
import type { PrepareCommand } from './commands/verb.ts';
import type { OpenContext } from './context/context.ts';
import type { GlobalOptions } from './context/options.ts';
import type { Host } from './host.ts';
import { HELP, NOUNS, type Noun } from './nouns.ts';
import { DEFAULTS } from './settings/defaults.ts';
import { FORMAT_NAMES } from './stdout/formats/index.ts';
import { createWriter } from './text/write.ts';

export interface ProgramOptions {
  readonly host: Host;
  readonly version: string;
  readonly loadContext: () => Promise<OpenContext>;
  readonly onPrint: (written: Promise<void>) => void;
}

/** The whole command line: every noun, and the options that all of them share. */
export function createProgram({ host, version, loadContext, onPrint }: ProgramOptions): {
  readonly program: Command;
  /** Loads the verbs of a noun. */
  readonly prepare: PrepareCommand;
} {
  const program = new Command('orgctl')
    .description('orgctl administers organizations on HCP Terraform and Terraform Enterprise.')
    .usage('<noun> <verb> [arguments] [options]')
    .version(version, '-V, --version', 'Print the version')
    .helpOption('-h, --help', 'Print help')
    .helpCommand(false)
    .showSuggestionAfterError(true)
    .configureHelp({ formatHelp: createHelpFormat(NOUNS) })
    .exitOverride()
    .configureOutput({
      writeOut: (text) => onPrint(createWriter(host.stdout).write(text)),
      // A command without its verb prints help, which is what was asked for.
      writeErr: (text) => onPrint(createWriter(host.stdout).write(text)),
      // main prints errors, all of them in one way.
      outputError: () => undefined,
      getOutHelpWidth: () => helpWidth(host.stdout.columns),
      getErrHelpWidth: () => helpWidth(host.stdout.columns),
    });

  addGlobalOptions(program);

  const waiting = new Map<Command, Noun>();
  for (const noun of [...NOUNS, HELP]) {
    const command = program
      .command(noun.name)
      .summary(noun.summary)
      .description(noun.description ?? noun.summary)
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
  program.hook('preAction', async (_program, command) => {
    const { query } = command.optsWithGlobals<GlobalOptions>();
    if (query === undefined) return;
    // A mistake in it is found before anything is asked or sent.
    const { parseQuery } = await import('./stdout/query.ts');
    parseQuery(query);
  });
  return { program, prepare };
}

/** By their members in GlobalOptions: none is registered that is not there, and `AllOptions` has all that are. */
type OptionGroup = { readonly [Name in keyof GlobalOptions]?: Param };
type AllOptions = { readonly [Name in keyof Omit<GlobalOptions, 'orgs' | 'allOrgs'>]-?: unknown };

function addGlobalOptions(program: Command): void {
  const asked = {
    org: text('--org <name>', 'The organization that the command is about', { complete: 'organizations' }),
    profile: text('--profile <name>', 'Use the service, organization and token stored under this name', {
      complete: 'profiles',
    }),
    host: text('--host <name>', `Host of the service: https://<name>/api/v2 (default ${DEFAULTS.host})`),
    baseUrl: text('--base-url <url>', 'Address of the API, used exactly as given'),
    sandbox: flag('--sandbox', 'Use the built-in sandbox (its data is kept between commands)'),
    as: choice('--as <caller>', `With --sandbox: who you are: ${CALLER_KINDS.join(', ')}`, CALLER_KINDS),
  } satisfies OptionGroup;
  const formats = `${FORMAT_NAMES.join(', ')} (default: table at a terminal, tsv elsewhere)`;
  const output = {
    output: choice('-o, --output <format>', formats, FORMAT_NAMES),
    fields: text(
      '--fields <names>',
      'Only these fields, in this order, such as email,teams.name; --fields help lists them',
      {
        complete: 'fields',
        isList: true,
      },
    ),
    query: text(
      '--query <jmespath>',
      "Only this part of the JSON, such as [?status=='invited'].email (implies -o json)",
    ),
    quiet: flag('-q, --quiet', 'Print only warnings and errors on stderr'),
    debug: flag('--debug', 'Print every request and answer on stderr, without secrets'),
    accessible: flag('--accessible', 'For screen readers: labelled lines, no animation, no symbols'),
    color: flag('--no-color', 'No colours (so do NO_COLOR and CLICOLOR=0; FORCE_COLOR forces them)'),
  } satisfies OptionGroup;
  const safety = {
    dryRun: flag('--dry-run', 'Preview: change nothing'),
    yes: flag('-y, --yes', 'Answer yes to what asks first'),
    input: flag('--no-input', 'Never prompt'),
  } satisfies OptionGroup;
  const connection = {
    timeout: text(
      '--timeout <duration>',
      `Longest time for one request, and for an upload without progress (default ${DEFAULTS.timeout}; ${DEFAULTS.creationTimeout} to create a token)`,
    ),
    maxRetries: text(
      '--max-retries <n>',
      `How often a request is sent again, where that is safe (default ${DEFAULTS.maxRetries})`,
    ),
    caFile: text('--ca-file <pem>', 'Trust this certificate authority too', { complete: 'files' }),
    clientCert: text('--client-cert <pem>', 'Present this certificate to the service', { complete: 'files' }),
    clientKey: text('--client-key <pem>', 'Its private key', { complete: 'files' }),
    insecureSkipTlsVerify: flag(
      '--insecure-skip-tls-verify',
      "Don't check certificates: anyone on the network can read your token",
    ),
    allowHttp: repeated('--allow-http <host>', 'Allow plain http to this host (repeatable)'),
  } satisfies OptionGroup;
  const groups = { 'Service and caller:': asked, 'Output:': output, 'Safety:': safety, 'Connection:': connection };
  // None of them is left out.
  const _all: AllOptions = { ...asked, ...output, ...safety, ...connection };
  for (const [heading, options] of Object.entries(groups)) {
    program.optionsGroup(heading);
    for (const [name, param] of Object.entries(options)) {
      const option = toOption(param);
      if (option.attributeName() !== name) throw new Error(`${name} would be read as ${option.attributeName()}`);
      program.addOption(option);
    }
  }
  program.optionsGroup('Help:');
}

// A terminal may report no width at all.
function helpWidth(columns: number | undefined): number {
  return columns === undefined || columns < 40 ? 80 : Math.min(columns, 100);
}
