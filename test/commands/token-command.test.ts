import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failed, type RunOptions, run } from '../support/run.ts';
import { startService, type TestService } from '../support/service.ts';
import { createHomeOf, readStored } from '../support/stored.ts';

const _POSIX = process.platform !== 'win32';

/** A program, written into the home folder, that notes each run with its environment, then does what `act` says. */
function createProgram(home: string, act: string) {
  const [script, runs] = [join(home, 'print-token.mjs'), join(home, 'runs.ndjson')];
  writeFileSync(
    script,
    `import { appendFileSync } from 'node:fs';\nappendFileSync(${JSON.stringify(runs)}, JSON.stringify(process.env) + '\\n');\n${act}\n`,
  );
  const toWord = (text: string): string => `'${text}'`;
  return {
    command: `${toWord(process.execPath)} ${toWord(script)}`,
    runs: (): readonly Record<string, string>[] =>
      existsSync(runs)
        ? readFileSync(runs, 'utf8')
            .trimEnd()
            .split('\n')
            .map((line) => JSON.parse(line) as Record<string, string>)
        : [],
  };
}

const print = (text: string): string => `process.stdout.write(${JSON.stringify(text)});`;

/** A home whose profile `work` gets its token for the service from a program. */
function createWork(service: TestService, act: string, profile: object = {}, credentials?: object) {
  const home = createHomeOf({});
  const program = createProgram(home, act);
  const work = { 'base-url': service.url, org: 'acme', 'token-command': program.command, ...profile };
  const stored = createHomeOf({
    config: { profiles: { work } },
    ...(credentials === undefined ? {} : { credentials }),
  });
  return { ...program, options: { home: stored } satisfies RunOptions };
}

async function startWithOwner() {
  const service = await startService();
  return { service, token: service.sandbox.tokenFor('owner', 'acme') ?? '' };
}

const LIST = ['members', 'list', '--profile', 'work', '--fields', 'email', '--limit', '1'];

