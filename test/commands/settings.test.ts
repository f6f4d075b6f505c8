import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { run } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { createHomeOf, readStored } from '../support/stored.ts';
import { transcript } from '../support/transcript.ts';

const env = { ORGCTL_BASE_URL: '', ORGCTL_TOKEN: '', ORGCTL_ORG: '' };

test('settings list shows each value with its source', () =>
  transcript({ env, home: createHomeOf({ config: { org: 'acme', to: ['file:./audit', 'stdout'], timeout: '1m' } }) })`
    $ ORGCTL_OUTPUT=tsv NO_COLOR=1 orgctl_log_file=x HTTPS_PROXY=http://unused.test https_proxy=http://me:p@ss@proxy.example:3128 settings list --host tfe.example.com
    profile		not set
    base-url	https://tfe.example.com/api/v2	--host
    org	acme	config.json
    token-command		not set
    output	tsv	ORGCTL_OUTPUT
    no-color	true	NO_COLOR
    accessible	false	default
    no-input	false	default
    quiet	false	default
    debug	false	default
    read-only	false	default
    timeout	60s	config.json
    max-retries	4	default
    ca-file		not set
    client-cert		not set
    client-key		not set
    insecure-skip-tls-verify	false	default
    allow-http		default
    to	file:./audit,stdout	config.json
    expires		not set
    config-dir	HOME/config	ORGCTL_CONFIG_DIR
    state-dir	HOME/state	ORGCTL_STATE_DIR
    https-proxy	http://***@proxy.example:3128	https_proxy
  `);

test('settings get prints the value alone, of the place that goes first', () =>
  transcript({ env, home: createHomeOf({ config: { org: 'acme', to: ['a', 'b'].map((name) => `file:${name}`) } }) })`
    $ settings set org globex --profile work
    ! ✓ Set org of profile work to globex
    $ settings get org
    acme
    $ ORGCTL_ORG=initech settings get org
    initech
    $ ORGCTL_ORG=initech settings get org --profile work
    globex
    $ ORGCTL_ORG=initech settings get org --profile work --org hooli
    hooli
    $ settings get to
    file:a
    file:b
    $ settings get expires
    $ settings get org -o ndjson
    {"name":"org","value":"acme","source":"config.json"}
  `);

test('settings set and unset change config.json, also in read-only mode, but not in a dry run', async () => {
  const home = createHomeOf({});
  await transcript({ home, env: { ...env, ORGCTL_READ_ONLY: '1' } })`
    $ settings set org acme --dry-run
    ! Would set org to acme
    $ settings set org acme
    ! ✓ Set org to acme
    $ settings set org acme
    ! org already has this value
    $ settings set max-retries 7 -q
    $ settings set debug on
    ! ✓ Set debug to true
    $ settings set to file:./audit stdout
    ! ✓ Set to to file:HOME/audit, stdout
    $ settings unset debug
    ! ✓ Unset debug
    $ settings unset debug
    ! debug is not set
    $ settings unset org --dry-run
    ! Would unset org
    $ settings unset org --dry-run -o ndjson
    {"name":"org","value":null,"changed":false,"result":"planned"}
    $ ORGCTL_OUTPUT=csv settings set timeout 2m
    result,name,value
    set,timeout,2m
    $ settings set timeout 2m -o tsv --fields result,changed
    unchanged\tfalse
    $ settings unset timeout -o ndjson
    {"name":"timeout","value":null,"changed":true,"result":"unset"}
  `;
  const path = join(home, 'config', 'config.json');
  expect(readStored(path)).toEqual({ org: 'acme', 'max-retries': 7, to: [`file:${join(home, 'audit')}`, 'stdout'] });
});

