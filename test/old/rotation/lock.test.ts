import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, test } from 'vitest';
import { UsageError } from '../../../src/old/errors.ts';
import { BusyError, type LockOptions, toLockError } from '../../../src/old/files/process-lock.ts';
import { toLockPlace } from '../../../src/old/rotation/journal.ts';
import { createFolder, failure, makePipe, permissions } from '../../support/files.ts';
import { type Lock, takeLock } from '../../support/lock.ts';
import { openDatabase } from '../../support/sqlite.ts';
import { listWords } from '../../support/text.ts';

const NOW = Date.UTC(2026, 4, 1, 12);
const SINCE = '2026-05-01T12:00:00.000Z';
const IS_WINDOWS = process.platform === 'win32';

/** Time passes only while the lock is waited for. */
function createTime(): Pick<LockOptions, 'now' | 'sleep'> & { readonly pauses: number[] } {
  const pauses: number[] = [];
  let now = NOW;
  return {
    pauses,
    now: () => now,
    async sleep(milliseconds) {
      pauses.push(milliseconds);
      now += milliseconds;
    },
  };
}

async function take(directory: string, options: Partial<LockOptions> = {}): Promise<Lock> {
  const lock = await takeLock(toLockPlace(directory), {
    wait: 0,
    ...createTime(),
    signal: new AbortController().signal,
    unique: 'abc123',
    describe: 'rotation of acme',
    ...options,
  });
  onTestFinished(() => lock.release());
  return lock;
}

describe('a lock', () => {
  it('is a file that stays empty, with another one about its holder, both for their owner alone', async () => {
    const folder = join(createFolder(), 'new', 'folder');
    const lock = await take(folder, { pid: 123 });
    expect(readdirSync(folder).sort()).toEqual(['rotation.holder', 'rotation.lock']);
    expect(statSync(join(folder, 'rotation.lock')).size).toBe(0);
    const holder = { pid: 123, host: hostname(), since: SINCE };
    expect(JSON.parse(readFileSync(join(folder, 'rotation.holder'), 'utf8'))).toEqual(holder);
    if (!IS_WINDOWS) {
      expect(permissions(folder)).toBe(0o700);
      expect(permissions(join(folder, '..'))).toBe(0o700);
      for (const name of readdirSync(folder)) expect(permissions(join(folder, name))).toBe(0o600);
    }
    await lock.release();
    expect(readdirSync(folder)).toEqual(['rotation.lock']);
  });

  it('can be taken again once it was released, also twice', async () => {
    const folder = createFolder();
    const first = await take(folder);
    await first.release();
    await first.release();
    const second = await take(folder);
    await first.release();
    expect(await failure(take(folder))).toMatchObject({ exit: 'busy', holder: { since: SINCE } });
    await second.release();
    await take(folder);
  });

  it.skipIf(IS_WINDOWS)('is released silently where its folder is gone', async () => {
    const folder = join(createFolder(), 'folder');
    const lock = await take(folder);
    rmSync(folder, { recursive: true });
    await lock.release();
    expect(existsSync(folder)).toBe(false);
  });

  it('is one for each folder', async () => {
    const folder = createFolder();
    await take(join(folder, 'acme'));
    await take(join(folder, 'globex'));
  });

  it('removes what a killed run left of writing about itself, and nothing else', async () => {
    const folder = createFolder();
    for (const name of ['.rotation.holder.orgctl-0f', '.rotation.json.orgctl-0f', 'undelivered-token-0f'])
      writeFileSync(join(folder, name), 'old');
    await take(folder);
    const left = ['.rotation.json.orgctl-0f', 'rotation.holder', 'rotation.lock', 'undelivered-token-0f'];
    expect(readdirSync(folder).sort()).toEqual(left);
  });

  it.each([
    // What is to become the file about the holder cannot be made.
    ['.rotation.holder.orgctl-abc123', 'names no holder rather than the one before'],
    ['rotation.holder', 'is held even where its holder cannot be written down'],
  ])('with a folder in place of %s, %s', async (name) => {
    const folder = createFolder();
    mkdirSync(join(folder, name));
    if (name !== 'rotation.holder')
      writeFileSync(join(folder, 'rotation.holder'), JSON.stringify({ host: 'before', since: SINCE }));
    await take(folder);
    expect(await failure(take(folder))).toMatchObject({ exit: 'busy', holder: undefined });
  });

  it.runIf(process.platform === 'linux')('leaves no file open, had or not', async () => {
    const folder = createFolder();
    const count = (): number =>
      readdirSync('/proc/self/fd').filter((name) => {
        try {
          return readlinkSync(join('/proc/self/fd', name)).startsWith(folder);
        } catch {
          return false;
        }
      }).length;
    writeFileSync(join(folder, 'rotation.lock'), 'not empty', { mode: 0o600 });
    const lock = await take(folder);
    const held = count();
    for (let attempt = 0; attempt < 3; attempt += 1) await failure(take(folder));
    // SQLite keeps one for later: closing it would drop the lock of this very process.
    expect(count()).toBeLessThanOrEqual(held + 1);
    await lock.release();
    expect(count()).toBe(0);
  });

  it('is not refused because of others that only look whether it is free, and they do not get it', async () => {
    const folder = createFolder();
    const path = join(folder, 'rotation.lock');
    writeFileSync(path, '');
    const others = [openDatabase(path, 0), openDatabase(path, 0)];
    onTestFinished(() => others.forEach((other) => void other.close()));
    // Each has the file open for reading, as everybody has on the way to the lock.
    for (const other of others) other.exec('PRAGMA journal_mode = MEMORY; BEGIN; SELECT * FROM sqlite_schema');
    await take(folder);
    for (const other of others) expect(() => other.exec('PRAGMA user_version = 1')).toThrow('locked');
  });
});

