import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseJsonLines } from '../support/formats.ts';
import { NOW, type RunOptions, type RunResult, run } from '../support/run.ts';
import { createHomeOf } from '../support/stored.ts';
import { DAY, MINUTE, startTrail } from '../support/trail.ts';

/** A trail, and a home for a cursor. */
async function prepare() {
  const trail = await startTrail();
  const home = createHomeOf({});
  const cursor = join(home, 'acme.json');
  const follow = (words: string, more: RunOptions = {}): Promise<RunResult> => {
    const argv = ['audit-trail', 'follow', '--cursor', 'acme.json', ...words.split(' ')];
    return run(argv, { home, ...more, env: { ...trail.env, ...more.env } });
  };
  /** The ids that a reading printed, in their order. */
  const once = async (words = '-q', more: RunOptions = {}): Promise<string> => {
    const { code, stdout, stderr } = await follow(`--once --fields id ${words}`, more);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout.trim().replaceAll('event-', '').split('\n').join(' ');
  };
  /** Follows, and calls `onWait` in each pause until it returns false. */
  const keepFollowing = (onWait: (milliseconds: number) => unknown, more: RunOptions = {}): Promise<RunResult> => {
    const signals = new EventEmitter();
    const sleep = async (milliseconds: number, signal?: AbortSignal): Promise<void> => {
      if (!(await onWait(milliseconds))) signals.emit('SIGTERM');
      signal?.throwIfAborted();
    };
    return follow('--fields id', { signals, host: { sleep }, ...more });
  };
  return { trail, home, cursor, follow, once, keepFollowing, readText: () => readFileSync(cursor, 'utf8') };
}

