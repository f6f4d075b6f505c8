import * as fs from 'node:fs';
import { toErrorCode } from '../errors.ts';
import { PRIVATE_FOLDER_MODE } from './permissions.ts';

/** Ends the lock. Never throws. */
export type Unlock = () => Promise<void>;

/**
 * One writer of a file at a time, for as long as a write takes. This lock is taken over from a process that stands still:
 * a write survives that, since it is atomic anyway. A rotation would not, so that its lock, in `process-lock.ts`, is another
 * one. This one needs no native package.
 */

/** Milliseconds after which a lock that its process no longer renews is taken over. */
const STALE = 10_000;
/** Tries of one round, 15 to 30 ms apart: half a second. */
const ROUND = { retries: 20, factor: 1, minTimeout: 15, maxTimeout: 60, randomize: true };
/** Longer than two dead processes take, one of which died taking over the lock of the other. */
const ROUNDS = 60;

/**
 * Keeps other callers, in whatever process, from writing a file, which need not exist yet. A folder beside it,
 * `<path>.lock`, is the lock. Waits for its turn, and throws an error with the code ELOCKED when that takes too long, or
 * what the file system says.
 */
export async function lockForWriting(path: string): Promise<Unlock> {
  const { lock } = await import('proper-lockfile');
  for (let round = 1; ; round += 1) {
    try {
      const release = await lock(path, {
        ...OPTIONS,
        stale: Number.POSITIVE_INFINITY,
        update: STALE / 2,
        retries: ROUND,
      });
      return () => release().catch(() => undefined);
    } catch (error) {
      if (!isLocked(error) || round === ROUNDS) throw error;
      await removeStale(path);
    }
  }
}

const OPTIONS = {
  // The file need not exist yet.
  realpath: false,
  // Called where another writer took the lock over: the write itself is atomic all the same.
  onCompromised: () => undefined,
  // The folder would be open to all where new ones are.
  fs: {
    ...fs,
    mkdir: (folder: string, done: (error: Error | null) => void) =>
      fs.mkdir(folder, { mode: PRIVATE_FOLDER_MODE }, done),
  },
};

/**
 * The package would take over a stale lock by itself, but two that do so at once are both let in: the second removes the
 * lock that the first has just made. Here one at a time looks again, and removes it.
 */
async function removeStale(path: string): Promise<void> {
  const { lock, check } = await import('proper-lockfile');
  const folder = `${path}.lock`;
  const isFresh = () => check(path, { ...OPTIONS, stale: STALE });
  if (await isFresh()) return;
  let release: Unlock;
  try {
    release = await lock(folder, { ...OPTIONS, stale: STALE, retries: 0 });
  } catch (error) {
    if (isLocked(error)) return;
    throw error;
  }
  try {
    const before = readTime(folder);
    // A lock that is not there counts as not fresh too, and another may be made there at any time.
    if (before !== undefined && !(await isFresh()) && readTime(folder) === before) fs.rmdirSync(folder);
  } finally {
    await release().catch(() => undefined);
  }
}

function readTime(folder: string): number | undefined {
  return fs.statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
}

function isLocked(error: unknown): boolean {
  return toErrorCode(error) === 'ELOCKED';
}
