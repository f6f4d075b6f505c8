import type { Command, Option } from 'commander';
import { FORMAT_NAMES } from '../output/formats.ts';
import { CALLER_KINDS } from '../sandbox/callers.ts';
import { collect, option } from './options.ts';

/** The global options that code reads by name. All others only change settings. */
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
  /** An option of commands that take several organizations. */
  allOrgs?: boolean;
  /** An option of some commands. */
  include?: string[];
}

const GROUPS: Record<string, Option[]> = {
  'Service:': [
    option('--org <names>', 'organization; several, separated by commas, where a command takes them'),
    option('--profile <name>', 'use the service, organization and token stored under this name'),
    option('--host <name>', 'host of the service: https://<name>/api/v2'),
    option('--base-url <url>', 'address of the API, used exactly as given'),
    option('--sandbox', 'use the built-in sandbox'),
    option('--as <caller>', 'who you are in the sandbox').choices([...CALLER_KINDS]),
  ],
  'Output:': [
    option('-o, --output <format>', 'format (default: table at a terminal, tsv elsewhere)').choices(FORMAT_NAMES),
    option('--fields <names>', 'print these fields, in this order; --fields help lists them'),
    option('--query <jmespath>', 'print this part of the JSON; implies -o json'),
    option('-q, --quiet', 'print only errors and data'),
    option('--debug', 'print every HTTP exchange on stderr, without secrets'),
    option('--accessible', 'no spinner, no symbols, one labelled line per field'),
    option('--no-color', 'no colours'),
  ],
  'Safety:': [
    option('--dry-run', 'print what would be done; send no write'),
    option('-y, --yes', 'answer confirmations with yes'),
    option('--no-input', 'never prompt'),
  ],
  'Connection:': [
    option('--timeout <duration>', 'longest time for a request (default: 30s)'),
    option('--max-retries <n>', 'how many times to retry a request (default: 4)'),
    option('--ca-file <pem>', 'trust this certificate authority too'),
    option('--client-cert <pem>', 'present this certificate'),
    option('--client-key <pem>', "the certificate's private key"),
    option('--insecure-skip-tls-verify', "don't check certificates"),
    option('--allow-http <host>', 'allow plain http to this host (repeatable)', collect),
  ],
};

export function addGlobalOptions(program: Command): void {
  for (const [group, options] of Object.entries(GROUPS)) {
    program.optionsGroup(group);
    for (const option of options) program.addOption(option);
  }
  program.optionsGroup('Options:');
}
