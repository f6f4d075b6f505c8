import { builtinModules, createRequire } from 'node:module';
import type Libsql from 'libsql';

/** A boolean would crash libsql and the process. */
export type Value = string | number | null | Uint8Array;

export interface Statement {
  all(values: readonly Value[]): unknown[];
  run(values: readonly Value[]): void;
}

/** What `readErrorCode` returns for its errors begins with `SQLITE_`. */
export interface Database {
  prepare(sql: string): Statement;
  exec(script: string): void;
  close(): void;
}

const NAME = 'node:sqlite';

/**
 * Opens with Node's own SQLite if Node lists it (from version 24 on; earlier versions print a warning), else with libsql, which
 * loads slowly and has no build for some systems. `timeout`: milliseconds that a statement waits for another process's lock.
 * Throws if neither can be loaded.
 */
export function openDatabase(path: string, timeout: number): Database {
  const require = createRequire(import.meta.url);
  const isNode = builtinModules.includes(NAME);
  // The types of the oldest supported Node lack its module, which has the same methods.
  const SqliteDatabase: typeof Libsql = isNode ? require(NAME).DatabaseSync : require('libsql');
  const database = new SqliteDatabase(path, { timeout });
  let isOpen = true;
  // libsql takes a single null for a list.
  const list = (values: readonly Value[]): unknown[] => (isNode ? [...values] : [values]);
  return {
    prepare(sql) {
      const statement = database.prepare(sql);
      return {
        all: (values) => statement.all(...list(values)),
        run: (values) => void statement.run(...list(values)),
      };
    },
    exec: (script) => void database.exec(script),
    close() {
      // Node's own throws for what is closed already.
      if (isOpen) database.close();
      isOpen = false;
    },
  };
}
