import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { organizationStateDirectory } from '../../src/settings/directories.ts';
import { SETTINGS } from '../../src/settings/settings.ts';
import { FORMAT_NAMES } from '../../src/stdout/formats/index.ts';
import { listWords } from '../support/text.ts';
import { mutated, toBytes } from './bytes.ts';
import {
  accountDocument,
  body,
  discoveryDocument,
  errorBody,
  listDocument,
  resourceDocument,
  trailDocument,
  versionsDocument,
} from './documents.ts';
import { FILES } from './files.ts';
import { createPlace, type HostileService, runCommandLine, startHostileService } from './run-command-line.ts';
import { type Target, Violation } from './target.ts';
import { weighted, words } from './words.ts';

/** Whole command lines: hostile arguments, answers and files. */

const OLIVE = 'olive.owner@example.com';
const IVAN = 'ivan.invitee@example.com';
const ROTATE = ['audit-token', 'rotate', '--to', 'file:out/token', '--expires', '90d'];

/** Command lines that send requests. */
const WITH_REQUESTS: readonly (readonly string[])[] = [
  ['members', 'list'],
  ['members', 'list', '--include', 'user,teams', '--pending-older-than', '1d'],
  ['members', 'list', '--limit', '3'],
  ['members', 'mine'],
  ['members', 'show', OLIVE],
  ['members', 'show', 'name:olive-owner'],
  ['members', 'show', 'ou-1'],
  ['members', 'invite', 'ana@example.com', 'ben@example.com', '--team', 'platform'],
  ['members', 'remove', IVAN, '--yes'],
  ['members', 'remove', IVAN, '--yes', '--ignore-missing'],
  ['members', 'resend', IVAN, '--yes'],
  ['members', 'plan', '--file', 'roster.yaml', '--prune'],
  ['members', 'plan', '--init'],
  ['members', 'apply', '--file', 'roster.yaml', '--prune', '--yes', '--max-removals', '9'],
  ['teams', 'list'],
  ['providers', 'list'],
  ['providers', 'get', 'hashicorp/aws'],
  ['providers', 'create', 'hashicorp/google'],
  ['providers', 'delete', 'public/hashicorp/aws', '--yes'],
  ['providers', 'versions', 'hashicorp/aws'],
  ['audit-token', 'show', '--fail-if-expires-within', '30d'],
  ['audit-token', 'generate', '--yes', '--expires', '90d'],
  ['audit-token', 'delete', '--yes'],
  ROTATE,
  [...ROTATE.slice(0, -1), 'same', '--if-expires-within', '30d'],
  ['audit-trail', 'list'],
  ['feature-sets', 'list'],
  ['feature-sets', 'list', '--eligible'],
  ['feature-sets', 'compare'],
  ['feature-sets', 'compare', 'fs-1', 'fs-2'],
  ['auth', 'status'],
  ['doctor'],
  ['api', 'GET', '/organizations/acme/teams'],
  ['api', 'GET', '/organizations/acme/teams', '--all'],
  ['api', 'DELETE', '/organizations/acme/teams/x', '--yes'],
];
const FORMATLESS = ['members plan --init'];

const ROSTER =
  'members:\n  - email: olive.owner@example.com\n    teams: [owners]\n  - email: ana@example.com\n    teams: [platform]\n';

interface Opening {
  readonly service: HostileService;
  /** Runs in folders of its own, against the demo state. */
  go(
    argv: readonly string[],
    options: {
      readonly hostile?: Parameters<HostileService['prepare']>[0];
      readonly env?: Readonly<Record<string, string>>;
      readonly stdin?: string;
      readonly tty?: boolean;
      readonly writes?: readonly string[];
      /** Fills the home; what it returns checks the home afterwards, by the exit code. */
      readonly prepareHome?: (home: string, origin: string) => ((code: number) => void) | undefined;
    },
  ): Promise<void>;
}

