import type { Command } from 'commander';
import type { Settings } from '../config/resolve.ts';
import { UsageError } from '../lib/errors.ts';
import type { Redactor } from '../lib/redact.ts';
import type { Runtime } from '../lib/runtime.ts';
import { joinNames } from '../lib/text.ts';
import { listFields } from '../output/columns.ts';
import { FORMAT_NAMES } from '../output/formats.ts';
import { CALLER_KINDS } from '../sandbox/callers.ts';
import { completeOrgs, completeProfiles } from './completers.ts';
import { collect, type OptionValues, option } from './options.ts';

const GROUPS = {
  'Service:': [
    option('--org <names>', 'organization; several, separated by commas, where a command takes them', {
      complete: completeOrgs,
    }),
    // Shown by the commands that take it.
    option('--all-orgs', 'every organization that you are a member of', { isHidden: true }),
    option('--profile <name>', 'use the service, organization and token stored under this name', {
      complete: completeProfiles,
    }),
    option('--host <name>', 'host of the service: https://<name>/api/v2'),
    option('--base-url <url>', 'address of the API, used exactly as given'),
    option('--sandbox', 'use the built-in sandbox'),
    option('--as <caller>', 'who you are in the sandbox', { choices: CALLER_KINDS }),
  ],
  'Output:': [
    option('-o, --output <format>', 'format (default: table at a terminal, tsv elsewhere)', { choices: FORMAT_NAMES }),
    option('--fields <names>', 'print these fields, in this order; --fields help lists them', {
      complete: ({ columns }) => (columns ? [...listFields(columns), 'help'] : []),
    }),
    option('--query <jmespath>', 'print this part of the JSON; implies -o json'),
    option('-q, --quiet', 'print only errors, warnings and data'),
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
    option('--allow-http <host>', 'allow plain http to this host (repeatable)', { parse: collect }),
  ],
} as const;

type GlobalOption = (typeof GROUPS)[keyof typeof GROUPS][number];

export type GlobalOptions = Partial<OptionValues<GlobalOption[]>> & {
  /** Options of some commands, which the session reads. */
  include?: string[];
  countBy?: string;
  page?: number;
  limit?: number;
};

export interface SessionContext {
  runtime: Runtime;
  version: string;
  options: GlobalOptions;
  settings: Settings;
  redactor: Redactor;
  signal: AbortSignal;
}

export function addGlobalOptions(program: Command): void {
  for (const [group, options] of Object.entries(GROUPS)) {
    program.optionsGroup(group);
    for (const option of options) program.addOption(option);
  }
  program.optionsGroup('Options:');
}

/** For a command that prints no records; `taken` are the options that it takes anyway. Throws UsageError. */
export function assertPlain({ output, query, fields }: GlobalOptions, what: string, taken: readonly string[]): void {
  const given = [
    output !== undefined && `-o ${output}`,
    query !== undefined && '--query',
    fields !== undefined && '--fields',
  ];
  const refused = given.find((name) => name && !taken.includes(name));
  if (!refused) return;
  throw new UsageError(`${refused} can't be used with ${what}`, {
    hint: taken.length > 0 ? `It takes ${joinNames(taken)}.` : undefined,
  });
}
