import { EXIT_CODES } from '../exit-codes.ts';
import { SETTINGS } from '../settings/settings.ts';
import { FORMAT_NAMES } from '../stdout/formats/index.ts';
import { describeRotation } from './rotation-topic.ts';
import type { TopicName } from './topic-names.ts';

/** Help that belongs to no single command. Each topic is made from the data that the code itself uses. */
export const HELP_TOPICS: Readonly<Record<TopicName, () => string>> = Object.freeze({
  'exit-codes': describeExitCodes,
  environment: describeEnvironment,
  output: describeOutput,
  rotation: describeRotation,
});

interface Variable {
  readonly environment: readonly string[];
  readonly description: string;
}

/** Variables that stand for no setting. */
const OTHER_VARIABLES: readonly Variable[] = [
  { environment: ['ORGCTL_TOKEN', 'TF_TOKEN_<host>', 'TFE_TOKEN'], description: 'the token; no option takes one' },
  { environment: ['ORGCTL_PROFILE'], description: 'the stored profile to use; variables come before what it holds' },
  {
    environment: ['TF_CLI_CONFIG_FILE', 'TERRAFORM_CONFIG'],
    description: "Terraform's settings, whose credentials blocks are read; default ~/.terraformrc",
  },
  { environment: ['ORGCTL_CONFIG_DIR'], description: 'the folder of config.json and credentials.json' },
  { environment: ['ORGCTL_STATE_DIR'], description: 'the folder of the sandbox and of what must not be lost' },
  {
    environment: ['FORCE_HYPERLINK'],
    description: 'at a terminal: 1 makes web addresses in messages links, 0 does not; else where it is known to work',
  },
  {
    environment: ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
    description: 'proxies; this machine itself is never reached by one',
  },
];

function describeExitCodes(): string {
  const lines = Object.entries(EXIT_CODES).map(
    ([name, { code, when }]) => `${String(code).padStart(5)}  ${name.padEnd(18)}${when}`,
  );
  return ['Exit codes', '', ...lines, ''].join('\n');
}

function describeEnvironment(): string {
  const variables: readonly Variable[] = [...SETTINGS, ...OTHER_VARIABLES];
  const rows = variables
    .filter(({ environment }) => environment.length > 0)
    .map(({ environment, description }) => ({ names: environment.join(', '), description }));
  const width = Math.max(...rows.map(({ names }) => names.length)) + 2;
  return [
    'Environment',
    '',
    'An option comes before a profile named by --profile, that before a variable, a variable before what is stored.',
    'Of several variables the first that is set wins. An empty variable counts as unset, 0 and false as no.',
    'NO_COLOR counts whatever it holds; CLICOLOR only forbids colours, with 0, and CLICOLOR_FORCE only forces them.',
    '',
    ...rows.map(({ names, description }) => `  ${names.padEnd(width)}${description}`),
    '',
    'A token belongs to one service, and is never sent to another. TF_TOKEN_app_terraform_io is the one of',
    'app.terraform.io: in the name _ stands for a dot and __ for a hyphen.',
    'Where no variable holds one, the stored token is used (orgctl auth login), then those of Terraform: credentials',
    'blocks of its settings, and terraform login.',
    'With --sandbox no token is read, and the organization is --org or acme, whatever the variables say.',
    '',
  ].join('\n');
}

function describeOutput(): string {
  return [
    'Output',
    '',
    'Results go to stdout and nothing else does; notes, warnings and errors go to stderr.',
    '',
    `  formats (-o)  ${FORMAT_NAMES.join(', ')}; table at a terminal and tsv elsewhere when none is named`,
    '  table         for people; its layout may change',
    '  tsv           no header; tab, newline and backslash inside a value as \\t, \\n and \\\\; lists joined by commas',
    '  csv           a header and rows, safe to open in a spreadsheet',
    '  json          one array for a list, one object for one thing, an array for commands that take several',
    '  ndjson        one object a line, printed as it arrives',
    "  jsonapi       the service's own documents, pages merged",
    '',
    "In json and ndjson a resource is one object: id, type, its attributes under the service's names, and each",
    'relationship as an object with id, type and what was included. --fields chooses fields in every format but jsonapi, and',
    'decides what is read of memberships: teams.name includes teams by itself.',
    'A write adds changed: true or false. A dry run leaves out what it did not do.',
    '',
    'tsv, csv and ndjson print as they read: when the list changes meanwhile, rows may come before exit 10.',
    'The other formats print nothing of such a list, unless --allow-partial is given.',
    'The audit trail may grow meanwhile: each event that was there at the start is printed once. No list is read beyond',
    '10,000,000 rows: a longer one ends with exit 10.',
    '',
    'With --accessible (ORGCTL_ACCESSIBLE, or orgctl settings set accessible true) tables become paragraphs of',
    'label: value, one a row, and nothing is drawn, moves, or is told by a sign alone. What takes long says so in a',
    'plain line after 2 s and every 10 s. Formats for programs stay as they are.',
    '',
    'With json, ndjson or jsonapi everything on stderr is JSON too, one object a line; the last is {"error": …}.',
    '',
  ].join('\n');
}