function commandLineTarget<Input>(
  name: string,
  tried: number,
  inputs: fc.Arbitrary<Input>,
  run: (input: Input, opening: Opening) => Promise<void>,
): Target {
  return {
    name,
    inputs,
    tried,
    async open() {
      const service = await startHostileService();
      const go: Opening['go'] = async (
        argv,
        { hostile = [], env = {}, stdin, tty = false, writes = [], prepareHome },
      ) => {
        service.prepare(hostile);
        const place = createPlace();
        try {
          mkdirSync(join(place.home, 'out'));
          writeFileSync(join(place.home, 'roster.yaml'), ROSTER);
          const judge = prepareHome?.(place.home, new URL(service.url).origin);
          const { code } = await runCommandLine(argv, place, {
            env: { ORGCTL_BASE_URL: service.url, ORGCTL_ORG: 'acme', ORGCTL_TOKEN: service.tokenOf(), ...env },
            writes: ['out', ...writes],
            ...(stdin === undefined ? {} : { stdin }),
            ...(tty ? { tty: { stdout: true }, columns: 60 } : {}),
          });
          service.judge();
          judge?.(code);
        } finally {
          place.close();
        }
      };
      return { run: (input) => run(input as Input, { service, go }), close: () => service.close() };
    },
  };
}

const header = fc.tuple(
  fc.constantFrom(
    ...listWords(`
    content-type retry-after x-ratelimit-limit x-ratelimit-reset date location tfp-api-version tfp-appname
    x-tfe-version x-request-id set-cookie content-encoding www-authenticate
  `),
  ),
  words([
    ...listWords(`
    application/vnd.api+json text/html 0 1 30 1.5 /api/v2/elsewhere //elsewhere.invalid/
    https://elsewhere.invalid/ gzip
  `),
    'Sat, 21 Nov 2026 09:00:05 GMT',
    'Terraform Enterprise',
  ]),
);
const hostileAnswer = fc.record({
  request: fc.nat(4),
  status: weighted(
    [6, fc.constantFrom(200, 200, 201, 204)],
    [4, fc.constantFrom(400, 401, 403, 404, 422, 429)],
    [2, fc.constantFrom(202, 206, 300, 301, 302, 307, 308, 304, 418, 500, 502, 503, 504, 599, 600, 999)],
  ),
  headers: fc.array(header, { maxLength: 3 }),
  body: weighted(
    [4, body(listDocument)],
    [4, body(resourceDocument)],
    [1, body(trailDocument)],
    [1, body(versionsDocument)],
    [1, body(discoveryDocument)],
    [1, body(accountDocument)],
    [3, errorBody],
  ),
  cut: weighted([20, fc.constant(false)], [1, fc.constant(true)]),
});

const answers = commandLineTarget(
  'command-answers',
  30,
  fc.record({
    command: fc.nat(WITH_REQUESTS.length - 1),
    hostile: fc.array(hostileAnswer, { minLength: 1, maxLength: 3 }),
    format: fc.constantFrom(null, ...FORMAT_NAMES),
    tty: fc.boolean(),
    debug: fc.boolean(),
  }),
  async ({ command, hostile, format, tty, debug }, { go }) => {
    const argv = WITH_REQUESTS[command] ?? [];
    const isFormatless = argv[0] === 'api' || FORMATLESS.includes(argv.join(' '));
    const formatted = format === null || isFormatless ? argv : [...argv, '-o', format];
    await go([...formatted, '--no-color', ...(debug ? ['--debug'] : [])], { hostile, tty });
  },
);

const NAMED = [
  'acme',
  'globex',
  'platform',
  OLIVE,
  'ou-1',
  'team-1',
  'id:',
  'email:',
  'name:',
  'hashicorp/aws',
  'public/hashicorp/aws',
  '90d',
  '2027-01-31',
  '/organizations/acme',
  'owner',
  '1',
  '0',
  'id,email',
  'json',
];
const VERBS: readonly (readonly string[])[] = [
  ...WITH_REQUESTS.map((argv) => argv.slice(0, argv[0] === 'doctor' ? 1 : 2)).filter(([, verb]) => verb !== 'rotate'),
  ['api', 'GET'],
  ['api'],
  ['settings', 'list'],
  ['settings', 'get'],
  ['settings', 'set'],
  ['settings', 'set', 'org'],
  ['settings', 'set', 'allow-http'],
  ['settings', 'unset'],
  ['settings', 'path'],
  ['auth', 'login'],
  ['auth', 'logout'],
  ['sandbox', 'info'],
  ['sandbox', 'accept'],
  ['help'],
  ['completion'],
  ['--sandbox', 'members', 'list'],
  ['members'],
];
/** With their values. Options that write to a given path or start a program are left out. */
const OPTIONS = listWords(`
  --org --profile --as -o --fields --timeout --max-retries --ca-file --allow-http --status --email --search -s
  --include --limit --page --page-size --team --file --plan --max-removals --registry --owner --namespace
  --name --expires --since -f --input --word --fail-if-expires-within --pending-older-than
`);
const FLAGS = listWords(`
  --yes --no-input --dry-run -q --debug --no-color --all --eligible --prune --init --schema --ignore-missing
  --if-absent --help -- - --sandbox
`);

