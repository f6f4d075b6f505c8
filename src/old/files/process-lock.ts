import { chmodSync, lstatSync } from 'node:fs';
import { arch, hostname, platform } from 'node:os';
import { dirname } from 'node:path';
import { type Database, loadSqlite, type OpenDatabase } from '../../lib/sqlite.ts';
import { OrgctlError, toErrorCode, toReason, UsageError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { MINUTE } from '../when.ts';
import { createPrivateFile, fillPrivateFile, makeFolder, removeQuietly } from './durable-file.ts';
import { checkWritable, isThere } from './look.ts';
import { HAS_PERMISSIONS, PRIVATE_FILE_MODE } from './permissions.ts';
import { readFile } from './read-file.ts';
import { removeLeftovers, replaceFile } from './replace-file.ts';

/**
 * One process at a time. This lock is the operating system's: it ends with its process, and is never taken from one that
 * only stands still. The lock of writers, in `write-lock.ts`, is taken from such a one.
 */

/** What is locked, and words about it. */
export interface LockPlace {
  /** The absolute path of both files, of the lock and about its holder, without their endings. */
  readonly path: string;
  /** What it locks: `a rotation`. */
  readonly what: string;
  /** Another place: begins a sentence that ends with "on a local disk", and what to do where it cannot be written. */
  readonly elsewhere: string;
  readonly yours: string;
}

export interface Holder {
  readonly pid?: number;
  readonly host: string;
  readonly since: string;
}

/** Another process has the lock. `holder` is undefined where it has written nothing about itself, or not yet. */
export class BusyError extends OrgctlError {
  readonly holder: Holder | undefined;

  constructor(
    { elsewhere }: LockPlace,
    { describe, hint = 'Wait for it with --lock-wait 5m.', now }: LockOptions,
    holder: Holder | undefined,
  ) {
    const more = holder === undefined ? '' : ` (${describeHolder(holder, now())})`;
    const lower = elsewhere.charAt(0).toLowerCase() + elsewhere.slice(1);
    super('busy', `another ${describe} is running${more}`, {
      hint: holder === undefined ? `${hint} If there is none, ${lower} on a local disk.` : hint,
    });
    this.holder = holder;
  }
}

export interface LockOptions {
  /** Milliseconds; 0 tries once. */
  readonly wait: number;
  now(): number;
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  readonly signal: AbortSignal;
  readonly unique: string;
  /** What is done under the lock, for the messages of others that find it taken: `rotation of acme`. */
  readonly describe: string;
  /** What to do where it is taken. Default: to wait with the option that rotate has. */
  readonly hint?: string;
  /** The number of this process, for the same messages. */
  readonly pid?: number;
}

const HOLDER_BYTES = 4_096;

const FIRST_PAUSE = 10;
const LONGEST_PAUSE = 250;

/**
 * Does this under the one lock of this place, whose folder is made where it is missing. The lock is the operating system's, on
 * a file that SQLite opens because Node itself has no file locks; it ends with the process, in whatever way that ends.
 *
 * Throws what `act` throws, BusyError when the lock is still taken after the wait, UsageError where there can be no lock, and
 * the signal's reason.
 */
export async function withLock<T>(place: LockPlace, options: LockOptions, act: () => Promise<T>): Promise<T> {
  options.signal.throwIfAborted();
  prepareFile(place);
  const open = loadDatabase(place);
  const database = await waitForLock(() => tryLock(open, place), place, options);
  const holder = toHolderPath(place);
  writeHolder(holder, options);
  try {
    return await act();
  } finally {
    // While it is still ours to remove.
    removeQuietly(holder);
    // The file of the lock stays: removing it would let two others in.
    closeQuietly(database);
  }
}

function toLockPath({ path }: LockPlace): string {
  return `${path}.lock`;
}

function toHolderPath({ path }: LockPlace): string {
  return `${path}.holder`;
}

/**
 * The holder in words; undefined where no one has the lock. Leaves no trace: the lock is tried only where a holder wrote
 * its name and may have been killed since.
 */
export async function findHolder(place: LockPlace, now: number): Promise<string | undefined> {
  const holder = readHolder(place);
  if (holder === undefined || !isThere(toLockPath(place))) return undefined;
  const database = tryLock(loadDatabase(place), place);
  if (database === undefined) return describeHolder(holder, now);
  closeQuietly(database);
  return undefined;
}

async function waitForLock(
  attempt: () => Database | undefined,
  place: LockPlace,
  options: LockOptions,
): Promise<Database> {
  const { wait, now, sleep, signal } = options;
  const end = now() + wait;
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    signal.throwIfAborted();
    const database = attempt();
    if (database !== undefined) return database;
    const left = end - now();
    if (left <= 0) throw new BusyError(place, options, readHolder(place));
    try {
      await sleep(Math.min(pause, left), signal);
    } catch (error) {
      // Node's timers wrap the reason in an error of their own.
      signal.throwIfAborted();
      throw error;
    }
  }
}

/**
 * Makes the file, or corrects the one that is there. It is always empty: what is in it is not ours, and SQLite would
 * read it. Emptying it could take the lock only from a holder in this very process.
 */
