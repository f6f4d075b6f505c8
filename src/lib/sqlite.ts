import { builtinModules, createRequire } from 'node:module';
import type Libsql from 'libsql';

/** A boolean would crash libsql and the process. */
export type Value = string | number | null | Uint8Array;

export type Database = ReturnType<typeof openDatabase>;

const NAME = 'node:sqlite';

/**
 * Opens with Node's own SQLite if Node lists it (from version 24 on; earlier versions print a warning), else with libsql, which
 * loads slowly and has no build for some systems. `timeout`: milliseconds that a statement waits for another process's lock.
 * Throws if neither can be loaded. What `readErrorCode` returns for errors begins with `SQLITE_`.
 */
export function openDatabase(path: string, timeout: number) {
  const require = createRequire(import.meta.url);
  const isNode = builtinModules.includes(NAME);
  // The types of the oldest supported Node lack its module, which has the same methods.
  const SqliteDatabase: typeof Libsql = isNode ? require(NAME).DatabaseSync : require('libsql');
  const database = new SqliteDatabase(path, { timeout });
  let isOpen = true;
  // libsql takes a single null for a list.
  const list = (values: readonly Value[]): unknown[] => (isNode ? [...values] : [values]);
  return {
    prepare(sql: string) {
      const statement = database.prepare(sql);
      return {
        all: (values: readonly Value[]): unknown[] => statement.all(...list(values)),
        run: (values: readonly Value[]): void => void statement.run(...list(values)),
      };
    },
    exec: (script: string): void => void database.exec(script),
    close(): void {
      // Node's own throws for what is closed already.
      if (isOpen) database.close();
      isOpen = false;
    },
  };
}