describe('audit-trail follow', () => {
  test('prints every event once and in order, across runs, up to an hour late', async () => {
    const { trail, home, once, readText } = await prepare();
    trail.add(-3 * DAY, -2 * DAY, -2 * DAY, -10_000);
    expect(await once()).toBe('1 2 3 4');
    expect(JSON.parse(readText())).toEqual({
      service: trail.origin,
      organization: 'acme',
      organizationId: 'org-acme',
      newest: NOW - 10_000,
      readAt: NOW,
      recent: { 'event-4': NOW - 10_000 },
    });
    if (process.platform !== 'win32') expect(statSync(join(home, 'acme.json')).mode & 0o777).toBe(0o600);
    trail.clock += MINUTE;
    trail.add(MINUTE, -10_000, -59 * MINUTE);
    // A killed run may leave it.
    writeFileSync(join(home, '.acme.json.0123456789abcdef.orgctl'), '{');
    expect(await once()).toBe('7 6 5');
    expect(await once()).toBe('');
    const starts = trail.queries.map((query) => /since=([^&]*)/.exec(query)?.[1]);
    expect(starts).toEqual([undefined, '2026-11-21T07:59:50.000Z', '2026-11-21T08:01:00.000Z']);
    expect(readdirSync(home).sort()).toEqual(['.acme.json.lock', 'acme.json']);
  });

  test('a new cursor begins with --since', async () => {
    const { trail, once } = await prepare();
    trail.add(-2 * DAY, -DAY - 1, -DAY, -1);
    expect(await once('--since 1d')).toBe('3 4');
    // Not an hour before it either.
    expect(await once('--since 14d')).toBe('');
  });

  test('reads a backlog of many pages that shift meanwhile', async () => {
    const { trail, once } = await prepare();
    trail.add(...Array.from({ length: 3_300 }, (_, index) => (index - 3_300) * MINUTE));
    trail.onRequest = ({ pathname }) =>
      void (pathname.includes('/audit-trail') && trail.queries.length < 3 && trail.add(trail.queries.length));
    expect(await once()).toBe(Array.from({ length: 3_301 }, (_, index) => index + 1).join(' '));
    expect(await once()).toBe('3302 3303');
  });

  test.each([
    ['{', 'is not a cursor of audit-trail follow'],
    ['{"service":"https://tfe.example.com","recent":{}}', 'belongs to https://tfe.example.com'],
    ['{"service":"ORIGIN","organization":"globex","recent":{}}', 'belongs to globex'],
    ['{"service":"ORIGIN","organizationId":"org-globex","newest":1e12,"recent":{}}', 'belongs to org-globex'],
    ['{"service":"ORIGIN","newest":1e13,"recent":{}}', 'is of 2286-11-20 17:46 UTC, which is still to come'],
  ])('the cursor %s is refused, and stays', async (written, message) => {
    const { trail, cursor, follow, readText } = await prepare();
    trail.add(-MINUTE);
    const text = written.replace('ORIGIN', trail.origin);
    writeFileSync(cursor, text);
    expect(await follow('--once')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(message) });
    expect(readText()).toBe(text);
  });

  test.skipIf(process.platform === 'win32')('a named pipe is no cursor', async () => {
    const { cursor, follow } = await prepare();
    spawnSync('mkfifo', [cursor]);
    expect(await follow('--once')).toMatchObject({ code: 2, stderr: `orgctl: ${cursor} is not a regular file\n` });
  });

  test('more than 14 days since the last reading are a gap: said once, and 13 with --once', async () => {
    const { trail, follow, keepFollowing } = await prepare();
    trail.add(-MINUTE);
    await follow('--once');
    trail.clock += 15 * DAY;
    trail.add(5 * DAY);
    expect(await follow('--once --fields id')).toEqual({
      code: 13,
      stdout: 'event-2\n',
      stderr:
        'warning: events between 2026-11-21 09:00 UTC and 2026-11-22 09:00 UTC may be missing: the service keeps 14 days\n' +
        'orgctl: the audit trail has a gap\n',
    });
    expect(await follow('--once')).toEqual({ code: 0, stdout: '', stderr: '' });
    trail.clock += 15 * DAY;
    const { stderr } = await keepFollowing(() => false);
    expect(stderr.match(/may be missing/g)).toHaveLength(1);
  });

  test('silence is no gap, and neither is a wrong clock of this machine', async () => {
    const { trail, once } = await prepare();
    trail.add(-MINUTE);
    await once();
    for (let day = 1; day <= 20; day += 1) {
      trail.clock += DAY;
      expect(await once('-q', { now: NOW + (day % 2 ? 400 : -400) * DAY })).toBe('');
    }
  });

  test('a token that gets an empty trail is 4, and the cursor stays', async () => {
    const { trail, follow, readText } = await prepare();
    trail.add(-MINUTE);
    await follow('--once');
    const before = readText();
    trail.clear();
    const data = { id: 'user-1', type: 'users' };
    trail.account = { ...data, relationships: { 'authenticated-resource': { data } } };
    expect(await follow('--once')).toMatchObject({ code: 4, stdout: '' });
    expect(readText()).toBe(before);
  });

  test('a rejected token is read again, for 5 s with --once and else for a minute', async () => {
    const { trail, home, follow, keepFollowing } = await prepare();
    const path = join(home, 'config', 'credentials.json');
    mkdirSync(join(home, 'config'));
    const store = (token: string): void =>
      writeFileSync(path, JSON.stringify({ credentials: { [trail.origin]: { token } } }), { mode: 0o600 });
    const env = { ORGCTL_TOKEN: '' };
    store('revoked-token');
    for (const [words, seconds] of [['--once', 5] as const, ['-q', 60] as const]) {
      const waits: number[] = [];
      const onSleep = (milliseconds: number): void => void waits.push(milliseconds);
      expect(await follow(words, { env, onSleep })).toMatchObject({ code: 4, stdout: '' });
      // Without those of the rate limit.
      expect(waits.filter((wait) => wait === 1_000)).toHaveLength(seconds);
    }
    store(trail.token);
    const pauses: number[] = [];
    const { code, stdout } = await keepFollowing(
      (milliseconds) => {
        pauses.push(milliseconds);
        if (pauses.length === 1) {
          trail.token = 'rotated-token';
          trail.add(MINUTE);
        } else if (pauses.length === 3) store('rotated-token');
        return pauses.length < 4;
      },
      { env },
    );
    expect({ code, stdout }).toEqual({ code: 143, stdout: 'event-1\n' });
    expect(pauses).toEqual([60_000, 1_000, 1_000, 60_000]);
  });

  test('one follower at a time has a cursor: 14', async () => {
    const { trail, home, cursor, once, follow, keepFollowing } = await prepare();
    trail.add(-MINUTE);
    let second: RunResult | undefined;
    await keepFollowing(async () => {
      symlinkSync(cursor, join(home, 'link.json'));
      second = await follow('--once --cursor link.json');
      return false;
    });
    expect(second).toMatchObject({ code: 14, stdout: '', stderr: expect.stringContaining('another follower of ') });
    expect(await once()).toBe('');
  });

  test('a cursor that can not be written is 1, and the next run repeats the batch', async () => {
    const { trail, home, cursor, follow, once } = await prepare();
    trail.add(-MINUTE);
    const inTheWay = join(home, 'acme.json');
    const onStdout = (): void => void mkdirSync(inTheWay);
    const { code, stdout, stderr } = await follow('--once --fields id', { onStdout });
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'event-1\n' });
    expect(stderr).toContain(`can't write the cursor ${cursor}`);
    rmSync(inTheWay, { recursive: true });
    expect(await once('--dry-run')).toBe('1');
    expect(existsSync(cursor)).toBe(false);
    expect(await once()).toBe('1');
  });

  test('--to exec: gets each batch; if it fails, the cursor stays and the exit is 1', async () => {
    const { trail, home, follow, readText } = await prepare();
    trail.add(...Array.from({ length: 1_500 }, (_, index) => index - 2_000));
    const [script, notes] = [join(home, 'take.mjs'), join(home, 'taken.ndjson')];
    writeFileSync(
      script,
      `import { appendFileSync, readFileSync } from 'node:fs';
const ids = readFileSync(0, 'utf8').split('\\n').filter(Boolean).map((line) => JSON.parse(line).id);
appendFileSync('${notes}', JSON.stringify([ids.length, ids[0], 'ORGCTL_TOKEN' in process.env]) + '\\n');
console.log(ids.length);
if (ids.length === Number(process.argv[2])) process.exit(7);`,
    );
    const argv = ['audit-trail', 'follow', '--cursor', 'acme.json', '--once'];
    const take = (last: string, ...words: string[]) =>
      run([...argv, '--to', `exec:'${process.execPath}' '${script}' ${last}`, ...words], { home, env: trail.env });
    const failed = `orgctl: ${process.execPath} did not take the events: exit code 7\n  → The next run passes them again.\n`;
    expect(await take('500')).toEqual({ code: 1, stdout: '', stderr: `1000\n500\n${failed}` });
    expect(JSON.parse(readText()).newest).toBe(NOW - 1_001);
    expect(await take('', '--dry-run')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Would pass 500 events/),
    });
    expect(await take('')).toEqual({ code: 0, stdout: '', stderr: '500\n' });
    const taken = [[1_000, 'event-1', false], ...[1, 2].map(() => [500, 'event-1001', false])];
    expect(parseJsonLines(readFileSync(notes, 'utf8'))).toEqual(taken);
    if (process.platform === 'win32') return;
    // One that does not read them has taken them, too.
    trail.add(...Array.from({ length: 900 }, () => 0));
    expect(await follow('--once --to exec:true', { env: { PATH: process.env.PATH } })).toMatchObject({ code: 0 });
  });
});
