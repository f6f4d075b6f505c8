import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { withLock } from '../../src/lib/lock.ts';
import { createFolder } from '../support/files.ts';

const { signal } = new AbortController();

test('a lock is taken once, waited for as long as asked, and free afterwards', async () => {
  const path = join(createFolder(), 'lock');
  let now = 0;
  let whileWaiting = async (): Promise<void> => undefined;
  const runtime = {
    now: () => now,
    async sleep(milliseconds: number): Promise<void> {
      now += milliseconds;
      await whileWaiting();
    },
  };
  const lock = <T>(wait: number, act: () => Promise<T>) =>
    withLock(path, { what: 'rotation', hint: 'Wait.', wait, runtime, signal }, act);
  const second = await lock(0, async () => {
    await expect(lock(0, async () => 1)).rejects.toMatchObject({
      exit: 'busy',
      message: 'another rotation is running',
    });
    await expect(lock(5_000, async () => 1)).rejects.toMatchObject({ exit: 'busy' });
    expect(now).toBe(5_000);
    let waiting: Promise<string> | undefined;
    await new Promise<void>((wakeUp) => {
      whileWaiting = async () => wakeUp();
      waiting = lock(5_000, async () => 'then');
    });
    return { waiting };
  });
  expect(await second.waiting).toBe('then');
  if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("a lock that can't be created is a usage error", async () => {
  const options = {
    what: 'rotation',
    hint: '',
    wait: 0,
    runtime: { now: Date.now, sleep: async () => undefined },
    signal,
  };
  const path = join(createFolder(), 'nowhere', 'lock');
  await expect(withLock(path, options, async () => 1)).rejects.toThrow(`can't lock ${path}: it doesn't exist`);
});
