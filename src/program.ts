import { Command, Option } from 'commander';
import { registerAuditToken } from './commands/audit-token/index.ts';
import { registerAuditTrail } from './commands/audit-trail/index.ts';
import { registerFeatureSets } from './commands/feature-sets/index.ts';
import { registerHelpTopics } from './commands/help/index.ts';
import { formatHelp } from './commands/help/layout.ts';
import { registerMembers } from './commands/members/index.ts';
import { addExamples } from './commands/options.ts';
import { registerProviders } from './commands/providers/index.ts';
import { CALLER_KINDS, registerSandbox } from './commands/sandbox/index.ts';
import { registerSettings } from './commands/settings/index.ts';
import { registerTeams } from './commands/teams/index.ts';
import type { OpenContext } from './context.ts';
import type { Host } from './host.ts';
import { FORMATS } from './output/format.ts';
import { createWriter } from './output/write.ts';

/** The whole command line: every noun, and the options that all of them share. */
export function createProgram(host: Host, version: string, open: OpenContext): Command {
  const stdout = createWriter(host.stdout);
  const stderr = createWriter(host.stderr);
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
      // Help that nobody reads any more is no failure.
      writeOut: (text) => void stdout.write(text).catch(() => undefined),
      writeErr: (text) => void stderr.write(text).catch(() => undefined),
      // Errors are told by main, in one way for all of them.
      outputError: () => undefined,
      getOutHelpWidth: () => helpWidth(host.stdout.columns),
      getErrHelpWidth: () => helpWidth(host.stderr.columns),
    });

  addGlobalOptions(program);

  program.commandsGroup('The organization:');
  registerMembers(program, open);
  registerTeams(program, open);
  registerProviders(program, open);
  registerAuditToken(program, open);
  registerAuditTrail(program, open);
  registerFeatureSets(program, open);
  program.commandsGroup('orgctl itself:');
  registerSettings(program, open);
  registerSandbox(program, open);
  registerHelpTopics(program, open);

  for (const noun of program.commands.filter(({ commands }) => commands.length > 0)) {
    noun.helpCommand(false).usage('<verb> [arguments] [options]');
  }
  addExamples(program, [
    { command: 'orgctl --sandbox members list', shows: 'try it: the embedded service needs no account and no network' },
    { command: 'orgctl members list --org acme', shows: 'on the real service, with ORGCTL_TOKEN set' },
    { command: 'orgctl members invite --help', shows: 'what a command takes, with examples' },
  ]);
  return program;
}

function addGlobalOptions(program: Command): void {
  program.optionsGroup('Which service, as whom:');
  program
    .option('--org <name>', 'the organization')
    .option('--base-url <url>', 'the service, exactly as written; default https://app.terraform.io/api/v2')
    .option('--host <name>', 'the service by host name, meaning https://<name>/api/v2')
    .option('--sandbox', 'use the embedded make-believe service; its state is kept between commands')
    .addOption(
      new Option('--as <caller>', `with --sandbox, who calls: ${CALLER_KINDS.join(', ')}`).choices(CALLER_KINDS),
    );
  program.optionsGroup('Output:');
  program
    .addOption(
      new Option('-o, --output <format>', `${FORMATS.join(', ')}; default: table at a terminal, tsv elsewhere`).choices(
        FORMATS,
      ),
    )
    .option('--fields <names>', 'which fields, in this order: id,email,user.username')
    .option('-q, --quiet', 'no chatter; warnings stay')
    .option('--debug', 'every HTTP exchange on stderr, without secrets')
    .option('--no-color', 'no colours (so does NO_COLOR; FORCE_COLOR forces them)');
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
    .option('--allow-http <host>', 'allow plain http to this host; may be repeated', (value, before: string[] = []) => [
      ...before,
      value,
    ]);
  program.optionsGroup('Help:');
}

// A terminal may report no width at all.
function helpWidth(columns: number | undefined): number {
  return columns === undefined || columns < 40 ? 100 : Math.min(columns, 120);
}