const word = words(NAMED);
const argument = weighted(
  [4, word.map((one) => [one])],
  [4, fc.tuple(fc.constantFrom(...OPTIONS), word).map(([option, value]) => [option, value])],
  [1, fc.tuple(fc.constantFrom(...OPTIONS), word).map(([option, value]) => [`${option}=${value}`])],
  [2, fc.constantFrom(...FLAGS).map((flag) => [flag])],
);

const argumentLines = commandLineTarget(
  'command-arguments',
  30,
  fc.record({
    verb: fc.nat(VERBS.length - 1),
    more: fc.array(argument, { maxLength: 4 }),
    format: fc.constantFrom(null, null, ...FORMAT_NAMES),
    stdin: word,
  }),
  async ({ verb, more, format, stdin }, { go }) => {
    const argv = [...(VERBS[verb] ?? []), ...more.flat()];
    await go(format === null ? argv : ['-o', format, ...argv], { stdin });
  },
);

/** Command lines with a place for one word. */
const SLOTS: readonly ((word: string) => readonly string[])[] = [
  ...listWords('--org --profile --fields --ca-file --allow-http --search --email --include --status').map(
    (option) => (one: string) => ['members', 'list', option, one],
  ),
  (one) => ['members', 'list', '--pending-older-than', one],
  (one) => ['members', 'list', '--timeout', one],
  (one) => ['members', 'show', one],
  (one) => ['members', 'invite', one, '--team', 'platform', '--dry-run'],
  (one) => ['members', 'invite', 'ana@example.com', '--team', one],
  (one) => ['members', 'invite', '--file', one],
  (one) => ['members', 'remove', one, '--yes'],
  (one) => ['members', 'plan', '--file', one],
  (one) => ['members', 'apply', '--file', one, '--yes'],
  (one) => ['members', 'apply', '--file', 'roster.yaml', '--plan', one, '--yes'],
  (one) => ['members', 'resend', one, '--yes'],
  (one) => ['providers', 'list', '--owner', one],
  (one) => ['providers', 'get', one],
  (one) => ['providers', 'get', '--namespace', one, '--name', one],
  (one) => ['providers', 'create', one],
  (one) => ['providers', 'delete', one, '--yes'],
  (one) => ['providers', 'versions', one],
  (one) => ['audit-token', 'show', '--fail-if-expires-within', one],
  (one) => ['audit-token', 'generate', '--yes', '--expires', one],
  (one) => [...ROTATE, '--settle', one],
  (one) => [...ROTATE, '--verify-command', one, '--dry-run'],
  (one) => ['audit-token', 'rotate', '--expires', '90d', '--dry-run', '--to', one],
  (one) => ['audit-trail', 'list', '--since', one],
  (one) => ['feature-sets', 'compare', 'fs-1', one],
  (one) => ['api', 'GET', one],
  (one) => ['api', 'GET', `/${one}`, '--all'],
  (one) => ['api', 'GET', '/organizations/acme/teams', '-f', `q=${one}`],
  (one) => ['api', 'POST', '/organizations/acme/teams', '--input', one, '--yes'],
  (one) => ['settings', 'set', 'org', one],
  (one) => ['settings', 'set', 'to', one],
  (one) => ['settings', 'set', 'org', 'acme', '--profile', one],
  (one) => ['auth', 'login', '--profile', one],
  (one) => ['sandbox', 'accept', one],
  (one) => ['--sandbox', 'members', 'list', '--org', one],
  (one) => ['help', one],
  (one) => [one],
];

const named = commandLineTarget(
  'command-words',
  30,
  fc.record({
    slot: fc.nat(SLOTS.length - 1),
    word: words(['acme', OLIVE, 'hashicorp/aws', 'platform']),
    format: fc.constantFrom(null, null, ...FORMAT_NAMES),
    tty: fc.boolean(),
  }),
  async ({ slot, word: one, format, tty }, { go }) => {
    const argv = SLOTS[slot]?.(one) ?? [];
    await go([...(format === null ? [] : ['-o', format]), ...(tty ? ['--no-color'] : []), ...argv], {
      stdin: 'a-token',
      tty,
    });
  },
);

