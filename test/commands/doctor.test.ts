import { EventEmitter } from 'node:events';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { AUTHORITY, EXPIRED, GOOD, KEY } from '../support/certificates.ts';
import { createFolder } from '../support/files.ts';
import { pass, startFront } from '../support/front.ts';
import { findFreePort } from '../support/ports.ts';
import { AT_TERMINAL, NOW, type RunOptions, run } from '../support/run.ts';
import { answer, startScripted } from '../support/scripted.ts';
import { startService } from '../support/service.ts';
import { transcript } from '../support/transcript.ts';

const MINUTE = 60_000;
/** The sandbox is asked instead. */
const NO_SERVICE = { ORGCTL_BASE_URL: '', ORGCTL_TOKEN: '', ORGCTL_ORG: '' };
const TOKEN = 'a-token-that-nobody-may-see';

test('six checks, a line each, and how many are ok', () =>
  transcript({ ...AT_TERMINAL, columns: 140 })`
    $ doctor
    ✓ service       HCP Terraform answers at http://127.0.0.1:PORT/api/v2
    ✓ token         olive-owner (from ORGCTL_TOKEN)
    ✓ clock         matches the service
    ✓ organization  you are an owner of acme
    ✓ rotation      no rotation is unfinished
    ✓ settings      can be read
    6 checks: 6 ok
    $ doctor --org nope
    ✓ service       HCP Terraform answers at http://127.0.0.1:PORT/api/v2
    ✓ token         olive-owner (from ORGCTL_TOKEN)
    ✓ clock         matches the service
    ✗ organization  you are not a member of nope
      → Your organizations: acme, globex, initech.
    ✓ rotation      no rotation is unfinished
    ✓ settings      can be read
    ! orgctl: 6 checks: 5 ok, 1 failed
    = 5
  `);

test('with --accessible each is labelled lines, without symbols', async () => {
  const { stdout, stderr } = await run(['doctor', '--sandbox', '--accessible'], { ...AT_TERMINAL, columns: 140 });
  expect(stdout).toMatch(/^Check: service\nResult: ok\nFinding: the built-in sandbox\n\nCheck: token\n/);
  expect(stderr).toBe('');
});

test('a program gets a row for each check', () =>
  transcript({ service: { now: () => NOW + 10 * MINUTE } })`
    $ doctor
    service\tok\tHCP Terraform answers at http://127.0.0.1:PORT/api/v2
    token\tok\tolive-owner (from ORGCTL_TOKEN)
    clock\tattention\t10 minutes behind the service
    organization\tok\tyou are an owner of acme
    rotation\tok\tno rotation is unfinished
    settings\tok\tcan be read
    ! orgctl: 6 checks: 5 ok, 1 needs attention
    !   clock: 10 minutes behind the service
    !   → Set the clock of this machine.
    = 13
  `);

interface Examination extends RunOptions {
  service?: Parameters<typeof startService>[0];
  argv?: string;
}

/** The exit code, and what is not ok at a terminal. No secret is in what is printed. */
async function examine({ service = {}, argv = '', env, ...options }: Examination): Promise<string> {
  const { sandbox, url } = await startService(service);
  const token = sandbox.tokenFor('owner', 'acme') ?? '';
  const { code, stdout, stderr } = await run(['doctor', ...argv.split(' ').filter(Boolean)], {
    ...AT_TERMINAL,
    columns: 140,
    ...options,
    env: { ORGCTL_BASE_URL: url, ORGCTL_TOKEN: token, ORGCTL_ORG: 'acme', ...AT_TERMINAL.env, ...env },
  });
  for (const secret of [token, TOKEN]) expect(stdout + stderr).not.toContain(secret);
  const bad = stdout.split('\n').filter((line) => /^([!✗]| {2}→)/.test(line));
  return [code, ...bad]
    .join(' ')
    .replaceAll(/ +/g, ' ')
    .replaceAll(options.home ?? '/none', 'HOME')
    .replaceAll(/(127\.0\.0\.1:)\d+/g, '$1PORT');
}

const at = (origin: string, env = {}): Examination => ({ env: { ORGCTL_BASE_URL: `${origin}/api/v2`, ...env } });

function write(path: string, text: string, mode = 0o600): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
}