describe('a profile with a token-command', () => {
  test('uses what the command prints, and runs it once a command', async () => {
    const { service, token } = await startWithOwner();
    const { runs, options } = createWork(service, print(`${token}\n`));
    const secret = { ORGCTL_TOKEN: 'unused', TFE_TOKEN: 'unused', TF_TOKEN_app_terraform_io: 'unused', OTHER: 'kept' };
    expect(await run(LIST, { ...options, env: secret })).toEqual({
      code: 0,
      stdout: 'olive.owner@example.com\n',
      stderr: '',
    });
    expect(service.requests.map(({ headers }) => headers.get('authorization'))).toEqual([`Bearer ${token}`]);
    const [env = {}, ...more] = runs();
    expect(more).toEqual([]);
    expect(Object.keys(env).filter((name) => /TOKEN/.test(name))).toEqual([]);
    expect(env).toMatchObject({ OTHER: 'kept' });
    expect(await run(['members', 'list', ...LIST.slice(2)], options)).toMatchObject({ code: 0 });
    expect(runs()).toHaveLength(2);
  });

  test('is run once also where the token is shown and used, and is not stored', async () => {
    const { service, token } = await startWithOwner();
    const { runs, options, command } = createWork(service, print(token));
    const result = await run(['auth', 'status', '--profile', 'work', '-o', 'json'], options);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(result.stdout)).toMatchObject([
      { token: '(set)', 'token-source': 'token-command of profile work', works: true, account: 'olive-owner' },
    ]);
    expect(result.stdout).not.toContain(token);
    expect(runs()).toHaveLength(1);
    expect(existsSync(join(options.home, 'config', 'credentials.json'))).toBe(false);
    expect(await run(['settings', 'get', 'token-command', '--profile', 'work'], options)).toEqual({
      code: 0,
      stdout: `${command}\n`,
      stderr: '',
    });
    expect(runs()).toHaveLength(1);
  });

  test('is not run where a variable comes before it, or the token belongs elsewhere', async () => {
    const { service, token } = await startWithOwner();
    const { runs, options } = createWork(service, print(token));
    const env = { ORGCTL_PROFILE: 'work', ORGCTL_TOKEN: token };
    expect(await run(['members', 'list', '--limit', '1', '-o', 'json', '-q'], { ...options, env })).toMatchObject({
      code: 0,
    });
    const other = await startService();
    const elsewhere = ['members', 'list', '--profile', 'work', '--base-url', other.url];
    expect(await run(elsewhere, options)).toEqual(
      failed(
        4,
        `orgctl: no token for ${new URL(other.url).origin} in profile work (you have one for ${new URL(service.url).origin})\n` +
          `  The token of token-command of profile work is for ${new URL(service.url).origin}.\n` +
          '  → Name the service of your token with --base-url, --host or --profile, or log in to this one:\n' +
          `  $ orgctl --base-url ${other.url} auth login --profile ${new URL(other.url).host.replace(':', '-')}\n`,
      ),
    );
    expect(runs()).toEqual([]);
    expect(other.requests).toEqual([]);
  });

  test.each<[name: string, act: string, lines: readonly string[]]>([
    [
      'ends with another code',
      'console.error("sealed"); process.exitCode = 2;',
      ['NODE: exit code 2', 'sealed', 'WHY'],
    ],
    ['prints nothing', '', ['NODE printed nothing', 'It must print the token, alone.']],
    [
      'prints more than a token',
      print('two words'),
      [
        "what NODE printed contains a character that tokens don't have, such as a blank",
        'It must print the token, alone on one line.',
      ],
    ],
    [
      'prints too much',
      print('x'.repeat(100_000)),
      [
        'what NODE printed is longer than 4096 characters, so it is not a token',
        'It must print the token, alone on one line.',
      ],
    ],
    [
      'says what it prints, and fails',
      'console.log("s3cret-token"); console.error("got s3cret-token"); process.exitCode = 1;',
      ['NODE: exit code 1', 'got [removed]', 'WHY'],
    ],
  ])('says of one that %s what to do', async (_name, act, [why = '', ...more]) => {
    const service = await startService();
    const { options } = createWork(service, act);
    const toLine = (text: string): string => text.replace('NODE', process.execPath);
    const hint = more.at(-1) === 'WHY' ? 'Run the command by itself to see why.' : more.at(-1);
    expect(await run(LIST, options)).toEqual(
      failed(
        4,
        [
          `orgctl: token-command of profile work failed: ${toLine(why)}`,
          ...more.slice(0, -1).map((line) => `  ${line}`),
          `  → ${hint}\n`,
        ].join('\n'),
      ),
    );
    expect(service.requests).toEqual([]);
  });

  test('says of one that is not installed what is missing', async () => {
    const service = await startService();
    const { options } = createWork(service, '', { 'token-command': 'no-such-program read token' });
    expect(await run(LIST, options)).toEqual(
      failed(
        4,
        'orgctl: token-command of profile work failed: no command no-such-program in PATH\n' +
          '  → Install it, or give its whole path.\n',
      ),
    );
  });

  test('says of a token that the service rejects where it came from', async () => {
    const service = await startService();
    const { options } = createWork(service, print('not-a-token-of-this-service'));
    const { host } = new URL(service.url);
    const result = await run(LIST, options);
    expect(result).toMatchObject({ code: 4, stdout: '' });
    expect(result.stderr.split('\n').filter((line) => !line.includes('Service:'))).toEqual([
      `orgctl: ${host} rejected your token (from token-command of profile work)`,
      '  → It is wrong, expired or replaced. Check what this command prints:',
      '  $ orgctl --profile work settings get token-command',
      '',
    ]);
  });

  test('has no stored token beside it', async () => {
    const { service, token } = await startWithOwner();
    const { origin } = new URL(service.url);
    const both = createWork(service, print(token), {}, { profiles: { work: { origin, token } } });
    const refusal = failed(
      2,
      'orgctl: profile work has a stored token and a token-command: use one of them, not both\n' +
        '  → Remove the command, or the whole profile:\n' +
        '  $ orgctl settings unset token-command --profile work\n' +
        '  $ orgctl auth logout --profile work\n',
    );
    expect(await run(LIST, both.options)).toEqual(refusal);
    expect(both.runs()).toEqual([]);
    const env = { ORGCTL_PROFILE: 'work' };
    const { stderr } = await run(['auth', 'logout'], { ...both.options, env });
    expect(stderr).toBe(
      `Removed the token for profile work from ${join(both.options.home, 'config', 'credentials.json')}. It stays valid at the service.\n` +
        'token-command of profile work still prints a token. To remove it:\n' +
        '  $ orgctl settings unset token-command\n',
    );
    expect(await run(LIST, both.options)).toMatchObject({ code: 0 });
    const login = ['auth', 'login', '--profile', 'work'];
    expect(await run(login, { ...both.options, stdin: token })).toEqual(
      failed(
        2,
        'orgctl: the token of profile work comes from token-command, so none is stored\n' +
          '  → Remove it first, or use another profile:\n' +
          '  $ orgctl --profile work settings unset token-command\n',
      ),
    );
    expect(await run(['settings', 'unset', 'token-command', '--profile', 'work'], both.options)).toMatchObject({
      code: 0,
    });
    expect(await run(login, { ...both.options, stdin: token })).toMatchObject({ code: 0 });
    expect(await run(['settings', 'set', 'token-command', both.command, '--profile', 'work'], both.options)).toEqual(
      refusal,
    );
  });

  test('is not run by lists of profiles and settings, nor by completion', async () => {
    const { service, token } = await startWithOwner();
    const { options, runs } = createWork(service, print(token));
    const all = await run(['auth', 'status', '-o', 'json'], options);
    expect(JSON.parse(all.stdout)).toMatchObject([
      { profile: 'default', token: null },
      { profile: 'work', token: '(set)', 'token-source': 'token-command of profile work', works: null },
    ]);
    expect(all.stderr).toContain('Use --profile to check such a profile.');
    const list = await run(['settings', 'list', '--profile', 'work'], options);
    expect(list.stdout.split('\n')).toContain('token\t(set)\ttoken-command of profile work');
    const words = ['completion', 'complete', '--', 'orgctl', '--profile', 'work', 'members', 'list', '--team', ''];
    await run(words, options);
    expect(runs()).toEqual([]);
    expect(service.requests).toEqual([]);
  });

  test('has a line of doctor, also where it fails', async () => {
    const { service, token } = await startWithOwner();
    const works = createWork(service, print(token));
    const doctor = ['doctor', '--profile', 'work', '-o', 'json'];
    const find = (stdout: string) =>
      (JSON.parse(stdout) as { check: string }[]).filter(({ check }) => check === 'token');
    const { origin } = new URL(service.url);
    expect(find((await run(doctor, works.options)).stdout)).toEqual([
      { check: 'token', status: 'ok', detail: `from token-command of profile work, for ${origin}`, fix: null },
    ]);
    expect(works.runs()).toHaveLength(1);
    const fails = createWork(service, 'process.exitCode = 3;');
    const result = await run(doctor, fails.options);
    expect(result.code).toBe(4);
    expect(find(result.stdout)).toEqual([
      {
        check: 'token',
        status: 'failed',
        detail: `token-command of profile work failed: ${process.execPath}: exit code 3`,
        fix: 'Run the command by itself to see why.',
      },
    ]);
  });
});

