import {
  appendFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseJsonLines } from '../support/formats.ts';
import { NOW, type RunOptions, type RunResult, run } from '../support/run.ts';
import { startService } from '../support/service.ts';
import { createHomeOf } from '../support/stored.ts';
import { DAY, MINUTE, startTrail, type TestTrail } from '../support/trail.ts';

const SECOND = 1_000;
const WHOSE = "The service doesn't say whose audit trail this token reads; the new cursor is for acme.";
const EVERYTHING = (path: string): string =>
  `${path} doesn't exist yet: reading everything that the service keeps (14 days).`;
const NEW = (path: string): string => `${EVERYTHING(path)}\n${WHOSE}\n`;

/** A trail, and a home with the place of a cursor. */
async function prepare(options: Parameters<typeof startTrail>[0] = {}) {
  const trail = await startTrail(options);
  const home = createHomeOf({});
  const cursor = join(home, 'acme.json');
  const follow = (argv: readonly string[] = [], more: RunOptions = {}): Promise<RunResult> =>
    run(['audit-trail', 'follow', ...argv], { home, env: { ...trail.env, ...more.env }, ...omitEnv(more) });
  return {
    trail,
    home,
    cursor,
    follow,
    once: (argv: readonly string[] = [], more: RunOptions = {}) =>
      follow(
        [...(argv.includes('--cursor') ? [] : ['--cursor', 'acme.json']), '--once', '-o', 'ndjson', ...argv],
        more,
      ),
    readCursor: () => JSON.parse(readFileSync(cursor, 'utf8')) as Record<string, unknown>,
  };
}

function omitEnv({ env: _env, ...rest }: RunOptions): RunOptions {
  return rest;
}

function idsOf(stdout: string): readonly string[] {
  return parseJsonLines(stdout).map(({ id }) => String(id));
}

const toNote = (message: string): string => `${JSON.stringify({ note: { message } })}\n`;
const toWarning = (message: string, code?: string): string => `${JSON.stringify({ warning: { code, message } })}\n`;

