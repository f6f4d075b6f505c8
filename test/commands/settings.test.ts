import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { failed, type RunOptions, run } from '../support/run.ts';
import { startService } from '../support/service.ts';

const NO_HOME: RunOptions = { home: '', env: { ORGCTL_CONFIG_DIR: '', ORGCTL_STATE_DIR: '' } };
const NO_FOLDER = 'orgctl: no home folder to keep files in\n';

/** A home with these files among the settings. */
function createHomeWith(files: Readonly<Record<string, string>>, mode = 0o600) {
  const home = createFolder();
  mkdirSync(join(home, 'config'));
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(home, 'config', name), text);
    chmodSync(join(home, 'config', name), mode);
  }
  return { home, configPath: join(home, 'config', 'config.json') };
}

describe('without a home folder', () => {
  test('a token in the environment is enough', async () => {
    const service = await startService();
    const result = await service.run(['teams', 'list'], NO_HOME);
    expect({ code: result.code, stderr: result.stderr }).toEqual({ code: 0, stderr: '' });
    expect(service.requests.length).toBeGreaterThan(0);
  });

  test('no token either: what to do about it is said', async () => {
    const result = await run(['teams', 'list', '--org', 'acme'], NO_HOME);
    expect(result).toEqual(
      failed(
        4,
        'orgctl: no token for app.terraform.io\n' +
          '  → Log in, or set ORGCTL_TOKEN. To try orgctl without an account, add --sandbox.\n' +
          '  $ orgctl auth login\n',
      ),
    );
  });

  test.each([
    ['settings set org acme', 'ORGCTL_CONFIG_DIR'],
    ['settings unset org', 'ORGCTL_CONFIG_DIR'],
    ['--sandbox members list', 'ORGCTL_STATE_DIR'],
    ['sandbox info', 'ORGCTL_STATE_DIR'],
    ['sandbox reset', 'ORGCTL_STATE_DIR'],
  ])('%s needs a folder', async (argv, variable) => {
    const hint = `  → Set HOME to an absolute path, or ${variable} to a folder.\n`;
    expect(await run(argv.split(' '), NO_HOME)).toEqual(failed(2, `${NO_FOLDER}${hint}`));
  });

  test.each(['settings list', 'help environment', 'sandbox info --state :memory:'])('%s needs none', async (argv) => {
    expect(await run(argv.split(' '), NO_HOME)).toMatchObject({ code: 0 });
  });
});

describe('a path of a certificate', () => {
  test.each(['ca-file', 'client-cert', 'client-key'])('%s is stored as it is from every folder', async (name) => {
    const { home, configPath } = createHomeWith({});
    mkdirSync(join(home, 'a'));
    writeFileSync(join(home, 'a', 'b.pem'), '-----BEGIN CERTIFICATE-----\n');
    expect(await run(['settings', 'set', name, 'a/b.pem'], { home })).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(configPath, 'utf8'))).toMatchObject({ [name]: join(home, 'a', 'b.pem') });
  });

  test.each([
    [
      'typo.pem',
      "can't read the certificate file PATH: it doesn't exist\n  → Check the path given with settings set.\n",
    ],
    ['a.pem', 'PATH has no certificate in PEM form\n  → It should have a line -----BEGIN CERTIFICATE-----.\n'],
  ])('ca-file is not stored where --ca-file would refuse it: %s', async (name, says) => {
    const { home, configPath } = createHomeWith({});
    writeFileSync(join(home, 'a.pem'), 'none');
    const { code, stderr } = await run(['settings', 'set', 'ca-file', name], { home });
    expect({ code, stderr }).toEqual({ code: 2, stderr: `orgctl: ${says.replace('PATH', join(home, name))}` });
    expect(existsSync(configPath)).toBe(false);
  });

  test('that can not be read names the file that it is stored in, and does not stop the sandbox', async () => {
    const { home } = createHomeWith({ 'config.json': '{"ca-file":"/nowhere/ca.pem","client-cert":"/nowhere/c.pem"}' });
    const argv = ['members', 'list', '--org', 'acme'];
    expect(await run(argv, { home, env: { ORGCTL_TOKEN: 's3cret-token' } })).toEqual(
      failed(
        2,
        "orgctl: can't read the certificate file /nowhere/ca.pem: it doesn't exist\n" +
          '  → It is stored in config.json. Store another one with settings set ca-file <pem>.\n',
      ),
    );
    expect(await run(['--sandbox', ...argv], { home })).toMatchObject({ code: 0 });
  });
});

