import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failed, run } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { createHomeOf, readStored } from '../support/stored.ts';

const pathOf = (home: string): string => join(home, 'config', 'config.json');
const read = (home: string): unknown => readStored(pathOf(home));

describe('settings of a profile', () => {
  test('are stored, shown and removed by name; a profile without any is gone', async () => {
    const home = createHomeOf({ config: { org: 'acme', output: 'csv' } });
    const work = ['--profile', 'work'];
    expect(await run(['settings', 'set', 'org', 'globex', ...work], { home })).toEqual(
      failed(0, `Stored org of profile work in ${pathOf(home)}.\n`),
    );
    expect(await run(['settings', ...work, 'set', 'base-url', 'https://tfe.example/'], { home })).toMatchObject({
      code: 0,
    });
    const profiles = { work: { org: 'globex', 'base-url': 'https://tfe.example' } };
    expect(read(home)).toEqual({ org: 'acme', output: 'csv', profiles });
    expect(await run(['settings', 'get', 'org', ...work], { home })).toMatchObject({ stdout: 'globex\n' });
    expect(await run(['settings', 'get', 'org'], { home })).toMatchObject({ stdout: 'acme\n' });
    expect(await run(['settings', 'get', 'output', ...work], { home })).toMatchObject({ stdout: 'csv\n' });
    for (const name of ['org', 'base-url']) {
      expect(await run(['settings', 'unset', name, ...work], { home })).toMatchObject({ code: 0 });
    }
    expect(read(home)).toEqual({ org: 'acme', output: 'csv' });
    expect(await run(['settings', 'get', 'org', ...work], { home })).toMatchObject({ code: 2 });
  });

  test('are only those of the bundle', async () => {
    const home = createHomeOf({});
    const { code, stderr } = await run(['settings', 'set', 'output', 'json', '--profile', 'work'], { home });
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        "orgctl: output doesn't belong to a profile: it is the same for all\n" +
        '  → A profile holds base-url, org, token-command, to, expires and a token. Leave out --profile.\n',
    });
    expect(existsSync(pathOf(home))).toBe(false);
  });

  test('are meant where ORGCTL_PROFILE names the profile; what no profile holds is stored for all', async () => {
    const home = createHomeOf({});
    const env = { ORGCTL_PROFILE: 'work' };
    expect(await run(['settings', 'set', 'org', 'globex'], { home, env })).toMatchObject({ code: 0 });
    expect(await run(['settings', 'set', 'output', 'json'], { home, env })).toMatchObject({ code: 0 });
    expect(read(home)).toEqual({ output: 'json', profiles: { work: { org: 'globex' } } });
  });
});

describe('a profile that is not stored', () => {
  test.each(['settings list', 'settings get org', 'settings unset org', 'members list', 'auth status'])(
    'stops %s, and the known ones are named',
    async (argv) => {
      const home = createHomeOf({ config: { profiles: { work: { org: 'acme' }, home: { org: 'a' } } } });
      for (const [more, env, source] of [
        [['--profile', 'wrok'], {}, '--profile'],
        [[], { ORGCTL_PROFILE: 'wrok' }, 'ORGCTL_PROFILE'],
      ] as const) {
        const { code, stdout, stderr } = await run([...argv.split(' '), ...more], { home, env });
        expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
        expect(stderr).toContain(
          `orgctl: no profile named 'wrok' (from ${source})\n  → Your profiles: default, work, home. To create this one, log in:\n`,
        );
      }
    },
  );

  test('stops neither help nor the sandbox', async () => {
    const env = { ORGCTL_PROFILE: 'wrok' };
    expect(await run(['help', 'environment'], { env })).toMatchObject({ code: 0 });
    expect(await run(['--sandbox', 'teams', 'list'], { env })).toMatchObject({ code: 0 });
  });
});

describe('a token of the environment and the service of a default profile', () => {
  const config = { profiles: { try: { 'base-url': 'http://127.0.0.1:1/api/v2', org: 'acme' } } };

  test.each(['ORGCTL_TOKEN', 'TFE_TOKEN'])(
    '%s: where it goes is said, and where the address came from',
    async (variable) => {
      const home = createHomeOf({ config });
      const env = { ORGCTL_PROFILE: 'try', [variable]: 's3cret' };
      const { code, stderr } = await run(['members', 'list', '--max-retries', '0'], { home, env });
      expect(code).toBe(9);
      expect(stderr.split('\n').slice(0, 2)).toEqual([
        `${variable} goes to 127.0.0.1:1, the service of profile try (ORGCTL_PROFILE)`,
        'orgctl: 127.0.0.1:1 refused the connection (address from profile try, chosen by ORGCTL_PROFILE)',
      ]);
    },
  );

  test.each([
    [{ ...config, profile: 'try' }, 'profile try (config.json)', 'profile try, chosen by config.json'],
    [{ 'base-url': 'http://127.0.0.1:1/api/v2', org: 'acme' }, 'config.json', 'config.json'],
  ])('goes to what is stored too: %j', async (stored, service, from) => {
    const [home, env] = [createHomeOf({ config: stored }), { ORGCTL_TOKEN: 's3cret' }];
    const { stderr } = await run(['members', 'list', '--max-retries', '0'], { home, env });
    expect(stderr.split('\n').slice(0, 2)).toEqual([
      `ORGCTL_TOKEN goes to 127.0.0.1:1, the service of ${service}`,
      `orgctl: 127.0.0.1:1 refused the connection (address from ${from})`,
    ]);
  });

  test.each([
    [['--profile', 'try'], {}, ' (address from profile try)'],
    [[], { ORGCTL_BASE_URL: 'http://127.0.0.1:1/api/v2' }, ' (address from ORGCTL_BASE_URL)'],
    [['--base-url', 'http://127.0.0.1:1/api/v2'], {}, ''],
  ])('%j %j: nothing to be surprised at', async (options, more, source) => {
    const credentials = { profiles: { try: { origin: 'http://127.0.0.1:1', token: 's3cret' } } };
    const home = createHomeOf({ config, credentials });
    const env = { ORGCTL_TOKEN: 's3cret', ORGCTL_PROFILE: 'try', ...more };
    const { stderr } = await run(['members', 'list', '--org', 'acme', '--max-retries', '0', ...options], { home, env });
    expect(stderr.split('\n')[0]).toBe(`orgctl: 127.0.0.1:1 refused the connection${source}`);
  });
});