test('skips checks that need a failed one', async () => {
  const service = await startService();
  const listChecks = async (env = {}) => {
    const { stdout } = await service.run(['doctor', '--fields', 'check'], { env });
    return stdout.trim().split('\n').join(' ');
  };
  expect(await listChecks({ ORGCTL_BASE_URL: 'http://service.test' })).toBe('service rotation settings');
  expect(await listChecks({ ORGCTL_TOKEN: '' })).toBe('service token clock rotation settings');
  expect(await listChecks({ ORGCTL_ORG: '' })).toBe('service token clock organization rotation settings');
});

describe('service', () => {
  test('is not there, or something else', async () => {
    const page = answer(200, '<html><title>Log in</title></html>', { 'content-type': 'text/html' });
    expect(await examine(at((await startScripted(page)).origin))).toBe(
      '9 ✗ service 127.0.0.1:PORT answered 200 with a web page ("Log in")' +
        ' → Check the base URL, which usually ends in /api/v2, and any proxy in between.',
    );
    expect(await examine(at(`http://127.0.0.1:${await findFreePort()}`))).toBe(
      "9 ✗ service can't reach 127.0.0.1:PORT: it refused the connection" +
        ' → Check --host, orgctl settings list, and your network.',
    );
  });

  test('is asked by plain http through a proxy that opens no tunnel, and says the token again', async () => {
    const { origin } = await startScripted(answer(401, { errors: [{ title: `${TOKEN} is wrong` }] }));
    const options = at('http://service.test', { HTTP_PROXY: origin, ORGCTL_TOKEN: TOKEN });
    expect(await examine(options)).toBe(
      '2 ✗ service http://service.test uses plain http: anyone on the network could read your token' +
        ' → Use https, or add --allow-http service.test.',
    );
    expect(await examine({ ...options, argv: '--allow-http service.test' })).toBe(
      '4 ! service a service answers at http://service.test/api/v2 without TLS → Use https in the base URL.' +
        ' ✗ token service.test rejected your token (from ORGCTL_TOKEN); [removed] is wrong' +
        ' → It is wrong, expired or replaced. Set ORGCTL_TOKEN to a new one.',
    );
  });

  test.each([
    [GOOD, '--ca-file FILE', '0'],
    [EXPIRED, '--ca-file FILE', "9 ✗ service can't reach 127.0.0.1:PORT: the certificate expired on 2020-01-02"],
    [
      GOOD,
      '--insecure-skip-tls-verify',
      '13 ! service HCP Terraform answers at https://127.0.0.1:PORT/api/v2, and its certificate is not checked' +
        ' (--insecure-skip-tls-verify) → Use --ca-file instead.',
    ],
  ])('shows a certificate', async (cert, argv, found) => {
    const file = join(createFolder(), 'authority.pem');
    write(file, AUTHORITY);
    const { sandbox } = await startService();
    const front = await startFront(sandbox, pass, { tls: { key: KEY, cert } });
    expect(await examine({ ...at(front.origin), argv: argv.replace('FILE', file) })).toBe(found);
  });
});

/** The caller's own memberships, changed. */
const own = (change: (text: string) => string): Examination['service'] => ({
  alter: async (answered, { url }) =>
    /\/v2\/organization-memberships/.test(url) ? Response.json(JSON.parse(change(await answered.text()))) : answered,
});

const ahead = (by: number): Examination => ({ service: { now: () => NOW + by } });