describe('a dry run', () => {
  test.each([
    ['settings set org globex', 'Would store org in CONFIG.'],
    ['settings set org globex --profile work', 'Would store org of profile work in CONFIG.'],
    [
      'settings set token-command id',
      'Would store token-command in CONFIG.\nIts token goes to app.terraform.io alone.',
    ],
    ['settings unset org', 'Would remove org from CONFIG.'],
    ['settings unset output', 'No output is stored in CONFIG.'],
    ['auth logout --profile work', 'Would remove profile work, and the token stored for it.'],
    ['auth use work', 'Would make profile work the default.'],
  ])('of %s says what it would do, and does nothing', async (argv, said) => {
    const files = {
      'config.json': '{"org":"acme","profiles":{"work":{"org":"initech"}}}',
      'credentials.json': '{"profiles":{"work":{"origin":"https://app.terraform.io","token":"s3cret"}}}',
    };
    const { home, configPath } = createHomeWith(files);
    const text = said.replace('CONFIG', configPath).replace('CREDENTIALS', join(home, 'config', 'credentials.json'));
    expect(await run([...argv.split(' '), '--dry-run'], { home })).toEqual(failed(0, `${text}\n`));
    // What stands in the file already is no plan.
    const [, effect] = /^Would (.*)\.$/m.exec(text) ?? [];
    const { code, stdout } = await run([...argv.split(' '), '--dry-run', '-o', 'json'], { home });
    const printed = stdout === '' ? undefined : JSON.parse(stdout);
    expect({ code, printed }).toEqual({
      code: 0,
      printed: effect === undefined ? undefined : { changed: false, planned: { effect } },
    });
    const wrong = await run([...argv.split(' '), '--dry-run', '--fields', 'nosuch'], { home });
    if (effect !== undefined)
      expect(wrong).toEqual(failed(2, expect.stringMatching(/^orgctl: unknown field: nosuch\n/)));
    for (const [name, before] of Object.entries(files)) {
      expect(readFileSync(join(home, 'config', name), 'utf8')).toBe(before);
    }
    expect(readdirSync(join(home, 'config'))).toEqual(Object.keys(files));
  });

  test('refuses what would be refused, and makes no folder', async () => {
    const home = createFolder();
    expect(await run(['settings', 'set', 'timeout', 'soon', '--dry-run'], { home })).toMatchObject({ code: 2 });
    expect(await run(['settings', 'set', 'org', 'acme', '--dry-run'], { home })).toMatchObject({ code: 0 });
    expect(readdirSync(home)).toEqual([]);
  });
});

test('removing what is not stored says so, and makes no file', async () => {
  const { home, configPath } = createHomeWith({ 'config.json': '{"org":"acme"}' });
  const unset = (...argv: readonly string[]) => run(['settings', 'unset', ...argv], { home });
  expect(await unset('org')).toEqual(failed(0, `Removed org from ${configPath}.\n`));
  expect(await unset('org')).toEqual(failed(0, `No org is stored in ${configPath}.\n`));
  const empty = createFolder();
  expect(await run(['settings', 'unset', 'base-url'], { home: empty })).toMatchObject({ code: 0 });
  expect(readdirSync(empty)).toEqual([]);
});