describe('from run to run', () => {
  test('every event once, the oldest first, and a cursor that says how far', async () => {
    const { trail, cursor, once, readCursor } = await prepare();
    const events = trail.add(-3 * DAY, -2 * DAY, -2 * DAY, -10 * SECOND);
    expect(await once()).toEqual({
      code: 0,
      stdout: events.map((event) => `${JSON.stringify(event)}\n`).join(''),
      stderr: toNote(EVERYTHING(cursor)) + toNote(WHOSE),
    });
    expect(readCursor()).toEqual({
      version: 1,
      service: trail.front.origin,
      organization: 'acme',
      organizationId: 'org-acme',
      readUntil: '2026-11-21T09:00:00.000Z',
      newest: { timestamp: '2026-11-21T08:59:50.000Z', id: 'event-4' },
      recent: { 'event-4': '2026-11-21T08:59:50.000Z' },
    });
    if (process.platform !== 'win32') expect(statSync(cursor).mode & 0o777).toBe(0o600);

    // Late ones come between those that were read, and one has the same time as the newest.
    trail.clock += 2 * MINUTE;
    trail.add(-4 * MINUTE, -10 * SECOND, MINUTE);
    expect(await once()).toMatchObject({ code: 0, stderr: '' });
    expect(trail.queries).toEqual(['', 'since=2026-11-21T08:54:50.000Z']);
    expect(await once()).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readCursor()).toMatchObject({
      readUntil: '2026-11-21T09:02:00.000Z',
      newest: { id: 'event-7' },
      recent: { 'event-4': expect.anything(), 'event-5': expect.anything(), 'event-6': expect.anything() },
    });
  });

  test('prints late events, and those of the same time as the newest', async () => {
    const { trail, once } = await prepare();
    trail.add(-10 * SECOND);
    await once();
    trail.add(-4 * MINUTE, -10 * SECOND, MINUTE);
    expect(idsOf((await once()).stdout)).toEqual(['event-2', 'event-3', 'event-4']);
  });

  test('an event from the future comes once, and hides none after it', async () => {
    const { trail, once, readCursor } = await prepare();
    trail.add(-MINUTE, 90 * DAY);
    expect(idsOf((await once()).stdout)).toEqual(['event-1', 'event-2']);
    expect(readCursor()).toMatchObject({ newest: { id: 'event-1' }, readUntil: '2026-11-21T09:00:00.000Z' });
    trail.clock += MINUTE;
    trail.add(30 * SECOND);
    expect(idsOf((await once()).stdout)).toEqual(['event-3']);
    expect(idsOf((await once()).stdout)).toEqual([]);
  });

  test("a service's clock that went back is said, unless events go on as before", async () => {
    const { trail, once } = await prepare();
    trail.add(-MINUTE);
    await once();
    trail.clock -= 20 * MINUTE;
    expect(await once()).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("The service's clock went back, to 2026-11-21 08:40 UTC"),
    });
    trail.add(30 * SECOND);
    expect(await once()).toMatchObject({ code: 0, stderr: '' });
  });

  test('a trail of many pages that grows and shifts while it is read', async () => {
    const { trail, home, once } = await prepare({ pageSize: 100 });
    const times = Array.from({ length: 3_333 }, (_, index) => -13 * DAY + index * 5 * MINUTE);
    trail.add(...times);
    let asked = 0;
    trail.onRequest = () => {
      asked += 1;
      // In front, and late among those that are still to be read.
      if (asked < 30) trail.add(asked * SECOND, -2 * MINUTE + asked);
      return undefined;
    };
    const first = idsOf((await once()).stdout);
    expect(new Set(first).size).toBe(first.length);
    const old = first.filter((id) => Number(id.slice(6)) <= 3_333);
    expect(old).toEqual(times.map((_, index) => `event-${index + 1}`));
    trail.onRequest = undefined;
    const second = idsOf((await once()).stdout);
    expect([...first, ...second].sort()).toEqual(
      Array.from({ length: 3_333 + 58 }, (_, index) => `event-${index + 1}`).sort(),
    );
    expect(readdirSync(home).filter((name) => name.startsWith('.acme'))).toEqual([]);
  });

  test('what keeps the cursor from being written is said, and the next run repeats', async () => {
    const { trail, home, once, cursor } = await prepare();
    trail.add(-MINUTE);
    await once();
    trail.add(0);
    const before = readFileSync(cursor, 'utf8');
    // A folder where the next content would wait.
    const { code, stdout, stderr } = await once([], {
      host: { randomBytes: () => new Uint8Array(8) },
      onStdout: () => mkdirSync(join(home, '.acme.json.orgctl-0000000000000000')),
    });
    expect({ code, ids: idsOf(stdout) }).toEqual({ code: 1, ids: ['event-2'] });
    expect(stderr).toContain(`can't write the cursor ${cursor}`);
    expect(readFileSync(cursor, 'utf8')).toBe(before);
    rmSync(join(home, '.acme.json.orgctl-0000000000000000'), { recursive: true });
    expect(idsOf((await once()).stdout)).toEqual(['event-2']);
  });

  test('a dry run prints, and leaves the cursor as it is', async () => {
    const { trail, cursor, once } = await prepare();
    trail.add(-MINUTE);
    const result = await once(['--dry-run']);
    expect({ ...result, stdout: idsOf(result.stdout) }).toEqual({
      code: 0,
      stdout: ['event-1'],
      stderr: [EVERYTHING(cursor), `${cursor} stays as it is: this is a dry run.`, WHOSE].map(toNote).join(''),
    });
    expect(existsSync(cursor)).toBe(false);
  });
});

