import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createFolder } from '../support/files.ts';
import { parseCsv, parseJsonLines } from '../support/formats.ts';
import { createRelease, createSigningKey } from '../support/release.ts';
import { run } from '../support/run.ts';
import { answer, silence, startScripted, type Turn } from '../support/scripted.ts';
import { serve, startService } from '../support/service.ts';
import { createPlace, ORGCTL, shell, start } from '../support/shipped.ts';

/** Far more than a pipe holds. */
const large = await serve({ seed: 'members=1500', rateLimit: 100_000 }, afterAll);

describe('a reader that has seen enough', () => {
  test.each(['members list -o json', 'members list -o tsv', 'feature-sets current -o json', 'help exit-codes'])(
    'of orgctl %s is no failure',
    async (command) => {
      const line = `{ orgctl ${command}; echo "ended with $?" >&2; } | head -n 1`;
      const { stdout, stderr } = await shell(line, { env: large.as('owner') });
      expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^[^\n]+\n$/), stderr: 'ended with 0\n' });
    },
  );

  test.each(['--help', 'members list -o ndjson'])('orgctl %s prints nothing before its first line', async (words) => {
    const running = start(process.execPath, [ORGCTL, ...words.split(' ')], { env: large.as('owner') });
    running.child.stdout?.destroy();
    expect(await running.ended).toMatchObject({ code: 0, stderr: '' });
  });

  test.each([
    [13, 'members plan --file roster.yaml -o csv'],
    [13, 'providers check lock.hcl'],
    [13, 'tokens list --fail-if-expires-within 100y'],
    [13, 'audit-token show --fail-if-expires-within 100y'],
    [10, 'audit-token show --org acme,nope -o csv'],
  ])('changes nothing of the %i of orgctl %s', async (code, line) => {
    const service = await startService();
    const home = createFolder();
    writeFileSync(join(home, 'roster.yaml'), 'members: [{email: ana@example.com, teams: [audit]}]\n');
    writeFileSync(join(home, 'lock.hcl'), 'provider "registry.terraform.io/a/b" {\n}\n');
    await service.run(['audit-token', 'generate', '--expires', '1d', '--yes']);
    const ended = await service.run(line.split(' '), { home, stdoutClosed: true });
    expect({ code: ended.code, stderr: ended.stderr }).toEqual({ code, stderr: expect.stringContaining('orgctl: ') });
  });

  test('of an error is no failure of its own', async () => {
    const running = start(process.execPath, [ORGCTL, 'members', 'lits'], createPlace());
    running.child.stderr?.destroy();
    expect((await running.ended).code).toBe(2);
  });

  test('and stays is ended by SIGTERM', async () => {
    const { origin } = await startScripted(answer(200, { data: 'x'.repeat(1_000_000) }));
    const { env, home } = createPlace();
    const own = { ...env, ORGCTL_BASE_URL: origin, ORGCTL_TOKEN: 'a-token', PID_FILE: join(home, 'pid') };
    const reader = 'head -c 1; kill -TERM "$(cat "$PID_FILE")"; cat end';
    const line = `mkfifo end; { orgctl api big; echo "ended with $?" > end; } | { ${reader}; }`;
    expect((await start('sh', ['-c', line], { env: own, cwd: home }).ended).stdout).toBe('{ended with 143\n');
  });
});

describe('a full disk', () => {
  test('under audit-token generate loses the new secret, and says so', async () => {
    const served = await serve();
    const { code, stderr } = await shell('orgctl audit-token generate --yes > /dev/full', { env: served.as('owner') });
    expect(code, stderr).toBe(12);
    expect(stderr).toContain("acme's audit trail token was replaced, but the new one is lost: ");
  });

  test.each(['members list -o json', 'members list -o tsv', 'api feature-sets', '--help', 'settings list'])(
    'under orgctl %s is a failure in plain words',
    async (command) => {
      const { code, stderr } = await shell(`orgctl ${command} > /dev/full`, { env: large.as('owner') });
      expect(code).toBe(1);
      expect(stderr).toContain('the result could not be written: no space is left');
      expect(stderr).not.toMatch(/ENOSPC| at .*:\d+/);
    },
  );

  // The system then takes a part, and refuses only what follows.
  test('that has room for a part is one too', async () => {
    const line = 'ulimit -f 4; orgctl members list --limit 50 -o ndjson > "$HOME/result"';
    const { env, home } = createPlace();
    const { code, stderr } = await shell(line, { env: { ...large.as('owner'), ...env } });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringMatching(/could not be written: .*too large/) });
    expect(statSync(join(home, 'result')).size).toBeGreaterThan(1_000);
  });
});

