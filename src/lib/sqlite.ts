import { builtinModules, createRequire } from 'node:module';
import type Libsql from 'libsql';

/**
 * SQLite of Node if Node lists it among its modules (from version 24 on; earlier versions warn of it), else libsql, which
 * takes half the time of a start to load and has no build for some systems.
 */

/** Booleans are missing here: libsql ends the whole process on one. */
export type Value = string | number | null;

export interface Statement {
  all(values: readonly Value[]): unknown[];
  /** Returns the number of the row that was made last. */
  run(values: readonly Value[]): number;
}

/** Errors have SQLite's own names as `code`: `SQLITE_BUSY`. */
export interface Database {
  prepare(sql: string): Statement;
  exec(script: string): void;
  close(): void;
}

/** `timeout`: milliseconds that a statement waits for another process's lock. */
export type OpenDatabase = (path: string, timeout: number) => Database;

const NAME = 'node:sqlite';

/** Throws if there is no SQLite. */
export function loadSqlite(): OpenDatabase {
  const require = createRequire(import.meta.url);
  return builtinModules.includes(NAME) ? useOwn(require(NAME)) : useLibsql(require('libsql'));
}

function useLibsql(SqliteDatabase: typeof Libsql): OpenDatabase {
  return (path, timeout) => {
    const database = new SqliteDatabase(path, { timeout });
    return {
      prepare(sql) {
        const statement = database.prepare(sql);
        return {
          // Its get() would add a member of its own to the row.
          all: (values) => statement.all([...values]),
          run: (values) => Number(statement.run([...values]).lastInsertRowid),
        };
      },
      exec: (script) => void database.exec(script),
      close: () => void database.close(),
    };
  };
}

/** The part that is used here, of a module that the types of the oldest Node do not have. */
interface OwnSqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly timeout: number },
  ) => {
    readonly isOpen: boolean;
    prepare(sql: string): {
      all(...values: readonly Value[]): unknown[];
      run(...values: readonly Value[]): { readonly lastInsertRowid: number | bigint };
    };
    exec(script: string): void;
    close(): void;
  };
}

function useOwn({ DatabaseSync }: OwnSqlite): OpenDatabase {
  return (path, timeout) =>
    named(() => {
      const database = new DatabaseSync(path, { timeout });
      return {
        prepare(sql) {
          const statement = named(() => database.prepare(sql));
          return {
            all: (values) => named(() => statement.all(...values)),
            run: (values) => named(() => Number(statement.run(...values).lastInsertRowid)),
          };
        },
        exec: (script) => named(() => database.exec(script)),
        close: () => {
          if (database.isOpen) database.close();
        },
      };
    });
}

/** SQLite's names of its error numbers. */
const NAMES: Readonly<Record<number, string>> = {
  5: 'BUSY',
  6: 'LOCKED',
  8: 'READONLY',
  10: 'IOERR',
  11: 'CORRUPT',
  13: 'FULL',
  14: 'CANTOPEN',
  15: 'PROTOCOL',
  22: 'NOLFS',
  26: 'NOTADB',
};

/** Node gives every error of SQLite the same code, and the number beside it. */
function named<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const { errcode } = error as { readonly errcode?: unknown };
    if (error instanceof Error && typeof errcode === 'number') {
      Object.assign(error, { code: `SQLITE_${NAMES[errcode & 0xff] ?? 'ERROR'}` });
    }
    throw error;
  }
}