test('paths are stored absolute', async () => {
  const home = createHomeOf({});
  await transcript({ home })`
    $ settings set ca-file ca.pem -q
    $ settings set client-cert /etc/../etc/cert.pem -q
    $ settings set client-key ./keys/key.pem -q
    $ settings set to file:{org}/audit env-file:../.env#KEY 'exec:./store file:x' stdout github-output:token -q
    $ settings set to file:audit --profile work -q
  `;
  expect(readStored(join(home, 'config', 'config.json'))).toEqual({
    'ca-file': join(home, 'ca.pem'),
    'client-cert': '/etc/cert.pem',
    'client-key': join(home, 'keys/key.pem'),
    to: [
      `file:${join(home, '{org}/audit')}`,
      `env-file:${join(home, '../.env#KEY')}`,
      'exec:./store file:x',
      'stdout',
      'github-output:token',
    ],
    profiles: { work: { to: [`file:${join(home, 'audit')}`] } },
  });
});

const THERE = { 'base-url': 'https://tfe.example.com/api/v2' };
const LOGIN = { credentials: { 'tfe.example.com': { token: 's3cret' } } };
const OWN = { profiles: { work: { origin: 'https://tfe.example.com', token: 's3cret' } } };

test.each([
  ['', THERE, LOGIN, 2],
  ['', {}, LOGIN, 0],
  [' --profile work', { profiles: { work: THERE } }, OWN, 2],
  [' --profile new', {}, OWN, 0],
])(
  'settings set token-command pass%s: a stored token for the same service is in the way',
  async (more, config, credentials, code) => {
    const home = createHomeOf({ config, credentials });
    const ended = await run(`settings set token-command pass${more}`.split(' '), { home });
    expect(ended).toMatchObject({
      code,
      stderr: expect.stringContaining(code ? 'use one of them, not both' : 'Set token-command'),
    });
    const stored = readFileSync(join(home, 'config', 'config.json'), 'utf8');
    expect(stored.includes('token-command')).toBe(code === 0);
  },
);

test.each([
  ['get outptu', "unknown setting 'outptu'\n  → Did you mean output?"],
  ['set nonsense 1', "unknown setting 'nonsense'\n  → See orgctl settings list."],
  ['set token s3cret', 'the token is not a setting\n  → See orgctl auth status.'],
  [
    'set expires soon',
    "expires must be an instant with its time zone, a date, or a duration such as 30d or 12h, not 'soon'\n  → Units are ms, s, m, h, d, w, mo and y.",
  ],
  ['set timeout soon', "timeout must be a duration such as 30s, not 'soon'\n  → Units are ms, s, m, h, d and w."],
  ['set output xml', "output: unknown format 'xml'\n  → Formats are table, tsv, csv, json, ndjson, markdown, html."],
  ['set org "acme"', 'org has quotes around it'],
  ['set org a b', 'org takes one value\n  → Quote a value that has spaces.'],
  ['set profile wok', "no profile named 'wok'\n  → Did you mean work?"],
  ['set debug on --profile work', 'debug is the same for all profiles\n  → Leave out --profile.'],
])('settings %s: exit 2, and nothing is stored', async (argv, message) => {
  const config = { profiles: { work: {} } };
  const home = createHomeOf({ config });
  const ended = await run(['settings', ...argv.split(' ')], { home });
  expect(ended).toEqual({ code: 2, stdout: '', stderr: `orgctl: ${message}\n` });
  expect(readStored(join(home, 'config', 'config.json'))).toEqual(config);
});

test('what is the same for all profiles is not stored in the one in use', async () => {
  const home = createHomeOf({ config: { profiles: { work: {} } } });
  await run(['settings', 'set', 'timeout', '5s'], { home, env: { ORGCTL_PROFILE: 'work' } });
  expect(readStored(join(home, 'config', 'config.json'))).toEqual({ profiles: { work: {} }, timeout: '5s' });
});