describe('where to begin', () => {
  test('--since is for a new cursor, to the millisecond; an existing one counts', async () => {
    const { trail, cursor, once } = await prepare();
    trail.add(-2 * DAY, -DAY - 1, -DAY, -1);
    const first = await once(['--since', '2026-11-20T09:00:00.000Z']);
    expect({ ...first, stdout: idsOf(first.stdout) }).toEqual({
      code: 0,
      stdout: ['event-3', 'event-4'],
      stderr: toNote(WHOSE),
    });
    expect(trail.queries).toEqual(['since=2026-11-20T09:00:00.000Z']);
    expect(await once(['--since', '14d'])).toEqual({
      code: 0,
      stdout: '',
      stderr: toNote(`${cursor} exists, so --since is not used.`),
    });
  });

  test('what happened before --since stays out, though the margin reaches there', async () => {
    const { trail, once } = await prepare();
    trail.add(-3 * MINUTE, -MINUTE);
    expect(idsOf((await once(['--since', '2m'])).stdout)).toEqual(['event-2']);
    trail.add(0);
    expect(idsOf((await once()).stdout)).toEqual(['event-3']);
  });

  test('without a cursor: from --since, or from now by the clock of the service', async () => {
    const { trail, follow } = await prepare();
    trail.clock += 3 * DAY;
    trail.add(-DAY, 3 * DAY - SECOND);
    expect((await follow(['--once', '--since', '2d', '-o', 'ndjson'])).stdout).toContain('event-1');
    let rounds = 0;
    const { code, stdout } = await untilTerminated(follow, ['-o', 'ndjson', '--interval', '1m'], (signal) => {
      rounds += 1;
      if (rounds === 1) trail.add(3 * DAY, 3 * DAY + SECOND);
      else signal();
    });
    expect({ code, ids: idsOf(stdout) }).toEqual({ code: 143, ids: ['event-3', 'event-4'] });
  });

  test.each([
    [['--once'], '--once needs --cursor or --since'],
    [['--interval', '999ms'], '--interval: 999ms is too short'],
    [['--cursor', ''], '--cursor is empty'],
    [['--since', 'tomorrow'], "can't read 'tomorrow' as a date"],
    [['-o', 'json'], '-o json needs --once'],
    [['-o', 'table'], '-o table needs --once'],
    [['--to', 'file:x'], "--to takes exec:COMMAND, not 'file:x'"],
    [['--to', 'exec:nowhere-to-be-found'], 'exec:nowhere-to-be-found: no command nowhere-to-be-found in PATH'],
    [['--to', 'exec:cat', '-o', 'csv'], 'use --to or -o csv, not both'],
    [['--cursor', 'nowhere/acme.json'], "nowhere doesn't exist"],
  ])('%j is refused, and nothing is sent', async (argv, message) => {
    const { trail, follow } = await prepare();
    const { code, stdout, stderr } = await follow(argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message);
    expect(trail.front.requests).toEqual([]);
  });

  test.each([
    ['{', 'is not a cursor of audit-trail follow'],
    ['{"version":1}', 'is not a cursor of audit-trail follow'],
    ['{"version":1,"service":"ORIGIN","recent":{"a":"soon"}}', 'is not a cursor of audit-trail follow'],
    ['{"version":2}', 'was written by a newer orgctl (version 2 of its form)'],
    ['{"version":2,"service":"ORIGIN","recent":{}}', 'was written by a newer orgctl (version 2 of its form)'],
    [
      '{"version":1,"service":"https://tfe.example.com","recent":{}}',
      'belongs to https://tfe.example.com, not to ORIGIN',
    ],
    ['{"version":1,"service":"ORIGIN","organization":"globex","recent":{}}', 'belongs to globex, not to acme'],
  ])('the cursor %s is refused, and stays', async (text, message) => {
    const { trail, home, cursor, once } = await prepare();
    const content = text.replace('ORIGIN', trail.front.origin);
    writeFileSync(cursor, content);
    const { code, stdout, stderr } = await once();
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(message.replace('ORIGIN', trail.front.origin));
    expect(readFileSync(cursor, 'utf8')).toBe(content);
    expect(readdirSync(home)).toEqual(['acme.json']);
    expect(trail.front.requests).toEqual([]);
  });

  test.skipIf(process.platform === 'win32')('a cursor that is a link, or a folder, is refused', async () => {
    const { home, cursor, once } = await prepare();
    writeFileSync(join(home, 'other.json'), '{}');
    symlinkSync(join(home, 'other.json'), cursor);
    expect(await once()).toMatchObject({ code: 2, stderr: expect.stringContaining('it is a link') });
    rmSync(cursor);
    mkdirSync(cursor);
    expect(await once()).toMatchObject({ code: 2, stderr: expect.stringContaining('it is not a regular file') });
  });

  test('a cursor of another organization that only its events tell', async () => {
    const { trail, cursor, once } = await prepare();
    trail.add(-MINUTE);
    await once([], { env: { ORGCTL_ORG: '' } });
    const before = readFileSync(cursor, 'utf8');
    writeFileSync(cursor, before.replaceAll('org-acme', 'org-globex').replaceAll('event-1', 'event-9'));
    const { code, stdout, stderr } = await once([], { env: { ORGCTL_ORG: '' } });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`the cursor ${cursor} belongs to another organization`);
  });

  test('the cursor of one organization and a token of another one, with nothing new', async () => {
    const { trail, cursor, once } = await prepare();
    trail.add(-MINUTE);
    await once();
    // What was read before was globex's, and acme's events are older than what is asked for.
    const other = readFileSync(cursor, 'utf8').replaceAll('org-acme', 'org-globex').replaceAll('event-1', 'event-9');
    writeFileSync(cursor, other);
    trail.clear();
    trail.add(-DAY);
    const { code, stderr } = await once();
    expect(code, stderr).toBe(2);
    expect(stderr).toContain(`the cursor ${cursor} belongs to another organization`);
    expect(readFileSync(cursor, 'utf8')).toBe(other);
    // An organization's token says whose it is, before anything is read.
    trail.account = {
      id: 'user-1',
      type: 'users',
      relationships: { 'authenticated-resource': { data: { id: 'globex', type: 'organizations' } } },
    };
    const asked = trail.queries.length;
    expect(await once()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('this token reads the audit trail of globex, not of acme'),
    });
    rmSync(cursor);
    expect(await once()).toMatchObject({ code: 2, stdout: '' });
    expect(trail.queries).toHaveLength(asked);
    expect(existsSync(cursor)).toBe(false);
  });

  test("a file of another program beside the cursor stays as it is, and none of orgctl's is left there", async () => {
    const { trail, home, once } = await prepare();
    trail.add(-MINUTE);
    const stranger = join(home, 'acme.json.lock');
    writeFileSync(stranger, 'of another program', { mode: 0o644 });
    expect((await once()).code).toBe(0);
    expect([readFileSync(stranger, 'utf8'), statSync(stranger).mode & 0o777]).toEqual(['of another program', 0o644]);
    rmSync(stranger);
    expect((await once()).code).toBe(0);
    expect(readdirSync(home).filter((name) => name.startsWith('acme') || name.startsWith('.acme'))).toEqual([
      'acme.json',
    ]);
  });

  test('one follower at a time has a cursor, by whatever path', async () => {
    const { trail, home, once, follow } = await prepare();
    trail.add(-MINUTE);
    let second: RunResult | undefined;
    await untilTerminated(follow, ['--cursor', 'acme.json', '-o', 'ndjson'], async (signal) => {
      symlinkSync(home, join(home, 'same'));
      second = await once(['--cursor', 'same/acme.json']);
      signal();
    });
    expect(second).toMatchObject({ code: 14, stdout: '' });
    expect(second?.stderr).toContain(
      `another follower of ${join(home, 'same', 'acme.json')} is running (process 4711 on `,
    );
    expect((await once()).code).toBe(0);
  });
});

