import { closeSync, openSync } from 'node:fs';
import { OrgctlError, readErrorCode, UsageError } from './errors.ts';
import { formatFileError } from './files.ts';
import type { Runtime } from './runtime.ts';
import { SECOND } from './time.ts';

interface LockOptions {
  /** Completes "another … is running". */
  what: string;
  hint: string;
  /** Milliseconds to wait for another process. */
  wait: number;
  runtime: Pick<Runtime, 'now' | 'sleep'>;
  signal: AbortSignal;
}

/**
 * Uses SQLite's lock on an empty file, since Node has no file locks. The system releases the lock when the process ends; the
 * file stays. Throws `busy`, and UsageError if the file can't be locked.
 */
export async function withLock<T>(path: string, options: LockOptions, act: () => Promise<T>): Promise<T> {
  const { what, hint, wait, runtime, signal } = options;
  const end = runtime.now() + wait;
  let database = await tryLock(path);
  while (!database) {
    if (runtime.now() >= end) throw new OrgctlError('busy', `another ${what} is running`, { hint });
    await runtime.sleep(SECOND, signal);
    database = await tryLock(path);
  }
  try {
    return await act();
  } finally {
    database.close();
  }
}

/** Undefined if another process has the lock. */
async function tryLock(path: string) {
  try {
    createEmptyFile(path);
    const { loadSqlite } = await import('./sqlite.ts');
    const database = loadSqlite()(path, 0);
    try {
      // The journal stays in memory. The last statement fails for a file that can't be written, which a lock would not protect.
      database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE; PRAGMA user_version = 1');
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    if (readErrorCode(error).startsWith('SQLITE_BUSY')) return undefined;
    throw new UsageError(`can't lock ${path}: ${formatFileError(error)}`, { cause: error });
  }
}

/** Does not open an existing file, since closing it would release a lock of this process. */
function createEmptyFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error;
  }
}
