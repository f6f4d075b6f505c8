import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { formatReason, readErrorCode } from '../lib/errors.ts';
import { createFolder } from '../lib/folders.ts';
import { SandboxStateError } from './errors.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from './schema.ts';
import { createStore, type Store } from './store.ts';

const MEMORY = ':memory:';

/** A new state is filled once, however many processes open it at the same time. Throws SandboxStateError. */
export function openState(state: string, fill: (store: Store) => void): Store {
  const path = state === MEMORY ? MEMORY : resolve(state);
  let store: Store | undefined;
  try {
    if (path !== MEMORY) ensureFile(path);
    store = createStore(path);
    prepareState(store, path, fill);
    return store;
  } catch (error) {
    store?.close();
    throw store === undefined ? createUnusable(path, error) : createStateError(error, path);
  }
}

function ensureFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) throw new Error('It is not a file.');
  createFolder(dirname(path));
  // SQLite gives its companion files the mode of this one.
  closeSync(openSync(path, 'a', 0o600));
}

function prepareState(store: Store, path: string, fill: (store: Store) => void): void {
  // It is read before anything is changed, so that a file that is not ours stays as it is.
  const isNew = retryWhileBusy(() => store.read(() => isEmpty(store, path)));
  if (path !== MEMORY) retryWhileBusy(() => store.all('PRAGMA journal_mode = WAL'));
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
  const application = store.first<{ application_id: number }>('PRAGMA application_id')?.application_id;
  const version = store.first<{ user_version: number }>('PRAGMA user_version')?.user_version;
  if (application === 0 && version === 0 && store.count('sqlite_schema') === 0) return true;
  if (application !== APPLICATION_ID) throw createDamaged(path);
  if (version === SCHEMA_VERSION) return false;
  const message = `the sandbox state ${path} was made by another version of orgctl. It was left as it is.`;
  throw new SandboxStateError(message, 'outdated');
}

/** An error of SQLite or of the system as SandboxStateError. They have a code; an error without one is a fault of ours. */
export function createStateError(error: unknown, path: string): unknown {
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(readErrorCode(error))) return createDamaged(path);
  return error instanceof SandboxStateError || readErrorCode(error) === '' ? error : createUnusable(path, error);
}

function createDamaged(path: string): SandboxStateError {
  const message = `${path} is not a state of the sandbox, or it is damaged. It was left as it is.`;
  return new SandboxStateError(message, 'damaged');
}

function createUnusable(path: string, error: unknown): SandboxStateError {
  return new SandboxStateError(`the sandbox state ${path} cannot be used`, 'unusable', [formatReason(error)], error);
}

/** SQLite does not wait for some locks (switching to WAL, recovering it). Tries for half a minute. */
function retryWhileBusy<Result>(work: () => Result): Result {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error) || attempt === 1_200) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
    }
  }
}

export function isBusy(error: unknown): boolean {
  return /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(readErrorCode(error));
}

export function isFull(error: unknown): error is Error {
  return /^(SQLITE_(FULL|IOERR)|ENOSPC|EDQUOT|EFBIG)/.test(readErrorCode(error));
}

export type Companions = ReturnType<typeof createCompanions>;

/** Files that lie beside the state. Those of a state in memory lie in a private folder, which is removed at the end. */
export function createCompanions(state: string) {
  let folder: string | undefined;
  return {
    find(ending: string): string {
      if (state !== MEMORY) return `${resolve(state)}${ending}`;
      folder ??= mkdtempSync(join(tmpdir(), 'orgctl-sandbox-'));
      return join(folder, `sandbox${ending}`);
    },
    close(): void {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}