/** Goes on until `onWait` sends the signal, which is called in each pause between two readings. */
async function untilTerminated(
  follow: (argv: readonly string[], more: RunOptions) => Promise<RunResult>,
  argv: readonly string[],
  onWait: (signal: () => void, milliseconds: number) => void | Promise<void>,
  more: RunOptions = {},
): Promise<RunResult> {
  let terminate = (): void => undefined;
  return await follow(argv, {
    ...more,
    onStart(signal) {
      terminate = () => signal('SIGTERM');
    },
    host: {
      async sleep(milliseconds, signal) {
        await onWait(terminate, milliseconds);
        signal?.throwIfAborted();
      },
      ...more.host,
    },
  });
}

describe('a gap', () => {
  const MISSING_LATE =
    'Events between 2026-11-21 09:00 UTC and 2026-11-26 08:00 UTC may be missing: the trail was last read whole at the earlier time, and the service keeps 14 days.';
  const MISSING_GONE =
    'Events between 2026-11-21 08:59 UTC and 2026-11-22 09:00 UTC may be missing: the newest event that was read before is no longer in the trail.';
  const HINT = 'What the service keeps was printed, and the next run goes on from there. Run it more often than that.';
  const toGap = (reason: string): string =>
    toWarning(reason, 'gap') +
    `${JSON.stringify({ error: { code: 'gap', exit: 13, message: 'the audit trail has a gap', reasons: [reason], hint: HINT } })}\n`;

  test('after more than 14 days: what there is is printed, and it is said once', async () => {
    const { trail, once } = await prepare();
    trail.add(-MINUTE);
    await once();
    trail.clock += 19 * DAY;
    trail.add(5 * DAY - 60 * MINUTE, 18 * DAY);
    const { code, stdout, stderr } = await once();
    expect({ code, ids: idsOf(stdout) }).toEqual({ code: 13, ids: ['event-3'] });
    expect(stderr).toContain('may be missing: the trail was last read whole at the earlier time');
    expect(await once()).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  test('names the time from which on events are there', async () => {
    const { trail, once } = await prepare();
    trail.add(-MINUTE);
    await once();
    trail.clock += 15 * DAY;
    trail.add(5 * DAY - 60 * MINUTE);
    expect(await once()).toEqual({ code: 13, stdout: expect.stringContaining('event-2'), stderr: toGap(MISSING_LATE) });
  });

  test('where the newest event is gone from the trail', async () => {
    const { trail, once } = await prepare();
    trail.add(-SECOND);
    await once();
    trail.clear();
    trail.clock += DAY;
    expect(await once()).toEqual({ code: 13, stdout: '', stderr: toGap(MISSING_GONE) });
    expect(await once()).toEqual({ code: 0, stdout: '', stderr: '' });
    // Nothing is passed over for it: it may have been the token.
    trail.add(MINUTE);
    expect(idsOf((await once()).stdout)).toEqual(['event-2']);
  });

  test('a follower that goes on warns', async () => {
    const { trail, once, follow } = await prepare();
    trail.add(-SECOND);
    await once();
    trail.clear();
    trail.clock += DAY;
    const { code, stderr } = await untilTerminated(follow, ['--cursor', 'acme.json', '-o', 'ndjson'], (signal) =>
      signal(),
    );
    expect(code).toBe(143);
    expect(stderr).toContain(toWarning(MISSING_GONE, 'gap'));
  });

  test.each([13, 14, 20])('none in an organization where nothing happens for %i days', async (days) => {
    const { trail, once } = await prepare();
    trail.add(-MINUTE);
    await once();
    for (let day = 0; day < days; day += 1) {
      trail.clock += DAY;
      expect(await once()).toEqual({ code: 0, stdout: '', stderr: '' });
    }
    trail.add(days * DAY - MINUTE);
    expect(idsOf((await once()).stdout)).toEqual(['event-2']);
  });

  test('none by a clock of this machine that is wrong', async () => {
    const { trail, once } = await prepare();
    trail.add(-MINUTE);
    await once();
    expect(await once([], { now: NOW + 400 * DAY })).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(await once([], { now: NOW - 400 * DAY })).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('the token', () => {
  test.each([
    ['users', 'a user token (olive-owner)'],
    ['teams', 'a team token (olive-owner)'],
  ])('that can never read the trail, of %s: 4 at once', async (type, kind) => {
    const { trail, once, cursor } = await prepare();
    trail.account = {
      id: 'user-1',
      type: 'users',
      attributes: { username: 'olive-owner' },
      relationships: { 'authenticated-resource': { data: { id: 'x', type } } },
    };
    const { code, stdout, stderr } = await once(['-q', '--since', '2d']);
    expect({ code, stdout }).toEqual({ code: 4, stdout: '' });
    expect(stderr).toContain(`this token can't read the audit trail: it is ${kind}`);
    expect(existsSync(cursor)).toBe(false);
  });

  /** A home whose token is stored, as `auth login` does. */
  function storeToken(trail: TestTrail, token: string) {
    const home = createHomeOf({ credentials: { credentials: { [trail.front.origin]: { token } } } });
    const store = (next: string): void =>
      writeFileSync(
        join(home, 'config', 'credentials.json'),
        JSON.stringify({ credentials: { [trail.front.origin]: { token: next } } }),
      );
    return { home, store, env: { ORGCTL_TOKEN: '' } };
  }

  test('is read again where it was rotated: nothing is lost, and nothing said', async () => {
    const { trail, follow } = await prepare();
    const { home, store, env } = storeToken(trail, trail.token);
    trail.add(-MINUTE);
    const pauses: number[] = [];
    const { code, stdout } = await untilTerminated(
      follow,
      ['--cursor', 'acme.json', '-o', 'ndjson'],
      (signal, pause) => {
        pauses.push(pause);
        if (pauses.length === 1) {
          trail.token = 'another-token-of-tests';
          trail.add(MINUTE);
        } else if (pauses.length === 3) store('another-token-of-tests');
        else if (pauses.length === 4) signal();
      },
      { home, env },
    );
    expect({ code, ids: idsOf(stdout) }).toEqual({ code: 143, ids: ['event-1', 'event-2'] });
    expect(pauses).toEqual([60_000, 2_000, 2_000, 60_000]);
  });

  test.each([
    ['with --once for 5 s', ['--once'], [2_000, 2_000, 1_000]],
    ['otherwise for a minute', [], Array.from({ length: 30 }, () => 2_000)],
  ])('that stays rejected is waited for %s, then 4', async (_what, argv, expected) => {
    const { trail, follow } = await prepare();
    const { home, env } = storeToken(trail, 'revoked-token-of-tests');
    const pauses: number[] = [];
    const { code, stdout, stderr } = await follow(['--cursor', 'acme.json', ...argv], {
      home,
      env,
      onSleep: (milliseconds) => pauses.push(milliseconds),
    });
    expect({ code, stdout, pauses }).toEqual({ code: 4, stdout: '', pauses: expected });
    expect(stderr).toContain('rejected your token (from credentials.json)');
    expect(existsSync(join(home, 'acme.json'))).toBe(false);
  });

  test('from the environment, which stays as it is: 4 at once', async () => {
    const { once } = await prepare();
    const pauses: number[] = [];
    const result = await once([], {
      env: { ORGCTL_TOKEN: 'revoked-token-of-tests' },
      onSleep: (milliseconds) => pauses.push(milliseconds),
    });
    expect({ code: result.code, pauses }).toEqual({ code: 4, pauses: [] });
  });

  test('none at all: 4, before anything is sent', async () => {
    const { trail, once } = await prepare();
    expect(await once([], { env: { ORGCTL_TOKEN: '' } })).toMatchObject({ code: 4, stdout: '' });
    expect(trail.front.requests).toEqual([]);
  });
});

describe('going on', () => {
  test('waits, prints what is new, and ends after the batch', async () => {
    const { trail, follow, cursor } = await prepare();
    trail.add(-MINUTE);
    const pauses: number[] = [];
    const result = await untilTerminated(
      follow,
      ['--cursor', 'acme.json', '--interval', '5s', '--fields', 'id'],
      (signal, pause) => {
        pauses.push(pause);
        trail.add(pauses.length * SECOND);
        if (pauses.length === 3) signal();
      },
    );
    expect(result).toEqual({
      code: 143,
      stdout: 'event-1\nevent-2\nevent-3\n',
      stderr:
        NEW(cursor) +
        'Following: the trail is read every 5 s.\n' +
        'Interrupted: another program ended this one.\n  3 events delivered; the cursor covers them.\n',
    });
    expect(pauses).toEqual([5_000, 5_000, 5_000]);
  });

  test('a signal while a batch is written: the batch and the cursor are written first', async () => {
    const { trail, follow, readCursor } = await prepare();
    trail.add(...Array.from({ length: 1_500 }, (_, index) => -MINUTE + index));
    let interrupt = (): void => undefined;
    const { code, stdout } = await follow(['--cursor', 'acme.json', '--fields', 'id'], {
      onStart: (signal) => {
        interrupt = () => signal('SIGINT');
      },
      onStdout: () => interrupt(),
      // The time that a reader has does not pass here.
      host: { sleep: (_milliseconds, signal) => untilAborted(signal) },
    });
    expect({ code, lines: stdout.trimEnd().split('\n').length }).toEqual({ code: 130, lines: 1_000 });
    expect(readCursor()).toMatchObject({ newest: { id: 'event-1000' } });
  });

  test('a reader that takes nothing: it ends all the same, and the cursor stays', async () => {
    const { trail, follow, cursor } = await prepare();
    trail.add(-MINUTE);
    let terminate = (): void => undefined;
    const { Writable } = await import('node:stream');
    const stdout = new Writable({ write: () => terminate() });
    const { code, stderr } = await follow(['--cursor', 'acme.json'], {
      onStart: (signal) => {
        terminate = () => signal('SIGTERM');
      },
      host: { stdout },
    });
    expect(code).toBe(143);
    expect(stderr).toBe(
      `${NEW(cursor)}Interrupted: another program ended this one.\n` +
        '  0 events delivered.\n  A batch was not taken within 10 s: the next run repeats it.\n',
    );
    expect(existsSync(cursor)).toBe(false);
  });

  test('a service in trouble is said once, and read again', async () => {
    const { trail, follow } = await prepare();
    trail.add(-MINUTE);
    let pauses = 0;
    const { code, stdout, stderr } = await untilTerminated(
      follow,
      ['--cursor', 'acme.json', '-o', 'ndjson', '--max-retries', '0'],
      (signal) => {
        pauses += 1;
        trail.onRequest = pauses < 3 ? () => new Response('{"errors":[]}', { status: 503 }) : undefined;
        trail.add(pauses * SECOND);
        if (pauses === 4) signal();
      },
    );
    expect({ code, ids: idsOf(stdout) }).toEqual({ code: 143, ids: ['event-1', 'event-2', 'event-3', 'event-4'] });
    expect(stderr.match(/The trail is read again every 60 s/g)).toHaveLength(1);
    expect(stderr).toContain(toNote('The trail can be read again.'));
  });

  test('the first reading fails as every command does', async () => {
    const { trail, follow } = await prepare();
    trail.onRequest = () => new Response('{"errors":[]}', { status: 503 });
    expect(await follow(['--cursor', 'acme.json', '--max-retries', '0'])).toMatchObject({ code: 9, stdout: '' });
  });
});

function untilAborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

describe('stdout', () => {
  /** What stdout is a file for, as a shell opens it for appending. */
  function appendTo(home: string, content: string): number {
    const path = join(home, 'archive');
    writeFileSync(path, content);
    const descriptor = openSync(path, 'a');
    onTestFinished(() => rmSync(path, { force: true }));
    return descriptor;
  }

  test.each([
    ['', 'id\r\nevent-1\r\n'],
    ['id\r\nevent-0\r\n', 'event-1\r\n'],
    ['id\r\nevent-0\r\neve', '\nevent-1\r\n'],
  ])('csv after %j has its header once, and a torn line stands alone', async (before, expected) => {
    const { trail, home, follow } = await prepare();
    trail.add(-MINUTE);
    const { code, stdout } = await follow(['--cursor', 'acme.json', '--once', '-o', 'csv', '--fields', 'id'], {
      host: { stdoutDescriptor: appendTo(home, before) },
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: expected });
  });

  test.each(['darwin', 'win32'] as const)(
    'on %s, where the file can not be read, its end is remembered',
    async (platform) => {
      const { trail, home, once } = await prepare();
      const path = join(home, 'archive');
      const descriptor = appendTo(home, 'an earlier line\n');
      const run = async () => {
        const { code, stdout } = await once([], { host: { stdoutDescriptor: descriptor, platform } });
        expect(code).toBe(0);
        return stdout;
      };
      trail.add(-3 * MINUTE);
      expect(await run()).toMatch(/^\n\{"id":"event-1".*\}\n$/);
      trail.add(-2 * MINUTE);
      expect(await run()).toMatch(/^\{"id":"event-2".*\}\n$/);
      expect(await run()).toBe('');
      appendFileSync(path, '{"id":"eve');
      trail.add(-MINUTE);
      expect(await run()).toMatch(/^\n\{"id":"event-3".*\}\n$/);
    },
  );

  test('nothing new writes nothing, after a torn line too', async () => {
    const { home, once } = await prepare();
    expect(await once(['-q'], { host: { stdoutDescriptor: appendTo(home, '{"id"') } })).toMatchObject({ stdout: '' });
  });

  test('that is closed ends a run with a cursor with 1, and the cursor stays', async () => {
    const { trail, cursor, follow } = await prepare();
    trail.add(-MINUTE);
    const { code, stderr } = await follow(['--cursor', 'acme.json', '--once'], { stdoutClosed: true });
    expect(code).toBe(1);
    expect(stderr).toContain('the reader of the events is gone');
    expect(existsSync(cursor)).toBe(false);
    expect((await follow(['--once', '--since', '1d', '-q'], { stdoutClosed: true })).code).toBe(0);
  });

  test('json is one document, and the cursor moves when it is whole', async () => {
    const { trail, follow, readCursor } = await prepare();
    const events = trail.add(-3 * MINUTE, -2 * MINUTE);
    const { stdout } = await follow(['--cursor', 'acme.json', '--once', '-o', 'json']);
    expect(stdout).toBe(`${JSON.stringify(events, null, 2)}\n`);
    expect(readCursor()).toMatchObject({ newest: { id: 'event-2' } });
    expect((await follow(['--cursor', 'acme.json', '--once', '-o', 'json'])).stdout).toBe('[]\n');
  });

  test('a terminal: the head once, and lines as they come', async () => {
    const { trail, follow } = await prepare();
    trail.add(-MINUTE);
    let pauses = 0;
    const { stdout, stderr } = await untilTerminated(
      follow,
      [],
      (signal) => {
        pauses += 1;
        if (pauses === 1) trail.add(SECOND);
        else if (pauses === 2) trail.add(2 * SECOND);
        else signal();
      },
      { tty: { stdout: true }, columns: 80, env: { NO_COLOR: '1' } },
    );
    expect(stdout).toBe(
      [
        'TIME (UTC)       ACTOR         ACTION         RESOURCE',
        'Nov 21 09:00:01  olive-owner   update         workspace/ws-2',
        'Nov 21 09:00:02  olive-owner   update         workspace/ws-3',
        '',
      ].join('\n'),
    );
    expect(stderr).toContain('Following: the trail is read every 60 s.');
  });

  test('a terminal without anything new', async () => {
    const { follow } = await prepare();
    const tty = { stdout: true, stderr: true };
    const { stdout, stderr } = await follow(['--once', '--since', '1h'], {
      tty,
      columns: 100,
      env: { NO_COLOR: '1' },
      host: { sleep: (_milliseconds, signal) => untilAborted(signal) },
    });
    expect({ stdout, stderr }).toEqual({
      stdout: '',
      stderr: "No events. The service answers the same to a token that can't read the audit trail.\nNo new events.\n",
    });
  });
});

describe('--to exec:', () => {
  /** A program that notes what it gets, and its environment, then ends with this code. */
  function createProgram(home: string, act = '') {
    const script = join(home, 'take.mjs');
    const notes = join(home, 'taken.ndjson');
    writeFileSync(
      script,
      `import { appendFileSync, readFileSync } from 'node:fs';
const ids = readFileSync(0, 'utf8').split('\\n').filter(Boolean).map((line) => JSON.parse(line).id);
appendFileSync(${JSON.stringify(notes)}, JSON.stringify({ ids, token: process.env.ORGCTL_TOKEN, PATH: process.env.PATH }) + '\\n');
${act}
`,
    );
    const taken = () =>
      existsSync(notes) ? (parseJsonLines(readFileSync(notes, 'utf8')) as { ids: string[]; token?: string }[]) : [];
    return { place: `exec:'${process.execPath}' '${script}'`, taken };
  }

  test('runs the command once for each batch, without our token', async () => {
    const { trail, home, follow, readCursor } = await prepare();
    trail.add(...Array.from({ length: 2_100 }, (_, index) => -DAY + index));
    const { place, taken } = createProgram(home, "console.log('taken by', process.env.ORGCTL_TOKEN);");
    const env = { PATH: process.env['PATH'] ?? '' };
    const result = await follow(['--cursor', 'acme.json', '--once', '--to', place, '-q'], { env });
    expect(result).toEqual({ code: 0, stdout: '', stderr: 'taken by undefined\n'.repeat(3) });
    expect(taken().map(({ ids }) => ids.length)).toEqual([1_000, 1_000, 100]);
    expect(taken().flatMap(({ ids }) => ids)).toEqual(Array.from({ length: 2_100 }, (_, n) => `event-${n + 1}`));
    expect(taken().every((note) => !('token' in note))).toBe(true);
    expect(readCursor()).toMatchObject({ newest: { id: 'event-2100' } });
  });

  test('a command that fails ends the run with 1, and the cursor stays where it was', async () => {
    const { trail, home, follow, readCursor } = await prepare();
    trail.add(...Array.from({ length: 1_500 }, (_, index) => -DAY + index));
    const { place, taken } = createProgram(home, 'if (ids.length < 1000) process.exit(7);');
    const { code, stdout, stderr } = await follow(['--cursor', 'acme.json', '--once', '--to', place, '-q']);
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: '',
      stderr: `orgctl: ${process.execPath} didn't take the events: exit code 7\n  → Fix the problem and run the same again: these events are passed to it again.\n`,
    });
    expect(readCursor()).toMatchObject({ newest: { id: 'event-1000' } });
    await follow(['--cursor', 'acme.json', '--once', '--to', createProgram(home).place, '-q']);
    expect(taken().map(({ ids }) => [ids.length, ids[0]])).toEqual([
      [1_000, 'event-1'],
      [500, 'event-1001'],
      [500, 'event-1001'],
    ]);
  });

  test.skipIf(process.platform === 'win32')('one that reads nothing and ends with 0 has taken them', async () => {
    const { trail, follow, readCursor } = await prepare();
    trail.add(...Array.from({ length: 900 }, (_, index) => -DAY + index));
    const env = { PATH: process.env['PATH'] ?? '' };
    const result = await follow(['--cursor', 'acme.json', '--once', '--to', 'exec:true', '-q'], { env });
    expect(result).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readCursor()).toMatchObject({ newest: { id: 'event-900' } });
  });

  test('a dry run says what would be passed', async () => {
    const { trail, home, follow } = await prepare();
    trail.add(-MINUTE);
    const { place, taken } = createProgram(home);
    const { code, stderr } = await follow(['--once', '--since', '1d', '--to', place, '--dry-run']);
    expect({ code, stderr, taken: taken() }).toEqual({
      code: 0,
      stderr: `Would pass 1 event to ${place}\n`,
      taken: [],
    });
  });
});

test('beside the sandbox, as its audit trail token', async () => {
  const service = await startService();
  const home = createHomeOf({});
  const argv = ['audit-trail', 'follow', '--once', '--fields', 'resource.action', '--cursor', 'acme.json'];
  expect(await service.run(argv, { as: 'audit-token', home })).toMatchObject({ code: 0, stdout: 'show\nshow\nshow\n' });
  await service.ask('POST', '/organizations/acme/organization-memberships', 'owner', {
    data: { type: 'organization-memberships', attributes: { email: 'ana@example.com' } },
  });
  expect(await service.run([...argv, '-q'], { as: 'audit-token', home })).toMatchObject({ code: 0, stderr: '' });
  expect(await run(['--sandbox', '--as', 'audit-token', ...argv.with(-1, 'sandbox.json')], { home })).toMatchObject({
    code: 0,
    stdout: 'show\nshow\nshow\n',
  });
});