const stored = '{"credentials":{"https://app.terraform.io":{"token":"s3cret"}}}';
test.each<[what: string, name: string, text: string, mode: number, message: string]>([
  ['no JSON', 'config.json', '{"org":', 0o600, 'is damaged: it is not a JSON object'],
  ['nothing', 'config.json', '', 0o600, 'is damaged: it is not a JSON object'],
  ['a key twice', 'config.json', '{"profiles":{},"profiles":{}}', 0o600, 'an object has the key profiles twice'],
  ['a damaged profile', 'config.json', '{"profiles":{"work":1}}', 0o600, "the profile 'work' must be an object"],
  ['nothing', 'credentials.json', '', 0o600, 'is damaged: it is not a JSON object'],
  ['a newer version', 'config.json', '{"version":2}', 0o600, 'was written by another version of orgctl'],
  ['a value of another type', 'config.json', '{"timeout":30}', 0o600, "'timeout' must be a string"],
  ['no JSON', 'credentials.json', '{"s3cret":', 0o600, 'is damaged: it is not a JSON object'],
  ['a key twice', 'credentials.json', '{"profiles":{},"profiles":{}}', 0o600, 'an object has the key profiles twice'],
  ['a newer version', 'credentials.json', '{"version":2}', 0o600, 'was written by another version of orgctl'],
  ...(process.platform === 'win32'
    ? []
    : [['readable by others', 'credentials.json', stored, 0o640, 'other users can read'] as never]),
])('%s: %s: the file is named and left alone, exit 2', async (_what, name, text, mode, message) => {
  const home = createHomeOf({ config: {} });
  const path = join(home, 'config', name);
  writeFileSync(path, text);
  chmodSync(path, mode);
  for (const argv of [
    ['auth', 'status'],
    ['auth', 'logout'],
    ...(name === 'config.json' ? [['settings', 'unset', 'org']] : []),
  ]) {
    const ended = await run(argv, { home });
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(ended.stderr).toContain(path);
    expect(ended.stderr).not.toContain('s3cret');
  }
  expect(readFileSync(path, 'utf8')).toBe(text);
  // What needs no stored token goes on.
  if (name === 'credentials.json') expect(await run(['settings', 'list'], { home })).toMatchObject({ code: 0 });
});

/** Root's files are everybody's, so a test that runs as root gives the file away. */
const OTHER = 61_001;
const isRoot = process.getuid?.() === 0;
const GIVE_AWAY = isRoot ? `chown ${OTHER} config.json` : 'true';

test.skipIf(process.platform === 'win32').each([
  ['a file of another user', 'belongs to another user', GIVE_AWAY],
  ['one that others may write', 'other users can write', 'chmod 602 config.json'],
  ['one that its group may write', 'other users can write', 'chmod 620 config.json'],
  [
    'a link to a file of another user',
    'belongs to another user',
    `mv config.json other; ln -s other config.json; ${GIVE_AWAY}`,
  ],
  ['a named pipe', 'is not a regular file', 'rm config.json; mkfifo config.json'],
])('%s: its settings are not used: exit 2, nothing is sent or run', async (what, message, spoil) => {
  const { url, requests } = await startService();
  const ran = join(createFolder(), 'ran');
  const home = createHomeOf({ config: { 'base-url': url, 'token-command': `touch ${ran}` } });
  const cwd = join(home, 'config');
  spawnSync('sh', ['-c', spoil], { cwd });
  const host = what.includes('another user') ? { user: isRoot ? 0 : OTHER } : {};
  for (const argv of ['members list', 'settings list', 'settings set org acme', 'auth status', 'doctor']) {
    for (const ORGCTL_TOKEN of ['', 'a-token']) {
      const env = { ORGCTL_TOKEN, ORGCTL_ORG: 'acme' };
      const { code, stdout, stderr } = await run(argv.split(' '), { home, host, env });
      expect({ argv, code, text: stdout + stderr }).toEqual({ argv, code: 2, text: expect.stringContaining(message) });
      expect(stdout + stderr).toContain(join(cwd, 'config.json'));
    }
  }
  expect({ requests, ran: existsSync(ran) }).toEqual({ requests: [], ran: false });
});