const VARIABLES = [
  ...new Set(SETTINGS.flatMap(({ environment }) => environment)),
  ...listWords('ORGCTL_PROFILE ORGCTL_TOKEN TFE_TOKEN TF_TOKEN_127_0_0_1 TF_TOKEN_app_terraform_io'),
  ...listWords('CI TERM HTTPS_PROXY NO_PROXY'),
];
const KEPT = ['ORGCTL_BASE_URL'];
const VALUES = listWords('json yes 0 acme https://x.example user:pass@x.example x.example file:/x dumb true');

const environments = commandLineTarget(
  'command-environment',
  30,
  fc.record({
    line: fc.constantFrom(
      ...['settings list', 'settings list -o json', 'settings get org', 'settings set org x', 'auth status'],
      ...['members list', 'members list -o json', 'help environment', 'doctor -o json'],
    ),
    env: fc.dictionary(fc.constantFrom(...VARIABLES), words(VALUES), { maxKeys: 5, noNullPrototype: true }),
  }),
  async ({ line, env }, { go }) => {
    const argv = listWords(line);
    // What asks the service asks the one of this machine.
    const isAsking = argv[0] !== 'settings' && argv[0] !== 'help';
    await go(argv, {
      env: Object.fromEntries(Object.entries(env).filter(([name]) => !isAsking || !KEPT.includes(name))),
    });
  },
);

const { CSV, JSON_PEOPLE, YAML, PLANS, CONFIGS, CREDENTIALS, TERRAFORM, JOURNALS, RECOVERIES } = FILES;
const JOURNAL_NAME = 'rotation.json';

interface Furnished {
  readonly path: (home: string, origin: string) => string;
  readonly texts: fc.Arbitrary<string>;
  readonly lines: readonly (readonly string[])[];
  /** orgctl's own files, which it may write again. */
  readonly isOwn?: true;
  readonly env?: Readonly<Record<string, string>>;
}

const toState = (home: string, origin: string): string =>
  organizationStateDirectory(join(home, 'state'), origin, 'acme');

