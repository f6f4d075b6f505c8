import { spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createJournal, type Journal, toLockPlace } from '../../../src/old/rotation/journal.ts';
import { createRecoveryFile, readRecoveryFile } from '../../../src/old/rotation/recovery.ts';
import { failure } from '../../support/files.ts';
import { type Lock, takeLock } from '../../support/lock.ts';

/** Recovery file, journal and lock on disks of their own, which are full, read-only, or without permissions. */

/** Runs a line of shell. True when it succeeds. */
const shell = (line: string, ...words: readonly string[]): boolean =>
  spawnSync('sh', ['-c', line, 'sh', ...words]).status === 0;
const mount = (folder: string, options: string): boolean => shell('mount -t tmpfs -o "$2" tmpfs "$1"', folder, options);
const unmount = (folder: string): boolean => shell('umount -l "$1"', folder);

/** Mounting needs root, and a system that lets root do it: not so in most containers. */
const canMount = (() => {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-mount-'));
  try {
    const isMounted = process.platform === 'linux' && mount(folder, 'size=64k');
    if (isMounted) unmount(folder);
    return isMounted;
  } finally {
    rmSync(folder, { recursive: true });
  }
})();

function createDisk(options = 'size=64k'): string {
  const folder = mkdtempSync(join(tmpdir(), 'orgctl-disk-'));
  expect(mount(folder, options)).toBe(true);
  onTestFinished(() => {
    expect(unmount(folder)).toBe(true);
    rmSync(folder, { recursive: true });
  });
  return folder;
}

function fill(disk: string): void {
  const file = openSync(join(disk, 'filler'), 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(1_024, 'x'));
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
}

function makeReadOnly(disk: string): void {
  expect(shell('mount -o remount,ro "$1"', disk)).toBe(true);
}

const openJournal = (folder: string): Journal => createJournal(folder, { unique: 'abc', user: process.getuid?.() });

async function take(folder: string): Promise<Lock> {
  const lock = await takeLock(toLockPlace(folder), {
    wait: 0,
    now: () => 0,
    sleep: () => Promise.reject(new Error('nothing is waited for')),
    signal: new AbortController().signal,
    unique: 'abc',
    describe: 'rotation of acme',
  });
  onTestFinished(() => lock.release());
  return lock;
}

const ROOM = 'Free some space, or set ORGCTL_STATE_DIR to a folder of yours. Nothing was sent.';
const NO_SPACE: unknown = expect.stringMatching(/no space is left on the device/);
const FACTS = { id: 'at-1', organization: 'acme', origin: 'https://app.terraform.io' };

describe.skipIf(!canMount)('on a full disk', () => {
  it('no recovery file can be made, and nothing is left of it', async () => {
    const disk = createDisk();
    fill(disk);
    const error = await failure(createRecoveryFile(disk, 'abc'));
    expect(error).toMatchObject({ exit: 'usage', reasons: [NO_SPACE], hint: ROOM });
    expect(readdirSync(disk)).toEqual(['filler']);
  });

  it('one that was made before holds a secret and its facts all the same', async () => {
    const disk = createDisk();
    const file = await createRecoveryFile(disk, 'abc');
    fill(disk);
    await file.keep('s3cret'.repeat(500), FACTS);
    expect(readRecoveryFile(file.path)).toMatchObject({ secret: 's3cret'.repeat(500), facts: FACTS });
  });

  it('a journal stays as it was', async () => {
    const disk = createDisk();
    const journal = openJournal(disk);
    await journal.write({});
    const before = readFileSync(journal.path, 'utf8');
    fill(disk);
    expect(await failure(journal.write({}))).toMatchObject({
      exit: 'usage',
      message: `can't write ${journal.path}, the journal of rotations`,
      reasons: [NO_SPACE],
    });
    expect(readFileSync(journal.path, 'utf8')).toBe(before);
    expect(readdirSync(disk).sort()).toEqual(['filler', 'rotation.json']);
  });

  it('a lock can be taken, although its holder cannot be written down', async () => {
    const disk = createDisk();
    writeFileSync(join(disk, 'rotation.holder'), '');
    fill(disk);
    const lock = await take(disk);
    expect(await failure(take(disk))).toMatchObject({ exit: 'busy', holder: undefined });
    expect(readdirSync(disk).sort()).toEqual(['filler', 'rotation.lock']);
    await lock.release();
  });

  it('without room for one more name there is no lock', async () => {
    const disk = createDisk('size=64k,nr_inodes=2');
    writeFileSync(join(disk, 'filler'), '');
    expect(await failure(take(disk))).toMatchObject({ exit: 'usage', reasons: [NO_SPACE], hint: ROOM });
  });
});

describe.skipIf(!canMount)('on a read-only disk', () => {
  it('nothing can be made', async () => {
    const disk = createDisk();
    makeReadOnly(disk);
    const folder = join(disk, 'new');
    const reasons = [expect.stringMatching(/its file system is read-only/)];
    expect(await failure(createRecoveryFile(folder, 'abc'))).toMatchObject({ exit: 'usage', reasons, hint: ROOM });
    expect(await failure(openJournal(folder).write({}))).toMatchObject({ exit: 'usage', reasons });
    expect(await failure(take(folder))).toMatchObject({ exit: 'usage', reasons, hint: ROOM });
    expect(readdirSync(disk)).toEqual([]);
  });

  it('what was made before is read, and cannot be changed', async () => {
    const disk = createDisk();
    const journal = openJournal(disk);
    await journal.write({});
    const file = await createRecoveryFile(disk, 'abc');
    await file.keep('s3cret', FACTS);
    await (await take(disk)).release();
    makeReadOnly(disk);
    expect(journal.read()).toEqual({});
    expect(readRecoveryFile(file.path)?.secret).toBe('s3cret');
    expect(await failure(journal.write({}))).toMatchObject({ exit: 'usage' });
    expect(await failure(file.discard())).toMatchObject({ code: 'EROFS' });
    expect(await failure(take(disk))).toMatchObject({
      exit: 'usage',
      message: `can't write ${join(disk, 'rotation.lock')}, which locks a rotation`,
      reasons: ['attempt to write a readonly database'],
      hint: ROOM,
    });
    expect(readdirSync(disk).sort()).toEqual(['rotation.json', 'rotation.lock', 'undelivered-token-abc']);
  });
});