describe('a stored setting that cannot be read', () => {
  test.each(['settings set output json', 'settings unset output'])('is fixed by %s', async (argv) => {
    const { home } = createHomeWith({ 'config.json': '{"output":"xml","org":"acme"}' });
    expect(await run(['settings', 'get', 'org'], { home })).toMatchObject({ code: 2, stdout: '' });
    expect(await run(argv.split(' '), { home })).toMatchObject({ code: 0 });
    expect(await run(['settings', 'get', 'org'], { home })).toMatchObject({ code: 0, stdout: 'acme\n' });
  });

  test.each(['{"output":"xml"}', '{"output":'])('does not stop help: %s', async (text) => {
    const { home } = createHomeWith({ 'config.json': text });
    expect(await run(['help', 'exit-codes'], { home })).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    'settings set output json',
    'settings unset output',
    'settings list',
    'members list',
    '--sandbox teams list',
  ])('in a file that is no JSON it stops %s, and the file stays', async (argv) => {
    const { home, configPath } = createHomeWith({ 'config.json': '{"output":' });
    const result = await run([...argv.split(' '), '-o', 'json'], { home });
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { message: `${configPath} is not valid JSON` } });
    expect(readFileSync(configPath, 'utf8')).toBe('{"output":');
  });
});

describe('what the option of a setting would refuse', () => {
  test.each([
    ['expires nonsense', "can't read 'nonsense' as a date"],
    ['expires 2020-01-01', '2020-01-01 is in the past'],
    ['org ..', "'..' can't be the name of an organization"],
    ['to nonsense', 'unknown place for the new token: nonsense'],
    ['to file:./a file:./a', "'file:./a' is given twice"],
  ])('settings set %s', async (argv, message) => {
    const home = createFolder();
    const { code, stderr } = await run(['settings', 'set', ...argv.split(' ')], { home });
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining(`orgctl: ${message}\n`) });
    expect(readdirSync(home)).toEqual([]);
  });

  test.each(['expires same', 'expires never', 'expires 6mo', 'to file:./{org}/{team} exec:vault', 'to stdout'])(
    'settings set %s is taken',
    async (argv) => {
      const { home } = createHomeWith({});
      expect(await run(['settings', 'set', ...argv.split(' ')], { home })).toMatchObject({ code: 0 });
    },
  );

  test.each([
    [{ expires: 'nonsense' }, [], 'config.json'],
    [{ profiles: { work: { expires: '2020-01-01' } } }, ['--profile', 'work'], 'profile work'],
  ])('a rotation names where it is stored: %j', async (config, more, source) => {
    const { home } = createHomeWith({ 'config.json': JSON.stringify(config) });
    const argv = ['audit-token', 'rotate', '--org', 'acme', '--to', 'file:./a', ...more];
    const { code, stderr } = await run(argv, { home, env: { ORGCTL_TOKEN: 's3cret-token' } });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining(`orgctl: expires (from ${source}): `),
    });
  });
});

describe('an error of the command line itself', () => {
  test('is JSON when the stored output is', async () => {
    const { home } = createHomeWith({ 'config.json': '{"output":"json"}' });
    const result = await run(['members', 'list', '--nonsense'], { home });
    expect({ code: result.code, stdout: result.stdout }).toEqual({ code: 2, stdout: '' });
    expect(JSON.parse(result.stderr)).toMatchObject({ error: { message: "unknown option '--nonsense'" } });
  });

  test('is text when the stored output cannot be read', async () => {
    const { home } = createHomeWith({ 'config.json': '{"output":"json"' });
    const result = await run(['members', 'list', '--nonsense'], { home });
    expect(result.stderr).toMatch(/^orgctl: unknown option '--nonsense'\n/);
  });
});

describe.runIf(process.platform !== 'win32')('credentials that others may read', () => {
  const files = { 'credentials.json': '{"credentials":{"https://app.terraform.io":{"token":"s3cret"}}}' };

  test('stop nothing that has a token of the environment', async () => {
    const { home } = createHomeWith(files, 0o644);
    const service = await startService();
    expect(await service.run(['teams', 'list'], { home, env: configOf(home) })).toMatchObject({ code: 0, stderr: '' });
  });

  test('stop what needs the stored token', async () => {
    const { home } = createHomeWith(files, 0o644);
    const result = await run(['teams', 'list', '--org', 'acme'], { home });
    expect(result).toMatchObject({ code: 2, stdout: '' });
    expect(result.stderr).toContain(
      `others can read ${join(home, 'config', 'credentials.json')}, so the secrets in it are not used\n`,
    );
  });

  test('are reported by settings list', async () => {
    const { home } = createHomeWith(files, 0o644);
    const rows = await listSettings({ home });
    expect(rows.find(({ name }) => name === 'token')).toEqual({
      name: 'token',
      value: null,
      source: `others can read ${join(home, 'config', 'credentials.json')}, so the secrets in it are not used`,
    });
  });
});