function prepareFile(place: LockPlace): void {
  const path = toLockPath(place);
  try {
    makeFolder(dirname(path));
    if (!makeFile(path)) correctFile(path, place);
  } catch (error) {
    throw error instanceof UsageError ? error : createUnusable(place, error);
  }
}

/** False where there is something already. It must not even be opened: closing it would drop a lock of this process. */
function makeFile(path: string): boolean {
  try {
    createPrivateFile(path, '');
    return true;
  } catch (error) {
    if (toErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

function correctFile(path: string, { what }: LockPlace): void {
  const status = lstatSync(path);
  if (!status.isFile()) {
    throw new UsageError(`${path} is not a regular file: it can't lock ${what}`, {
      hint: 'Move it away. It was not changed.',
    });
  }
  // Another user who may open it could hold the lock for ever.
  if (HAS_PERMISSIONS && (status.mode & 0o777) !== PRIVATE_FILE_MODE) chmodSync(path, PRIVATE_FILE_MODE);
  if (status.size > 0) fillPrivateFile(path, new Uint8Array());
}

function loadDatabase({ what }: LockPlace): OpenDatabase {
  try {
    return loadSqlite();
  } catch (error) {
    const [reason = ''] = toReason(error).split('\n');
    throw new UsageError(`can't load libsql, which locks ${what}, on ${platform()} ${arch()}`, {
      reasons: [reason],
      hint: 'Use Node.js 24 or newer, which needs no libsql, or install orgctl again, with optional dependencies. Nothing was sent.',
      cause: error,
    });
  }
}

function tryLock(open: OpenDatabase, place: LockPlace): Database | undefined {
  let database: Database | undefined;
  try {
    database = open(toLockPath(place), 0);
    // With a rollback journal on disk, a killed holder would leave one. An exclusive lock needs all others to have let go
    // of the file, so that two who ask at the same moment would refuse each other; an immediate one goes to the first.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN IMMEDIATE');
    // On a file it cannot write, SQLite locks without effect and without an error. This gives the error, and reaches no disk.
    database.exec('PRAGMA user_version = 1');
    return database;
  } catch (error) {
    if (database !== undefined) closeQuietly(database);
    if (toErrorCode(error).startsWith('SQLITE_BUSY')) return undefined;
    throw toLockError(place, error);
  }
}

function closeQuietly(database: Database): void {
  try {
    // Ends the transaction, and with it the lock.
    database.close();
  } catch {
    // The process's end closes it.
  }
}

/** What kept SQLite from locking this file, other than a lock on it. */
export function toLockError(place: LockPlace, error: unknown): UsageError {
  if (!/^SQLITE_(IOERR|PROTOCOL|NOLFS)/.test(toErrorCode(error))) return createUnusable(place, error);
  return new UsageError(`can't lock ${toLockPath(place)}: its file system may lack locks`, {
    reasons: [toReason(error)],
    hint: `${place.elsewhere} on a local disk. Nothing was sent.`,
    cause: error,
  });
}

/** Throws UsageError where the lock could not be taken, as taking it does; leaves nothing there. */
export function checkLockPlace(place: LockPlace): void {
  try {
    checkWritable(dirname(toLockPath(place)));
  } catch (error) {
    throw createUnusable(place, error);
  }
}

function createUnusable(place: LockPlace, error: unknown): UsageError {
  return new UsageError(`can't write ${toLockPath(place)}, which locks ${place.what}`, {
    reasons: [toReason(error)],
    hint: `Free some space, or ${place.yours}. Nothing was sent.`,
    cause: error,
  });
}

/** Notes the holder for the messages of other processes. Nothing fails without the note. */
function writeHolder(path: string, { unique, now, pid }: LockOptions): void {
  const holder: Holder = {
    ...(pid === undefined ? {} : { pid }),
    host: hostname(),
    since: new Date(now()).toISOString(),
  };
  removeLeftovers(path);
  try {
    replaceFile(path, `${JSON.stringify(holder)}\n`, unique);
  } catch {
    // No holder is better than the previous one.
    removeQuietly(path);
  }
}

/** Undefined where there is none, or it is not in our form: what it says is shown to users. */
function readHolder(place: LockPlace): Holder | undefined {
  try {
    const { bytes } = readFile(toHolderPath(place), { most: HOLDER_BYTES, whose: 'own' });
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    if (!isObject(value)) return undefined;
    const { pid, host, since } = value;
    if (typeof host !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(host)) return undefined;
    if (typeof since !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(since)) return undefined;
    if (pid === undefined) return { host, since };
    return typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0 ? { pid, host, since } : undefined;
  } catch {
    return undefined;
  }
}

/** `process 4121 on build-7, since 2 min ago` */
function describeHolder({ pid, host, since }: Holder, now: number): string {
  const minutes = Math.floor(Math.max(0, now - Date.parse(since)) / MINUTE);
  const ago = minutes < 1 ? 'moments' : minutes < 120 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`;
  return `${pid === undefined ? '' : `process ${pid} `}on ${host}, since ${ago} ago`;
}
