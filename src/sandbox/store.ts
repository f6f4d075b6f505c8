import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SandboxStateError } from './input-error.ts';
import { createStore, type Store } from './rows.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from './schema.ts';

/** The path of a state that is on no disk. */
export const MEMORY = ':memory:';

/** SQLite does not wait for some locks (switching to WAL, recovering it). So many attempts are made, so many milliseconds apart. */
const OPENING_ATTEMPTS = 1_200;
const OPENING_PAUSE = 25;

/**
 * Opens the state. It is filled where it is new, once, however many processes open it at the same time.
 * Throws SandboxStateError for a file that is something else or of another version, which is not changed, and for one that
 * cannot be used.
 */
export function openStore(state: string, fill: (store: Store) => void): Store {
  const path = state === MEMORY ? MEMORY : resolve(state);
  let store: Store | undefined;
  try {
    if (path !== MEMORY) ensureFile(path);
    store = createStore(path);
    prepareState(store, path, fill);
    return store;
  } catch (error) {
    if (store === undefined) throw createUnusable(path, error);
    store.close();
    throw toStateError(error, path);
  }
}

function ensureFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('It is not a file.');
  createFolder(dirname(path));
  // SQLite gives its companion files the mode of this one.
  closeSync(openSync(path, 'a', 0o600));
}

// Node's own way of making all folders of a path never ends where a new one is answered with "not found", as in /proc.
function createFolder(folder: string): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) createFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (toCode(error) !== 'EEXIST') throw error;
  }
}

function prepareState(store: Store, path: string, fill: (store: Store) => void): void {
  // It is read before anything is changed, so that a file that is not ours stays as it is.
  const isNew = retryWhileBusy(() => store.read(() => isEmpty(store, path)));
  if (path !== MEMORY) retryWhileBusy(() => switchToWal(store));
  store.execute('PRAGMA synchronous = NORMAL');
  if (!isNew) return;
  // An empty file that existed before may have a wider mode.
  if (path !== MEMORY) chmodSync(path, 0o600);
  store.write(() => {
    // Another process may have done it while this one waited for the lock.
    if (!isEmpty(store, path)) return;
    fill(store);
    store.execute(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

function isEmpty(store: Store, path: string): boolean {
  const application = store.first<{ application_id: number }>('PRAGMA application_id')?.application_id ?? 0;
  const version = store.first<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  if (application === 0 && version === 0 && store.count('sqlite_schema') === 0) return true;
  if (application !== APPLICATION_ID) throw createDamaged(path);
  if (version === SCHEMA_VERSION) return false;
  const what = `the sandbox state ${path} was made by another version of orgctl`;
  throw new SandboxStateError(`${what}. It was left as it is.`, 'outdated');
}

function switchToWal(store: Store): void {
  const mode = store.first<{ journal_mode: string }>('PRAGMA journal_mode')?.journal_mode;
  if (mode !== 'wal') store.all('PRAGMA journal_mode = WAL');
}

/** What SQLite and the system say of a state, as SandboxStateError; other errors as they are. */
export function toStateError(error: unknown, path: string): unknown {
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(toCode(error))) return createDamaged(path);
  // An error of the system or of SQLite has a code. One without is a fault of ours.
  return error instanceof SandboxStateError || toCode(error) === '' ? error : createUnusable(path, error);
}

function createDamaged(path: string): SandboxStateError {
  const what = `${path} is not a state of the sandbox, or it is damaged`;
  return new SandboxStateError(`${what}. It was left as it is.`, 'damaged');
}

function createUnusable(path: string, error: unknown): SandboxStateError {
  const reason = error instanceof Error ? error.message : String(error);
  return new SandboxStateError(`the sandbox state ${path} cannot be used`, 'unusable', [reason], error);
}

function retryWhileBusy<Result>(work: () => Result): Result {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || attempt === OPENING_ATTEMPTS) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OPENING_PAUSE);
    }
  }
}

export function isUnstorable(error: unknown): error is Error {
  return /^SQLITE_(FULL|IOERR)/.test(toCode(error));
}

/** Whether a file could not be written for want of room. */
export function isFull(error: unknown): error is Error {
  return ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(toCode(error));
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(toCode(error));
}

function toCode(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return typeof code === 'string' ? code : '';
}