const FURNISHED: Readonly<Record<string, Furnished>> = {
  config: {
    path: (home) => join(home, 'config', 'config.json'),
    texts: mutated(CONFIGS, ['"org":"', '"output":"', '"no-color":', '"profiles":{', '"__proto__":']),
    lines: [
      ['settings', 'list', '-o', 'json'],
      ['members', 'list'],
      ['settings', 'get', 'org'],
      ['settings', 'set', 'quiet', 'true'],
      ['settings', 'unset', 'org'],
      ['auth', 'status', '--all'],
      ['members', 'list', '--profile', 'staging'],
      ['doctor'],
    ],
    isOwn: true,
  },
  credentials: {
    path: (home) => join(home, 'config', 'credentials.json'),
    texts: mutated(CREDENTIALS, ['"token":"', '"credentials":{', '127.0.0.1', 'http://', '"__proto__":']),
    lines: [['auth', 'status'], ['auth', 'logout'], ['auth', 'login'], ['members', 'list', '-o', 'json'], ['doctor']],
    isOwn: true,
    env: { ORGCTL_TOKEN: '' },
  },
  terraform: {
    path: (home) => join(home, '.terraform.d', 'credentials.tfrc.json'),
    texts: mutated(TERRAFORM, ['"token":"', '127.0.0.1', '"credentials":']),
    lines: [['auth', 'status', '-o', 'json'], ['members', 'list'], ['doctor']],
    env: { ORGCTL_TOKEN: '' },
  },
  journal: {
    path: (home, origin) => join(toState(home, origin), JOURNAL_NAME),
    texts: mutated(JOURNALS, ['"phase":"', '"undelivered-token-', '"posts":', '"temporaries":', 'null']),
    lines: [ROTATE, ['audit-token', 'show'], ['doctor', '-o', 'json'], ['audit-token', 'generate', '--yes']],
    isOwn: true,
  },
  recovery: {
    path: (home, origin) => join(toState(home, origin), 'undelivered-token-00ff'),
    texts: mutated(RECOVERIES, ['\n{', '\0', '"id":']),
    lines: [ROTATE, ['doctor']],
    isOwn: true,
  },
  people: {
    path: (home) => join(home, 'people'),
    texts: mutated([...CSV, ...JSON_PEOPLE], [',', ';', '"', '\n', '#']),
    lines: [
      ['members', 'invite', '--file', 'people', '--team', 'platform'],
      ['members', 'remove', '--file', 'people', '--yes', '-o', 'json'],
      ['members', 'invite', '--file', 'people', '--dry-run', '-o', 'csv'],
    ],
  },
  roster: {
    path: (home) => join(home, 'roster.yaml'),
    texts: mutated([...YAML, ROSTER], ['members:', '- ', ': ', '*a', '&a ', '[', '{']),
    lines: [
      ['members', 'plan', '--file', 'roster.yaml'],
      ['members', 'plan', '--file', 'roster.yaml', '--prune', '-o', 'json'],
      ['members', 'apply', '--file', 'roster.yaml', '--yes', '-o', 'csv'],
    ],
  },
  plan: {
    path: (home) => join(home, 'plan.json'),
    texts: mutated([...PLANS, '[]'], ['null', '"id":']),
    lines: [['members', 'apply', '--file', 'roster.yaml', '--plan', 'plan.json', '--yes']],
  },
  body: {
    path: (home) => join(home, 'body.json'),
    texts: mutated(['{"data":{"type":"teams","attributes":{"name":"x"}}}', ...JSON_PEOPLE], ['"token":"', '\\u0000']),
    lines: [
      ['api', 'POST', '/organizations/acme/teams', '--input', 'body.json', '--yes'],
      ['api', 'POST', '/x', '--input', 'body.json', '--dry-run', '-o', 'json'],
    ],
  },
  certificates: {
    path: (home) => join(home, 'ca.pem'),
    texts: mutated(
      [
        '-----BEGIN CERTIFICATE-----\nMIIBpzCCAU2gAwIBAgIUBxBT9AP43qRZtuaRk5faxqbhU0cwCgYIKoZIzj0EAwIw\n-----END CERTIFICATE-----\n',
      ],
      ['-----BEGIN CERTIFICATE-----', 'MII', '\n'],
    ),
    lines: [
      ['members', 'list', '--ca-file', 'ca.pem', '--max-retries', '0'],
      ['doctor', '--ca-file', 'ca.pem'],
    ],
    // Nobody speaks TLS there.
    env: { ORGCTL_BASE_URL: 'https://127.0.0.1:1/api/v2' },
  },
};

const files = commandLineTarget(
  'command-files',
  30,
  fc.oneof(
    ...Object.entries(FURNISHED).map(([kind, { texts, lines }]) =>
      fc.record({ kind: fc.constant(kind), line: fc.nat(lines.length - 1), text: texts }),
    ),
  ),
  async ({ kind, line, text }, { go }) => {
    const furnished = FURNISHED[kind];
    if (furnished === undefined) return;
    const { path, lines, env = {}, isOwn = false } = furnished;
    await go(lines[line] ?? [], {
      env,
      stdin: 'a-token-that-is-typed',
      prepareHome(home, origin) {
        const whole = path(home, origin);
        mkdirSync(dirname(whole), { recursive: true, mode: 0o700 });
        writeFileSync(whole, toBytes(text), { mode: 0o600 });
        return (code) => {
          if (code !== 2 && isOwn) return;
          // What was refused is left as it was.
          if (!readFileSync(whole).equals(toBytes(text))) throw new Violation(`exit ${code}, and ${kind} was changed`);
        };
      },
    });
  },
);

const completions = commandLineTarget(
  'command-completion',
  30,
  fc.record({
    shell: fc.constantFrom('bash', 'zsh', 'fish', 'powershell'),
    live: fc.boolean(),
    before: fc.array(
      words(listWords(`members list show --org acme --team providers get help settings set -o -- ' "mem \\`)),
      { maxLength: 4 },
    ),
    word: words(['m', '--', '--o', '--org=', '--team=plat', 'pub', "'pl", '"', 'hashicorp/', ',']),
    hostile: fc.array(hostileAnswer, { maxLength: 2 }),
  }),
  async ({ shell, live, before, word: current, hostile }, { go }) => {
    await go(['completion', shell, ...(live ? ['--live'] : []), '--word', current, '--', ...before], { hostile });
  },
);

export const COMMAND_LINE_TARGETS: readonly Target[] = [
  answers,
  argumentLines,
  named,
  environments,
  files,
  completions,
];
