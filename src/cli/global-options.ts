import { type Command, Option } from 'commander';
import { FORMAT_NAMES } from '../output/formats.ts';
import { CALLER_KINDS } from '../sandbox/callers.ts';

/** The options of every command that code reads by name, as they were typed; all others only set settings. */
export interface GlobalOptions {
  org?: string;
  profile?: string;
  host?: string;
  baseUrl?: string;
  output?: string;
  sandbox?: boolean;
  as?: string;
  fields?: string;
  query?: string;
  yes?: boolean;
  dryRun?: boolean;
  /** Only commands that take several organizations have it. */
  allOrgs?: boolean;
  /** Only some commands have it. */
  include?: string[];
}

export function addGlobalOptions(program: Command): void {
  const add = (...options: [flags: string, description: string][]): void => {
    for (const [flags, description] of options) program.option(flags, description);
  };
  program.optionsGroup('Service:');
  add(
    ['--org <names>', 'organization; several, separated by commas, where a command takes them'],
    ['--profile <name>', 'use the service, organization and token stored under this name'],
    ['--host <name>', 'host of the service: https://<name>/api/v2'],
    ['--base-url <url>', 'address of the API, used exactly as given'],
    ['--sandbox', 'use the built-in sandbox'],
  );
  program.addOption(new Option('--as <caller>', 'who you are in the sandbox').choices([...CALLER_KINDS]));
  program.optionsGroup('Output:');
  program.addOption(
    new Option('-o, --output <format>', 'format (default: table at a terminal, tsv elsewhere)').choices(FORMAT_NAMES),
  );
  add(
    ['--fields <names>', 'these fields, in this order; --fields help lists them'],
    ['--query <jmespath>', 'this part of the JSON; implies -o json'],
    ['-q, --quiet', 'print errors and data alone'],
    ['--debug', 'print every HTTP exchange on stderr, without secrets'],
    ['--accessible', 'no spinner, no symbols, one labelled line per field'],
    ['--no-color', 'no colours'],
  );
  program.optionsGroup('Safety:');
  add(
    ['--dry-run', 'print what would be done; send no write'],
    ['-y, --yes', 'answer confirmations with yes'],
    ['--no-input', 'never prompt'],
  );
  program.optionsGroup('Connection:');
  add(
    ['--timeout <duration>', 'longest time for a request (default: 30s)'],
    ['--max-retries <n>', 'how often a request is retried (default: 4)'],
    ['--ca-file <pem>', 'trust this certificate authority too'],
    ['--client-cert <pem>', 'present this certificate'],
    ['--client-key <pem>', "the certificate's private key"],
    ['--insecure-skip-tls-verify', "don't check certificates"],
  );
  program.addOption(
    new Option('--allow-http <host>', 'allow plain http to this host (repeatable)').argParser(
      (host: string, hosts: string[] = []) => [...hosts, host],
    ),
  );
  program.optionsGroup('Options:');
}
