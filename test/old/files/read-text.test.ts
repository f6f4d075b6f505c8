import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../support/run.ts';
import { type Served, serve } from '../../support/served.ts';
import { type Ended, ORGCTL, start } from '../../support/shipped.ts';
import { createHomeOf } from '../../support/stored.ts';

const ROSTER = 'members:\n  - email: ana@example.com\n    teams: [platform]\n';

function makePipe(path: string): string {
  mkdirSync(dirname(path), { recursive: true });
  execFileSync('mkfifo', [path]);
  return path;
}

/** In a process of its own, which is gone when the test is over: one that is blocked hears no signal. */
async function runShipped(
  argv: readonly string[],
  { env, home }: Served,
  more: Record<string, string> = {},
): Promise<Ended> {
  const { child, ended } = start(process.execPath, [ORGCTL, ...argv], { env: { ...env, ...more }, cwd: home });
  onTestFinished(() => void child.kill('SIGKILL'));
  return await ended;
}

describe.skipIf(process.platform === 'win32')('a named pipe that nothing writes into', () => {
  test.each([
    ['members plan --file p', 'p'],
    ['members invite --file p', 'p'],
    ['members apply --file roster.yaml --plan p', 'p'],
  ])('%s: exit 2 after 10 s', async (argv, name) => {
    const home = createHomeOf({});
    makePipe(join(home, 'p'));
    writeFileSync(join(home, 'roster.yaml'), ROSTER);
    const waits: number[] = [];
    const onSleep = (milliseconds: number) => void waits.push(milliseconds);
    const { code, stderr } = await run(['--sandbox', ...argv.split(' ')], { home, onSleep });
    expect([code, waits.reduce((sum, wait) => sum + wait, 0)]).toEqual([2, 9_980]);
    expect(stderr).toContain(`orgctl: ${name} is a named pipe, and nothing writes to it\n  → `);
  });

  test.each([['SIGINT', 130] as const, ['SIGTERM', 143] as const, ['SIGHUP', 129] as const])(
    '%s is heard while it is waited for',
    async (name, code) => {
      const home = createHomeOf({});
      makePipe(join(home, 'p'));
      let signal: ((name: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => void) | undefined;
      const ended = await run(['--sandbox', 'members', 'plan', '--file', 'p'], {
        home,
        onStart(send) {
          signal = send;
        },
        onSleep: () => signal?.(name),
      });
      expect(ended.code).toBe(code);
    },
  );

  test.each<[what: string, path: string, argv: string]>([
    ['config.json', 'config/config.json', 'teams list'],
    ['credentials.json', 'config/credentials.json', 'teams list'],
    ['the certificate file', 'ca.pem', 'teams list --ca-file ca.pem'],
  ])('is no file for %s', async (_what, path, argv) => {
    const served = await serve();
    makePipe(join(served.home, path));
    const env = { ORGCTL_CONFIG_DIR: join(served.home, 'config') };
    const token: Record<string, string> = argv.includes('--ca-file') ? { ORGCTL_TOKEN: 'x' } : {};
    const { code, stderr } = await runShipped([...argv.split(' '), '--org', 'acme'], served, { ...env, ...token });
    expect(code).toBe(2);
    expect(stderr).toContain(`${path}: it is a pipe`);
  });
});

describe.skipIf(process.platform === 'win32')('a pipe that something writes into', () => {
  test.each([
    ['a named one', 'sh', 'mkfifo p; cat roster.yaml > p & exec "$@" p'],
    ['one of the shell', 'bash', 'exec "$@" <(cat roster.yaml)'],
    ['stdin by its path', 'sh', 'cat roster.yaml | "$@" /dev/stdin'],
  ])('is read like a file: %s', async (_what, shell, line) => {
    const served = await serve();
    writeFileSync(join(served.home, 'roster.yaml'), ROSTER);
    const orgctl = [process.execPath, ORGCTL, '-o', 'tsv', 'members', 'plan', '--file'];
    const { ended } = start(shell, ['-c', line, shell, ...orgctl], { env: served.as('owner'), cwd: served.home });
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 13, stdout: expect.stringContaining('invite\tana@example.com') });
    // It is not there for another command.
    expect(stderr).not.toContain('  $ ');
  });
});

test.skipIf(process.platform !== 'linux')('what never ends is too long: --ca-file, settings, --file', async () => {
  const served = await serve();
  const token = { ORGCTL_TOKEN: 'x', ORGCTL_BASE_URL: served.url, ORGCTL_ORG: 'acme' };
  for (const [argv, most] of [
    ['teams list --ca-file /dev/zero', '16 MiB'],
    ['members plan --file /dev/zero', '64 MiB'],
  ] as const) {
    const { code, stderr } = await runShipped(argv.split(' '), served, token);
    expect(code).toBe(2);
    expect(stderr).toContain(`/dev/zero: it is larger than ${most}`);
  }
});

test('stdin has a limit, too', async () => {
  const stdin = ' '.repeat(64 * 1024 * 1024 + 1);
  const { code, stderr } = await run(['--sandbox', 'members', 'plan', '--file', '-'], { stdin });
  expect(code).toBe(2);
  expect(stderr).toContain(`orgctl: can't read stdin: it is larger than 64 MiB
  → Split it into several files.
`);
});

test.each([
  'members invite --file - --team platform',
  'members remove --file -',
  'members resend --file -',
  'members plan --file -',
  'members apply --file -',
])('%s at a terminal: refused, and not waited for', async (argv) => {
  const { code, stdout, stderr } = await run(['--sandbox', ...argv.split(' ')], { tty: { stdin: true, stderr: true } });
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(
    `orgctl: --file - reads what is piped in, and nothing is\n  → Pipe it in, or give a file with --file.\n`,
  );
});

test.each([
  ['members invite --dry-run --file f', 'email;teams\nana@example.com;platform\n'],
  ['members invite --dry-run --team platform --file f', '["ana@example.com"]'],
  ['members plan --file f', ROSTER],
  ['members report --against f', 'email,organization.id,status\nana@example.com,acme,active\n'],
  ['providers check f', 'provider "registry.terraform.io/hashicorp/random" {\n  version = "3.6.0"\n}\n'],
])('a byte order mark is no part of a file: %s', async (argv, text) => {
  const [plain, marked] = await Promise.all(
    ['', '\ufeff'].map(async (mark) => {
      const home = createHomeOf({});
      writeFileSync(join(home, 'f'), mark + text);
      return await run(['--sandbox', ...argv.split(' ')], { home });
    }),
  );
  expect([0, 13]).toContain(plain?.code);
  expect(marked).toEqual(plain);
});