describe('settings set token-command', () => {
  test('stores it with the service that its token belongs to', async () => {
    const service = await startService();
    const home = createHomeOf({});
    const config = join(home, 'config', 'config.json');
    const set = ['settings', 'set', 'token-command', 'vault kv get -field=token secret/hcp'];
    expect(await run([...set, '--profile', 'work', '--base-url', service.url], { home })).toEqual(
      failed(
        0,
        `Stored token-command of profile work in ${config}.\nIts token goes to ${new URL(service.url).origin} alone.\n`,
      ),
    );
    expect(await run([...set, '--host', 'tfe.example.com'], { home })).toEqual(
      failed(0, `Stored token-command in ${config}.\nIts token goes to app.terraform.io alone.\n`),
    );
    const command = 'vault kv get -field=token secret/hcp';
    expect(readStored(config)).toEqual({
      'token-command': command,
      profiles: { work: { 'token-command': command, 'base-url': service.url } },
    });
  });

  test.each([
    ['op read $TOKEN', 'token-command: runs no shell, so $ has no effect', 'Quote it, or use sh -c.'],
    ['TOKEN=x op', 'token-command: runs no shell, so TOKEN=x sets no variable', 'Put env before it: env TOKEN=x …'],
    ['  ', 'missing command: token-command', 'Add a command.'],
    ["op read 'x", "token-command: a ' in the command is never closed", 'Close it, or put a backslash before it.'],
  ])('refuses %j', async (command, message, hint) => {
    expect(await run(['settings', 'set', 'token-command', command])).toEqual(
      failed(2, `orgctl: ${message}\n  → ${hint}\n`),
    );
  });
});
