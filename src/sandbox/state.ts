import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { formatReason, readErrorCode, UsageError } from '../lib/errors.ts';
import { APPLICATION_ID, SCHEMA_VERSION } from './schema.ts';
import { Store } from './store.ts';

const MEMORY = ':memory:';

/** Fills a new state once, however many processes open it at the same time. Throws UsageError. */
export function openState(state: string, fill: (store: Store) => void): Store {
  const path = state === MEMORY ? MEMORY : resolve(state);
  let store: Store | undefined;
  try {
    if (path !== MEMORY) {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      // SQLite gives its sidecar files the mode of this file.
      closeSync(openSync(path, 'a', 0o600));
    }
    store = new Store(path);
    prepareState(store, path, fill);
    return store;
  } catch (error) {
    store?.close();
    throw createStateError(error, path);
  }
}

function prepareState(store: Store, path: string, fill: (store: Store) => void): void {
  // Reads come before any change, so that a file of another program stays as it is.
  const isNew = retryWhileBusy(() => store.read(() => isEmpty(store, path)));
  if (path !== MEMORY) retryWhileBusy(() => store.all('PRAGMA journal_mode = WAL'));
  store.execute('PRAGMA synchronous = NORMAL');
  if (!isNew) return;
  // An empty file may have existed before, with a wider mode.
  if (path !== MEMORY) chmodSync(path, 0o600);
  store.write(() => {
    // Another process may have filled the state while this one waited for the lock.
    if (!isEmpty(store, path)) return;
    fill(store);
    store.execute(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`);
  });
}

function isEmpty(store: Store, path: string): boolean {
  const application = store.first<{ application_id: number }>('PRAGMA application_id')?.application_id;
  const version = store.first<{ user_version: number }>('PRAGMA user_version')?.user_version;
  if (application === 0 && version === 0 && store.count('sqlite_schema') === 0) return true;
  if (application !== APPLICATION_ID) throw createDamagedError(path);
  if (version === SCHEMA_VERSION) return false;
  const message = `the sandbox state ${path} was written by another version of orgctl. It was not changed.`;
  throw new UsageError(message, { code: 'outdated' });
}

/** Wraps errors of SQLite and the system, which have a code. An error without a code is a bug. */
export function createStateError(error: unknown, path: string): unknown {
  if (/^SQLITE_(NOTADB|CORRUPT)/.test(readErrorCode(error))) return createDamagedError(path);
  if (error instanceof UsageError || readErrorCode(error) === '') return error;
  return new UsageError(`the sandbox state ${path} cannot be used`, {
    code: 'unusable',
    reasons: [formatReason(error)],
    hint: 'It must be a writable file on a disk with free space. It was not changed.',
    cause: error,
  });
}

function createDamagedError(path: string): UsageError {
  const message = `${path} is not a state of the sandbox, or it is damaged. It was not changed.`;
  return new UsageError(message, { code: 'damaged' });
}

/** SQLite does not wait for some locks (switching to WAL, recovering it). Gives up after half a minute. */
function retryWhileBusy<Result>(work: () => Result): Result {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return work();
    } catch (error) {
      const isBusy = /^SQLITE_(BUSY|LOCKED|PROTOCOL)/.test(readErrorCode(error));
      if (!isBusy || attempt === 1_200) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 25);
    }
  }
}
