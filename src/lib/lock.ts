import { closeSync, openSync } from 'node:fs';
import { OrgctlError, readErrorCode, UsageError } from './errors.ts';
import { formatFileError } from './files.ts';
import type { Runtime } from './runtime.ts';
import { SECOND } from './time.ts';

interface LockOptions {
  /** Completes "another … is running". */
  what: string;
  hint: string;
  /** Milliseconds to wait for another process. 0 tries once. */
  wait: number;
  runtime: Pick<Runtime, 'now' | 'sleep'>;
  signal: AbortSignal;
}

/**
 * Runs `act` under a lock that falls with its process, however that ends: SQLite's on an empty file, since Node has no file
 * locks. The file stays. Throws `busy`, and UsageError if there can be no lock.
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

/** Undefined if another process has it. */
async function tryLock(path: string) {
  try {
    createEmptyFile(path);
    const { loadSqlite } = await import('./sqlite.ts');
    const database = loadSqlite()(path, 0);
    try {
      // The journal stays off the disk. Without the last statement a file that can't be written would be locked without effect.
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

/** One that is there is not opened: closing it would drop a lock that this process has. */
function createEmptyFile(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600));
  } catch (error) {
    if (readErrorCode(error) !== 'EEXIST') throw error;
  }
}