test('--sandbox and --profile are not used together', async () => {
  const home = createHomeOf({ config: { profiles: { work: { org: 'acme' } } } });
  const { code, stderr } = await run(['--sandbox', '--profile', 'work', 'teams', 'list'], { home });
  expect(code).toBe(2);
  expect(stderr).toContain('orgctl: use --sandbox or --profile, not both\n');
});

test.each([
  ['{"profiles":[]}', ": 'profiles' must be an object"],
  ['{"profile":7}', ": 'profile' must be a string"],
  ['{"profiles":{"work":7}}', ": the profile 'work' must be an object"],
  ['{"profiles":{"work":{"org":7}}}', ": the profile 'work': 'org' must be a string"],
  ['{"profiles":{"work":{"base-url":"x"}}}', ": the profile 'work': 'base-url' is not an http or https URL"],
  ['{"profiles":{"work":{"to":"stdout"}}}', ": the profile 'work': 'to' must be a list of strings"],
])('a file that holds %s is named, and stays as it is', async (text, message) => {
  const home = createHomeOf({ config: {} });
  writeFileSync(pathOf(home), text);
  for (const argv of [
    ['members', 'list'],
    ['settings', 'set', 'org', 'b', '--profile', 'work'],
  ]) {
    const { code, stderr } = await run(argv, { home });
    expect(code).toBe(2);
    expect(stderr).toContain(`orgctl: ${pathOf(home)}${message}`);
  }
  expect(readFileSync(pathOf(home), 'utf8')).toBe(text);
});

describe('a list', () => {
  test('is stored from several values, and shown as it is set', async () => {
    const home = createHomeOf({});
    const to = ['file:./a, b', "exec:tee 'c'"];
    expect(await run(['settings', 'set', 'to', ...to], { home })).toMatchObject({ code: 0 });
    expect(read(home)).toEqual({ to });
    expect(await run(['settings', 'get', 'to'], { home })).toMatchObject({ stdout: `${to.join('\n')}\n` });
    expect(await run(['settings', 'set', 'allow-http', 'a', 'b:81'], { home })).toMatchObject({ code: 0 });
    expect(read(home)).toEqual({ to, 'allow-http': ['a', 'b:81'] });
  });

  test('is what no other setting takes', async () => {
    expect(await run(['settings', 'set', 'org', 'acme', 'globex'])).toEqual(
      failed(2, 'orgctl: org takes one value, not 2\n  → Put a value with spaces between quotes.\n'),
    );
  });
});

describe('audit-token rotate', () => {
  test('takes --to and --expires from the profile', async () => {
    const service = await startService();
    const home = createHomeOf({ config: {} });
    const [stored, given] = [join(home, 'stored'), join(home, 'given')];
    const profile = { org: 'acme', to: [`file:${stored}`], expires: '90d' };
    writeFileSync(pathOf(home), JSON.stringify({ profiles: { work: profile } }));
    const rotate = ['audit-token', 'rotate', '-o', 'json'];
    const env = { ORGCTL_CONFIG_DIR: join(home, 'config') };
    const first = await service.run([...rotate, '--profile', 'work'], { home, env });
    expect(first.code, first.stderr).toBe(0);
    expect(readFileSync(stored, 'utf8')).toMatch(/^sandbox\./);
    expect(JSON.parse(first.stdout)).toMatchObject({ 'expired-at': expect.stringMatching(/^2027-02-19T/) });
    const before = readFileSync(stored, 'utf8');
    const options = ['--to', `file:${given}`, '--expires', 'never'];
    const second = await service.run([...rotate, '--profile', 'work', ...options], { home, env });
    expect(second.code, second.stderr).toBe(0);
    expect(JSON.parse(second.stdout)).toMatchObject({ 'expired-at': null });
    expect(readFileSync(given, 'utf8')).toMatch(/^sandbox\./);
    expect(readFileSync(stored, 'utf8')).toBe(before);
  });

  test('brings nothing of the sandbox to the stored places', async () => {
    const home = createHomeOf({ config: {} });
    const stored = join(home, 'stored');
    writeFileSync(pathOf(home), JSON.stringify({ to: [`file:${stored}`], expires: '90d' }));
    const { code, stderr } = await run(['audit-token', 'rotate', '--sandbox'], { home });
    expect(code).toBe(2);
    expect(stderr).toContain(
      'orgctl: missing --to (where the secret goes) and --expires (how long the new token is valid)\n',
    );
    expect(existsSync(stored)).toBe(false);
  });
});
