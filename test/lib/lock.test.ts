import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withFileLock, withLock } from '../../src/lib/lock.ts';
import { createFolder } from '../support/files.ts';

const { signal } = new AbortController();

/** A machine whose clock moves only while something waits. */
function createMachine() {
  const machine = {
    time: 0,
    now: () => machine.time,
    async sleep(milliseconds: number): Promise<void> {
      machine.time += milliseconds;
      await setImmediate();
    },
  };
  return machine;
}

test('a lock is taken once, waited for as long as asked, and free afterwards', async () => {
  const path = join(createFolder(), 'lock');
  const runtime = createMachine();
  const lock = <T>(wait: number, act: () => Promise<T>) =>
    withLock(path, { what: 'rotation', hint: 'Wait.', wait, runtime, signal }, act);
  const { waiting } = await lock(0, async () => {
    const busy = { exit: 'busy', message: 'another rotation is running' };
    await expect(lock(0, async () => 1)).rejects.toMatchObject(busy);
    await expect(lock(5_000, async () => 1)).rejects.toMatchObject(busy);
    expect(runtime.time).toBe(5_000);
    const next = lock(5_000, async () => 'then');
    while (runtime.time === 5_000) await setImmediate();
    return { waiting: next };
  });
  expect(await waiting).toBe('then');
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a lock that can't be created is a usage error", async () => {
  const path = join(createFolder(), 'nowhere', 'lock');
  const options = { what: 'rotation', hint: '', wait: 0, runtime: createMachine(), signal };
  await expect(withLock(path, options, async () => 1)).rejects.toThrow(`can't lock ${path}: it doesn't exist`);
});

test('runs that change one file take turns, whichever path each of them has', async () => {
  const folder = createFolder();
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'));
  symlinkSync(join(folder, 'real', 'file'), join(folder, 'alias'));
  const path = join(folder, 'real', 'file');
  writeFileSync(path, '');
  const runtime = { ...createMachine(), now: () => 0 };
  const add = (name: string) =>
    withFileLock(join(folder, 'state'), name, { runtime, signal }, async () => {
      const text = readFileSync(path, 'utf8');
      await setImmediate();
      writeFileSync(path, `${text}x`);
    });
  const names = ['real/file', 'link/file', 'alias', 'real/../link/file'].map((name) => join(folder, name));
  await Promise.all([...names, ...names].map(add));
  expect(readFileSync(path, 'utf8')).toBe('x'.repeat(8));
});

test('a file that another run keeps is busy after 10 seconds', async () => {
  const path = join(createFolder(), 'not-there-yet');
  const runtime = createMachine();
  const lock = (act: () => Promise<unknown>) => withFileLock(join(path, '..', 'state'), path, { runtime, signal }, act);
  await lock(() => expect(lock(async () => 1)).rejects.toMatchObject({ exit: 'busy' }));
  expect(runtime.time).toBe(10_000);
});