test.each(['settings set org acme', 'settings unset org', 'auth logout', 'auth use default', 'sandbox reset --yes'])(
  'a field that no plan has is refused, and nothing is changed: %s',
  async (line) => {
    const { home } = createHomeWith({ 'config.json': '{"org":"globex"}' });
    const result = await run([...line.split(' '), '--fields', 'nope'], { home });
    expect(result).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/^orgctl: unknown field: nope\n/),
    });
    expect(readFileSync(join(home, 'config', 'config.json'), 'utf8')).toBe('{"org":"globex"}');
  },
);

test('an expiry that cannot be read brings same along, which the setting takes', async () => {
  const { code, stderr } = await run(['settings', 'set', 'expires', 'soon']);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/ or never\. Or same: as long as the current token\.\n$/)]);
});

describe('settings list', () => {
  test('has the file that writes are noted in, where one is named', async () => {
    const list = async (env: Readonly<Record<string, string>>) =>
      (await run(['settings', 'list', '-o', 'tsv'], { env })).stdout.split('\n').filter((row) => /^log-file/.test(row));
    expect(await list({})).toEqual([]);
    expect(await list({ ORGCTL_LOG_FILE: '/var/log/orgctl.ndjson' })).toEqual([
      'log-file\t/var/log/orgctl.ndjson\tORGCTL_LOG_FILE',
    ]);
  });

  test('has values of their own types in json, and the same as text elsewhere', async () => {
    const { home } = createHomeWith({ 'config.json': '{"allow-http":["a","b"],"quiet":true}' });
    const rows = await listSettings({ home });
    expect(Object.fromEntries(rows.map(({ name, value }) => [name, value]))).toEqual({
      profile: null,
      'token-command': null,
      'base-url': 'https://app.terraform.io/api/v2',
      org: null,
      output: 'json',
      'no-color': false,
      accessible: false,
      'no-input': false,
      quiet: true,
      debug: false,
      'read-only': false,
      timeout: '30s',
      'max-retries': 4,
      'ca-file': null,
      'client-cert': null,
      'client-key': null,
      'insecure-skip-tls-verify': false,
      'allow-http': ['a', 'b'],
      to: null,
      expires: null,
      'max-expires': null,
      token: null,
    });
    const { stdout } = await run(['settings', 'list'], { home });
    expect(stdout).toContain('org\t\tnot set\n');
    expect(stdout).toContain('quiet\ttrue\tconfig.json\n');
    expect(stdout).toContain('max-retries\t4\tbuilt-in default\n');
    expect(stdout).toContain('allow-http\ta,b\tconfig.json\n');
  });

  test('shows where token and proxies come from, without their secrets', async () => {
    const env = { TFE_TOKEN: 's3cret', HTTPS_PROXY: 'http://me:s3cret@proxy.example:3128', no_proxy: '.example.com' };
    const { stdout } = await run(['settings', 'list'], { env });
    expect(stdout).toMatch(
      /\ntoken\t\(set\)\tTFE_TOKEN\nhttps-proxy\thttp:\/\/\*\*\*@proxy\.example:3128\tHTTPS_PROXY\nno-proxy\t\.example\.com\tno_proxy\n$/,
    );
    expect(stdout).not.toContain('s3cret');
  });

  test('names a token that belongs elsewhere', async () => {
    const rows = await listSettings({ env: { TF_TOKEN_tfe_example_com: 's3cret' } });
    expect(rows.at(-1)).toEqual({
      name: 'token',
      value: null,
      source: 'The token in TF_TOKEN_tfe_example_com is for https://tfe.example.com.',
    });
  });

  test('reads no token in the sandbox', async () => {
    const { home } = createHomeWith({ 'credentials.json': 'damaged' });
    const rows = await listSettings({ home }, '--sandbox');
    expect(rows.at(-1)).toEqual({ name: 'token', value: '(set)', source: '--sandbox' });
  });

  test.each([
    ['--sandbox settings set org globex', true],
    ['--sandbox settings set client-cert ca.pem', true],
    ['--sandbox settings set to file:./token', true],
    ['--sandbox settings list -o table', true],
    ['--sandbox settings set output csv', false],
    ['settings set org globex', false],
  ])('"%s" says what the sandbox does not use: %s', async (line, isSaid) => {
    const { stderr } = await run(line.split(' '), { home: createHomeWith({}).home });
    const unused =
      'base-url, org, token-command, ca-file, client-cert, client-key, insecure-skip-tls-verify, allow-http';
    const note = `Commands with --sandbox use no ${unused}, to or expires that is stored or in the environment.`;
    expect(stderr.includes(note)).toBe(isSaid);
  });

  test('the sandbox is asked without what is stored for a way to real services', async () => {
    const { home } = createHomeWith({ 'config.json': '{"insecure-skip-tls-verify":true,"ca-file":"/none.pem"}' });
    const { code, stderr } = await run(['--sandbox', 'teams', 'list'], { home });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '(sandbox, as owner)\n' });
  });
});

