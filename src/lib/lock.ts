import { closeSync, existsSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { OrgctlError, readErrorCode, UsageError } from './errors.ts';
import { findRealPath, formatFileError } from './files.ts';
import { makePrivateFolder } from './own-files.ts';
import type { Runtime } from './runtime.ts';
import type { Database } from './sqlite.ts';
import { SECOND } from './time.ts';

export interface LockOptions {
  /** Completes "another … is running". */
  what: string;
  hint: string;
  /** Milliseconds to wait for another process. */
  wait: number;
  runtime: Pick<Runtime, 'now' | 'sleep'>;
  signal: AbortSignal;
}

const POLL_INTERVAL = SECOND / 10;
const FILE_WAIT = 10 * SECOND;

/**
 * Runs `act`, which reads and writes the file at `path`, while no other run of this user does. Whichever links lead to the file,
 * the lock is the same. Throws `busy` after 10 seconds, and UsageError.
 */
export async function withFileLock<T>(
  stateFolder: string,
  path: string,
  options: Pick<LockOptions, 'runtime' | 'signal'>,
  act: () => T | Promise<T>,
): Promise<T> {
  const folder = join(stateFolder, 'locks');
  makePrivateFolder(folder);
  const { createHash } = await import('node:crypto');
  const name = createHash('sha256').update(findRealPath(path)).digest('hex').slice(0, 32);
  const all = { ...options, what: `command that writes ${path}`, hint: 'Run it again later.', wait: FILE_WAIT };
  return withLock(join(folder, `${name}.lock`), all, async () => act());
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
    await runtime.sleep(POLL_INTERVAL, signal);
    database = await tryLock(path);
  }
  try {
    return await act();
  } finally {
    database.close();
  }
}

async function tryLock(path: string): Promise<Database | undefined> {
  let database: Database | undefined;
  try {
    // Closing a file that is there already would release a lock of this process.
    if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600));
    const { openDatabase } = await import('./sqlite.ts');
    database = openDatabase(path, 0);
    // The journal stays in memory. The last statement fails for a file that can't be written, which a lock would not protect.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE; PRAGMA user_version = 1');
    return database;
  } catch (error) {
    database?.close();
    if (readErrorCode(error).startsWith('SQLITE_BUSY')) return undefined;
    throw new UsageError(`can't lock ${path}: ${formatFileError(error)}`, { cause: error });
  }
}