describe('a signal during a list', () => {
  test.each([
    ['SIGINT', 130, 'ndjson', parseJsonLines],
    ['SIGHUP', 129, 'ndjson', parseJsonLines],
    ['SIGTERM', 143, 'csv', parseCsv],
  ] as const)('%s ends it with %i, and no half line of %s', async (signal, code, format, parse) => {
    const faults = ['GET organization-memberships: nth=4 delay=600s'];
    const served = await serve({ seed: 'members=1000', faults });
    const argv = [ORGCTL, 'members', 'list', '-o', format];
    const running = start(process.execPath, argv, { env: served.as('owner') });
    // Pages after the first are asked for together: which of them is the one that hangs is chance.
    await running.untilStdout((text) => text.split('\n').length > 100);
    running.child.kill(signal);
    const ended = await running.ended;
    expect(ended).toMatchObject({ code, stderr: expect.stringContaining('Interrupted.') });
    expect(parse(ended.stdout).length).toBeGreaterThanOrEqual(100);
  });

  test('ends one that is printed as a whole without a result, with one line of JSON on stderr', async () => {
    const { origin } = await startScripted(() => running.child.kill('SIGINT'));
    const env = { ...createPlace().env, ORGCTL_BASE_URL: origin, ORGCTL_TOKEN: 'a-token' };
    const running = start(process.execPath, [ORGCTL, 'feature-sets', 'list', '-o', 'json'], { env });
    const stderr = '{"error":{"code":"interrupted","exit":130,"message":"Interrupted."}}\n';
    expect(await running.ended).toEqual({ code: 130, stdout: '', stderr });
  });
});

test.each([
  'members remove --file end --yes',
  'members plan --file end',
  'members list --ca-file end',
  'providers publish billing 1.2.0 --dir dist --public-key end',
])('a signal ends orgctl %s, whose named pipe brings nothing', async (command) => {
  const { env, home } = createPlace();
  await createRelease({ dir: join(home, 'dist'), key: await createSigningKey() });
  // The shell goes on once the pipe is open at both ends, and keeps it open.
  const line = `cd; mkfifo end; orgctl --sandbox ${command} & exec 3> end; kill $!; wait $!; echo "ended with $?"`;
  expect((await shell(line, { env })).stdout).toBe('ended with 143\n');
});

const refuse = (status: number): Turn => answer(status, { errors: [{ status: String(status), detail: 'Why.' }] });
const LISTING = "can't list the feature sets";

test.each<[exit: number, code: string, command: string, turn: Turn, message: string]>([
  [2, 'usage', 'feature-sets lits', silence, "unknown command 'lits'"],
  [4, 'not-authenticated', 'feature-sets list', refuse(401), 'HOST rejected your token (from ORGCTL_TOKEN)'],
  [5, 'not-found', 'feature-sets list', refuse(404), `${LISTING}: not found, or you don't have permission`],
  [6, 'forbidden', 'feature-sets list', refuse(403), "you don't have permission to list the feature sets"],
  [7, 'rejected', 'api POST things', refuse(422), 'the service rejected the request'],
  [8, 'rate-limited', 'feature-sets list', refuse(429), `${LISTING}: too many requests`],
  [9, 'unavailable', 'feature-sets list', refuse(503), `${LISTING}: HOST answered 503`],
  [11, 'outcome-unknown', 'api POST things', refuse(500), 'unknown whether this happened: send POST /things'],
])('an error is text, and one JSON line for programs: %i %s: %s', async (exit, code, command, turn, message) => {
  const { origin, port } = await startScripted(turn);
  const env = { ORGCTL_BASE_URL: `${origin}/api/v2`, ORGCTL_TOKEN: 'a-token', ORGCTL_ORG: 'acme' };
  const said = message.replace('HOST', `127.0.0.1:${port}`);
  const argv = [...command.split(' '), '--max-retries', '0'];
  // At a terminal a person reads, whatever the result is.
  for (const [more, tty] of [[[], {}] as const, [['-o', 'json'], { stderr: true }] as const]) {
    const { code: ended, stderr } = await run([...argv, ...more], { env, tty });
    expect({ ended, stderr }).toEqual({ ended: exit, stderr: expect.stringContaining(`${said}\n`) });
    expect(stderr).not.toContain('{"error"');
  }
  const json = await run([...argv, '-o', 'json'], { env });
  const { error } = JSON.parse(json.stderr);
  expect(json).toMatchObject({ code: exit, stderr: `${JSON.stringify({ error })}\n` });
  expect(error).toMatchObject({ code, exit, message: said });
  if (exit === 5) expect(error).toMatchObject({ status: 404, errors: [{ status: '404' }], request: { method: 'GET' } });
});

test('a named pipe is read to its end, in however many pieces it comes', async () => {
  const pieces = 'printf "email\\nmilo.mem" > p; printf "ber@example.com\\n" >&3';
  const line = `mkfifo p; { exec 3> p; ${pieces}; } & orgctl --sandbox members remove --file p --dry-run --fields email`;
  const { home, env } = createPlace();
  expect(await shell(line, { env, cwd: home })).toMatchObject({
    code: 0,
    stdout: 'milo.member@example.com\n',
    stderr: '',
  });
});