test('a write refused by a stored setting names the file', async () => {
  const { home, configPath } = createHomeWith({ 'config.json': '{"read-only":true}' });
  const service = await startService();
  const result = await service.run(['providers', 'create', 'hashicorp/null'], { home, env: configOf(home) });
  expect(result).toEqual(
    failed(
      2,
      'orgctl: read-only mode is on (from config.json), nothing was sent\n' +
        '  The request was POST /api/v2/organizations/acme/registry-providers.\n' +
        '  → Unset it there to allow changes.\n',
    ),
  );
  expect(existsSync(configPath)).toBe(true);
});

function configOf(home: string) {
  return { ORGCTL_CONFIG_DIR: join(home, 'config') };
}

interface Row {
  readonly name: string;
  readonly value: unknown;
  readonly source: string;
}

async function listSettings(options: RunOptions, ...more: readonly string[]): Promise<readonly Row[]> {
  const { code, stdout, stderr } = await run(['settings', 'list', '-o', 'json', ...more], options);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as readonly Row[];
}

test('a value goes to a program as it is, and to a terminal without what it would obey', async () => {
  const env = { ORGCTL_CA_FILE: 'a\u001b]0;title\u0007b' };
  const argv = ['settings', 'get', 'ca-file'];
  expect((await run(argv, { env })).stdout).toBe('a\u001b]0;title\u0007b\n');
  expect((await run(argv, { env, tty: { stdout: true } })).stdout).toBe('ab\n');
});

describe('one setting, and the file they are in', () => {
  test('one that is not set: exit 5, and how it is set', async () => {
    const hint = '  → Set it: orgctl settings set org <value>\n';
    expect(await run(['settings', 'get', 'org'])).toEqual(failed(5, `orgctl: org is not set\n${hint}`));
  });

  test('as asked for: a value alone, or what settings list has', async () => {
    const { home } = createHomeWith({ 'config.json': '{"org":"acme"}' });
    const ends = await Promise.all(
      [
        'settings get org',
        'settings get org -o json',
        'settings get org -o csv',
        'settings get org --fields source,value',
      ].map(async (argv) => {
        const { code, stdout, stderr } = await run(argv.split(' '), { home });
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
        return stdout;
      }),
    );
    expect(ends).toEqual([
      'acme\n',
      '{\n  "name": "org",\n  "value": "acme",\n  "source": "config.json"\n}\n',
      'name,value,source\r\norg,acme,config.json\r\n',
      'config.json\tacme\n',
    ]);
  });

  test('a format from the environment leaves scripts what they had', async () => {
    const { home } = createHomeWith({ 'config.json': '{"org":"acme"}' });
    const result = await run(['settings', 'get', 'org'], { home, env: { ORGCTL_OUTPUT: 'json' } });
    expect(result).toEqual({ code: 0, stdout: 'acme\n', stderr: '' });
  });
});