test.each<[what: string, options: Examination, found: string]>([
  [
    'no token',
    { env: { ORGCTL_TOKEN: '' } },
    '4 ✗ token no token for 127.0.0.1:PORT → Run orgctl auth login --base-url http://127.0.0.1:PORT/api/v2, or set' +
      ' ORGCTL_TOKEN. To try orgctl without an account, add --sandbox.',
  ],
  [
    'a token that is refused',
    { env: { ORGCTL_TOKEN: TOKEN } },
    '4 ✗ token 127.0.0.1:PORT rejected your token (from ORGCTL_TOKEN); unauthorized' +
      ' → It is wrong, expired or replaced. Set ORGCTL_TOKEN to a new one.',
  ],
  ['a service with the routes of the document alone', { service: { documentOnly: true } }, '0'],
  ['a clock behind', ahead(10 * MINUTE), '13 ! clock 10 minutes behind the service → Set the clock of this machine.'],
  ['a clock ahead', ahead(-10 * MINUTE), '13 ! clock 10 minutes ahead of the service → Set the clock of this machine.'],
  ['a clock that is right enough', ahead(-MINUTE / 2), '0'],
  [
    'no organization',
    { env: { ORGCTL_ORG: '' } },
    '2 ✗ organization no organization → Add --org <name>, set ORGCTL_ORG, or run orgctl settings set org <name>.',
  ],
  [
    'not a member of it',
    { argv: '--org acmee' },
    '5 ✗ organization you are not a member of acmee → Did you mean acme?',
  ],
  [
    'an invitation',
    { service: own((text) => text.replaceAll('"active"', '"invited"')) },
    '13 ! organization you are invited to acme → Accept the invitation in your email first.',
  ],
  ['a token that is a member of none', { service: own(() => '{"data":[]}') }, '0'],
  [
    'such a token, and another organization',
    { service: own(() => '{"data":[]}'), argv: '--org nope' },
    "5 ✗ organization can't show organization nope: not found, or you don't have permission; Your token is not a member" +
      ' of any organization; team and organization tokens never are.',
  ],
])('%s', async (_what, options, found) => {
  expect(await examine(options)).toBe(found);
});

const UNFINISHED = '13 ! rotation unfinished: audit-trail of acme → Run the same rotate command again: it finishes it.';

test.each([
  ['{"version":1,"sent":{"at":"2026-11-21T08:00:00Z"}}', UNFINISHED],
  [`{"version":1,"pending":{"secret":"${TOKEN}"}}`, UNFINISHED],
  ['{"version":1,"delivered":{"fingerprint":"f"}}', '0'],
  [
    `{"pending":{"secret":"${TOKEN}"`,
    '2 ✗ rotation HOME/state/sandbox/acme/audit-trail/rotation.json is damaged' +
      ' → It may hold the only copy of the current token: look at it before you move it away.',
  ],
])('rotation: %s', async (state, found) => {
  const home = createFolder();
  write(join(home, 'state/sandbox/acme/audit-trail/rotation.json'), state);
  expect(await examine({ home, argv: '--sandbox', env: NO_SERVICE })).toBe(found);
});

test('settings: credentials that others can read, and read-only mode', async () => {
  const home = createFolder();
  const path = join(home, 'config', 'credentials.json');
  write(path, `{"credentials":{"https://x.example":{"token":"${TOKEN}"}}}`, 0o640);
  expect(await examine({ home })).toBe(
    '2 ✗ settings other users can read HOME/config/credentials.json → Run chmod 600 HOME/config/credentials.json',
  );
  chmodSync(path, 0o600);
  const env = { ORGCTL_READ_ONLY: '1' };
  expect(await examine({ home, env })).toBe('13 ! settings read-only mode is on (ORGCTL_READ_ONLY)');
});

const DAMAGED =
  'HOME/config/config.json is damaged: it is not a JSON object → Repair the file or move it away. It was not changed.';

test.each<[what: string, name: string, options: Examination, found: string]>([
  ['settings', 'config.json', {}, `2 ✗ settings ${DAMAGED}`],
  ['settings, and a profile in it', 'config.json', { argv: '--profile work' }, `2 ✗ settings ${DAMAGED}`],
  [
    'settings that alone say where the token goes',
    'config.json',
    { env: { ORGCTL_BASE_URL: '' } },
    `2 ✗ service ${DAMAGED} ✗ settings ${DAMAGED}`,
  ],
  ['settings, in the sandbox', 'config.json', { argv: '--sandbox', env: NO_SERVICE }, `2 ✗ settings ${DAMAGED}`],
  [
    'stored tokens',
    'credentials.json',
    { env: { ORGCTL_TOKEN: '' } },
    `2 ✗ service ${DAMAGED} ✗ settings ${DAMAGED}`.replaceAll('config.json', 'credentials.json'),
  ],
])('damaged %s: the file is named, and the other checks run', async (_what, name, options, found) => {
  const home = createFolder();
  write(join(home, 'config', name), '{');
  expect(await examine({ home, ...options })).toBe(found);
});

test('a signal ends it, and no check fails for that', async () => {
  const signals = new EventEmitter();
  const { origin } = await startScripted(() => signals.emit('SIGINT'));
  expect(await examine({ ...at(origin), signals })).toBe('130');
});
