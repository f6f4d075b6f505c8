import { chmodSync, closeSync, existsSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SandboxStateError } from './input-error.ts';
import { createStore, type Store } from './rows.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from './schema.ts';
import { readHead, refuseSideFiles } from './state-head.ts';

/** The path of a state that is on no disk. */
export const MEMORY = ':memory:';

/** SQLite does not wait for some locks (switching to WAL, recovering it). So many attempts are made, so many milliseconds apart. */
const OPENING_ATTEMPTS = 1_200;
const OPENING_PAUSE = 25;

interface Preparation {
  /** Throws SandboxStateError for what lies beside the state and is not its own. */
  check(): void;
  fill(store: Store): void;
  migrate(store: Store, version: number): void;
}

/**
 * Opens the state. It is filled where it is new and migrated where it is older, once, however many processes open it at the
 * same time.
 * Throws SandboxStateError for a file that is something else, which is not changed, and for one that cannot be used.
 */
export function openStore(state: string, preparation: Preparation): Store {
  const path = state === MEMORY ? MEMORY : resolve(state);
  let store: Store | undefined;
  try {
    if (path !== MEMORY) ensureFile(path, preparation);
    store = createStore(path);
    prepareState(store, path, preparation);
    return store;
  } catch (error) {
    if (store === undefined) throw error instanceof SandboxStateError ? error : createUnusable(path, error);
    store.close();
    throw toStateError(error, path);
  }
}

function ensureFile(path: string, { check }: Preparation): void {
  const head = readHead(path);
  if (head === 'foreign') throw createNotOurs(path);
  if (head === 'new') refuseSideFiles(path);
  check();
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

/** The number is the version of an earlier state. */
type Age = 'new' | 'current' | number;

function prepareState(store: Store, path: string, { fill, migrate }: Preparation): void {
  // The age is read before anything is changed, so that a file that is not ours stays as it is.
  const age = retryWhileBusy(() => store.read(() => readAge(store, path)));
  if (path !== MEMORY) retryWhileBusy(() => switchToWal(store, age));
  store.execute('PRAGMA synchronous = NORMAL');
  if (age === 'current') return;
  // An empty file that existed before may have a wider mode.
  if (path !== MEMORY) chmodSync(path, 0o600);
  // A migration must not leave in the file what it replaces, such as the text of tokens.
  store.execute('PRAGMA secure_delete = ON');
  store.write(() => {
    // Another process may have done it while this one waited for the lock.
    const current = readAge(store, path);
    if (current === 'new') {
      fill(store);
      store.execute(`PRAGMA application_id = ${APPLICATION_ID}`);
    }
    if (typeof current === 'number') migrate(store, current);
    store.execute(`PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
  if (typeof age === 'number') store.all('PRAGMA wal_checkpoint(TRUNCATE)');
}

function readAge(store: Store, path: string): Age {
  const application = store.first<{ application_id: number }>('PRAGMA application_id')?.application_id ?? 0;
  const version = store.first<{ user_version: number }>('PRAGMA user_version')?.user_version ?? 0;
  const tables = store.count('sqlite_schema');
  if ((application === 0 || application === APPLICATION_ID) && version === 0 && tables === 0) return 'new';
  if (application !== APPLICATION_ID || version < 1) throw createNotOurs(path);
  if (version > SCHEMA_VERSION) {
    const what = `the sandbox state ${path} was written by a newer version of orgctl`;
    throw new SandboxStateError(`${what}. It was left as it is.`, 'damaged');
  }
  return version < SCHEMA_VERSION ? version : 'current';
}

function switchToWal(store: Store, age: Age): void {
  const mode = store.first<{ journal_mode: string }>('PRAGMA journal_mode')?.journal_mode;
  if (mode === 'wal') return;
  if (age === 'new') {
    // The state is marked as ours before SQLite puts a file beside it.
    store.all('PRAGMA journal_mode = MEMORY');
    store.execute(`PRAGMA application_id = ${APPLICATION_ID}`);
  }
  store.all('PRAGMA journal_mode = WAL');
}

/** What SQLite and the system say of a state, as SandboxStateError; other errors as they are. */
export function toStateError(error: unknown, path: string): unknown {
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(toCode(error))) {
    if (readHead(path) !== 'ours') return createNotOurs(path);
    return new SandboxStateError(`the sandbox state ${path} is damaged. It was left as it is.`, 'damaged');
  }
  // An error of the system or of SQLite has a code. One without is a fault of ours.
  return error instanceof SandboxStateError || toCode(error) === '' ? error : createUnusable(path, error);
}

function createNotOurs(path: string): SandboxStateError {
  const what = `${path} is not a state of the sandbox, or it is damaged`;
  return new SandboxStateError(`${what}. It was left as it is.`, 'foreign');
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
