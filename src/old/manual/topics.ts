import { ERROR_CODES, STDERR_LINES } from '../error-codes.ts';
import { EXIT_CODES } from '../exit-codes.ts';
import { RECOVERY_PREFIX } from '../rotation/journal.ts';
import { SINK_FORMS, type SinkKind } from '../rotation/sinks/sink.ts';
import { SETTINGS } from '../settings/settings.ts';
import { COMMAND_LIMITS } from '../subprocess/run-command.ts';
import agents from './agents.md';
import environment from './environment.md';
import exitCodes from './exit-codes.md';
import files from './files.md';
import jobs from './jobs.md';
import { toTable } from './markdown.ts';
import output from './output.md';
import rotation from './rotation.md';
import sandbox from './sandbox.md';
import type { TopicName } from './topic-names.ts';

/** The topics as Markdown. What the code itself goes by is put in where a topic says `<!-- … -->`. */
export const TOPICS: Readonly<Record<TopicName, () => string>> = Object.freeze({
  jobs: () => jobs,
  environment: () => fillIn(environment, { variables: listVariables() }),
  output: () => output,
  'exit-codes': () =>
    fillIn(exitCodes, { exits: listExitCodes(), errors: toRows(ERROR_CODES), lines: toRows(STDERR_LINES) }),
  rotation: () => fillIn(rotation, { places: listPlaces(), 'kept files': listKeptFiles() }),
  files: () => files,
  sandbox: () => sandbox,
  agents: () => agents,
});

function fillIn(text: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce(
    (filled, [name, table]) => filled.replace(`<!-- ${name} -->`, () => table),
    text,
  );
}

function listExitCodes(): string {
  const rows = Object.entries(EXIT_CODES).map(([name, { code, when }]) => [String(code), name, when]);
  return toTable(['', '', ''], rows);
}

function toRows(table: Readonly<Record<string, string>>): string {
  return toTable(['', ''], Object.entries(table));
}

interface Variable {
  readonly environment: readonly string[];
  readonly description: string;
}

/** Variables that stand for no setting. */
const OTHER_VARIABLES: readonly Variable[] = [
  { environment: ['ORGCTL_TOKEN', 'TF_TOKEN_<host>', 'TFE_TOKEN'], description: 'The token; no option takes one' },
  { environment: ['ORGCTL_PROFILE'], description: 'The profile to use; the other variables come before what it holds' },
  { environment: ['ORGCTL_CONFIG_DIR'], description: 'The folder of config.json and credentials.json' },
  { environment: ['ORGCTL_STATE_DIR'], description: 'The folder of the sandbox, and of what rotations keep' },
  { environment: ['ORGCTL_LOG_FILE'], description: 'A file to note every write in, without secrets' },
  {
    environment: ['HTTPS_PROXY', 'HTTP_PROXY', 'NO_PROXY'],
    description: 'Proxies; none is used for this machine itself',
  },
];

function listVariables(): string {
  const variables: readonly Variable[] = [...SETTINGS, ...OTHER_VARIABLES];
  const rows = variables
    .filter((variable) => variable.environment.length > 0)
    .map((variable) => [variable.environment.join(', '), variable.description]);
  return toTable(['', ''], rows);
}

const PLACES: Readonly<Record<SinkKind, string>> = {
  file: 'the secret and nothing else; mode and group of the file are kept',
  'env-file': 'one line KEY=secret; the rest of the file stays as it is',
  exec: `the secret on the command's stdin, without a newline; exit 0 within ${COMMAND_LIMITS.time / 1_000} s means that it has it`,
  'github-output': 'an output of a GitHub Actions step, masked first',
  stdout: 'the secret and a newline; the result then goes to stderr, or with -o json both are one object',
};

function listPlaces(): string {
  return toTable(
    ['', ''],
    Object.entries(PLACES).map(([kind, says]) => [SINK_FORMS[kind as SinkKind], says]),
  );
}

function listKeptFiles(): string {
  return toTable(
    ['', ''],
    [
      ['rotation.json', 'the journal: the rotation that is open, and which token was delivered last; no secret'],
      ['rotation.lock', 'lets one rotation run at a time; the system releases it when its process ends'],
      [`${RECOVERY_PREFIX}…`, 'the recovery file: a secret from when it is created until it has reached its places'],
    ],
  );
}