describe('a lock that is taken', () => {
  const writeHolder = (folder: string, text: string): void => writeFileSync(join(folder, 'rotation.holder'), text);

  it('is exit 14, with its holder and since when', async () => {
    const folder = createFolder();
    await take(folder, { pid: 123 });
    const holder = { pid: 123, host: 'build-7', since: SINCE };
    writeHolder(folder, JSON.stringify(holder));
    expect(await failure(take(folder))).toMatchObject({
      exit: 'busy',
      code: 'busy',
      message: 'another rotation of acme is running (process 123 on build-7, since moments ago)',
      hint: 'Wait for it with --lock-wait 5m.',
      holder,
    });
  });

  it('names the machine where the process is not known', async () => {
    const folder = createFolder();
    await take(folder);
    writeHolder(folder, JSON.stringify({ host: 'build-7', since: SINCE, more: true }));
    expect(await failure(take(folder))).toMatchObject({
      message: 'another rotation of acme is running (on build-7, since moments ago)',
    });
  });

  it.each<[name: string, text: string]>([
    ['is empty', ''],
    ['is no JSON', '{'],
    ['is a list', '[]'],
    ['has another type of number', `{"pid":"1","host":"a","since":"${SINCE}"}`],
    ['has no possible process', `{"pid":-1,"host":"a","since":"${SINCE}"}`],
    ['has the number of no process', `{"pid":0,"host":"a","since":"${SINCE}"}`],
    ['has a name that would move the cursor', `{"pid":1,"host":"a\\u001b[2J","since":"${SINCE}"}`],
    ['has a name that never ends', `{"pid":1,"host":"${'a'.repeat(300)}","since":"${SINCE}"}`],
    ['has a name that is no text', `{"pid":1,"host":7,"since":"${SINCE}"}`],
    ['has a time that is no text', `{"pid":1,"host":"a","since":["${SINCE}"]}`],
    ['has something before its time', `{"pid":1,"host":"a","since":"\\u001b[2J${SINCE}"}`],
    ['has something behind its time', `{"pid":1,"host":"a","since":"${SINCE}\\u001b[2J"}`],
    ['has no time', '{"pid":1,"host":"a","since":"yesterday\\n"}'],
    ['is long', JSON.stringify({ pid: 1, host: 'a', since: SINCE, more: 'x'.repeat(5_000) })],
  ])('has an unknown holder where the file about it %s', async (_name, text) => {
    const folder = createFolder();
    await take(folder);
    writeHolder(folder, text);
    expect(await failure(take(folder))).toMatchObject({
      exit: 'busy',
      message: 'another rotation of acme is running',
      hint: 'Wait for it with --lock-wait 5m. If there is none, set ORGCTL_STATE_DIR to a folder on a local disk.',
      holder: undefined,
    });
  });

  it('is tried again with growing pauses, and for the last time at the end of the wait', async () => {
    const folder = createFolder();
    await take(folder);
    const time = createTime();
    expect(await failure(take(folder, { wait: 1_000, ...time }))).toBeInstanceOf(BusyError);
    expect(time.pauses).toEqual([10, 20, 40, 80, 160, 250, 250, 190]);
    expect(time.now()).toBe(NOW + 1_000);
  });

  it('can be taken at the very end of the wait', async () => {
    const folder = createFolder();
    const first = await take(folder);
    const time = createTime();
    await take(folder, {
      wait: 100,
      now: time.now,
      async sleep(milliseconds) {
        await time.sleep(milliseconds);
        if (time.now() === NOW + 100) await first.release();
      },
    });
    expect(time.pauses).toEqual([10, 20, 40, 30]);
  });

  it.each(['the reason itself', 'an error around it'])('is no longer waited for after a signal: %s', async (way) => {
    const folder = createFolder();
    await take(folder);
    const stop = new AbortController();
    const reason = new Error('told to stop');
    const sleep = async (): Promise<void> => {
      stop.abort(reason);
      throw way === 'the reason itself' ? reason : new DOMException('The operation was aborted', 'AbortError');
    };
    expect(await failure(take(folder, { wait: 60_000, sleep, signal: stop.signal }))).toBe(reason);
  });

  it('is not even tried when a signal came before', async () => {
    const folder = join(createFolder(), 'new');
    const reason = new Error('told to stop');
    expect(await failure(take(folder, { signal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(existsSync(folder)).toBe(false);
  });

  it('passes on an error of the clock', async () => {
    const folder = createFolder();
    await take(folder);
    const fault = new Error('no timers');
    expect(await failure(take(folder, { wait: 10, sleep: () => Promise.reject(fault) }))).toBe(fault);
  });
});

describe('what is there already', () => {
  it('may be any file: what is in it does not matter', async () => {
    const folder = createFolder();
    const path = join(folder, 'rotation.lock');
    const header = [...Buffer.from('SQLite format 3\0')];
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 5_000 }),
      fc.uint8Array({ minLength: 100, maxLength: 5_000 }).map((rest) => Uint8Array.from([...header, ...rest])),
    );
    await fc.assert(
      fc.asyncProperty(bytes, bytes, async (content, journal) => {
        writeFileSync(path, content);
        writeFileSync(`${path}-journal`, journal);
        const lock = await take(folder);
        expect(await failure(take(folder))).toBeInstanceOf(BusyError);
        await lock.release();
        expect(statSync(path).size).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  it('may be a database, in WAL mode even', async () => {
    const folder = createFolder();
    const path = join(folder, 'rotation.lock');
    const database = openDatabase(path);
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE a (b); INSERT INTO a VALUES (1)');
    database.close();
    await take(folder);
    expect(await failure(take(folder))).toBeInstanceOf(BusyError);
  });

  it.skipIf(IS_WINDOWS).each(['666', '400'])("becomes its owner's alone, and writable: mode %s", async (mode) => {
    const folder = createFolder();
    const path = join(folder, 'rotation.lock');
    writeFileSync(path, '');
    chmodSync(path, mode);
    await take(folder);
    expect(await failure(take(folder))).toBeInstanceOf(BusyError);
    expect(permissions(path)).toBe(0o600);
  });

  it.skipIf(IS_WINDOWS).each<[name: string, make: (path: string, folder: string) => void]>([
    ['a folder', (path) => mkdirSync(path)],
    ['a pipe', (path) => makePipe(path)],
    ['a link', (path, folder) => symlinkSync(join(folder, 'precious'), path)],
    ['a link to nowhere', (path, folder) => symlinkSync(join(folder, 'nowhere'), path)],
  ])('cannot be %s, which is left as it is', async (_name, make) => {
    const folder = createFolder();
    const path = join(folder, 'rotation.lock');
    writeFileSync(join(folder, 'precious'), 'content');
    make(path, folder);
    const before = readdirSync(folder);
    expect(await failure(take(folder))).toMatchObject({
      exit: 'usage',
      message: `${path} is not a regular file: it can't lock a rotation`,
      hint: 'Move it away. It was not changed.',
    });
    expect(readdirSync(folder)).toEqual(before);
    expect(readFileSync(join(folder, 'precious'), 'utf8')).toBe('content');
  });
});

describe('no lock, exit 2', () => {
  const hint = 'Free some space, or set ORGCTL_STATE_DIR to a folder of yours. Nothing was sent.';

  it('below a file', async () => {
    const folder = createFolder();
    writeFileSync(join(folder, 'file'), '');
    const error = await failure(take(join(folder, 'file', 'below')));
    expect(error).toBeInstanceOf(UsageError);
    expect(error).toMatchObject({
      message: `can't write ${join(folder, 'file', 'below', 'rotation.lock')}, which locks a rotation`,
      reasons: [expect.stringMatching(/^can't create the folder /)],
      hint,
    });
    expect(readdirSync(folder)).toEqual(['file']);
  });

  // Root may write everywhere; for it there is a read-only disk in another test.
  it.skipIf(IS_WINDOWS || process.getuid?.() === 0)('in a folder one may not write to', async () => {
    const folder = createFolder();
    chmodSync(folder, 0o500);
    expect(await failure(take(folder))).toMatchObject({
      exit: 'usage',
      reasons: [expect.stringMatching(/^you don't have permission/)],
      hint,
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  const NO_LOCKS = {
    message: "can't lock /state/rotation.lock: its file system may lack locks",
    hint: 'Set ORGCTL_STATE_DIR to a folder on a local disk. Nothing was sent.',
  };
  const NO_PLACE = {
    message: "can't write /state/rotation.lock, which locks a rotation",
    hint,
  };
  test.each([
    ...listWords('SQLITE_IOERR SQLITE_IOERR_LOCK SQLITE_IOERR_RDLOCK SQLITE_PROTOCOL SQLITE_NOLFS').map(
      (code) => [code, NO_LOCKS] as const,
    ),
    ...listWords('SQLITE_READONLY SQLITE_CANTOPEN SQLITE_FULL SQLITE_PERM').map((code) => [code, NO_PLACE] as const),
  ])('where SQLite says %s', (code, expected) => {
    const cause = Object.assign(new Error('it cannot'), { code });
    expect(toLockError(toLockPlace('/state'), cause)).toMatchObject({
      exit: 'usage',
      reasons: ['it cannot'],
      ...expected,
    });
  });
});
