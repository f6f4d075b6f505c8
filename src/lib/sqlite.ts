import { builtinModules, createRequire } from 'node:module';
import type Libsql from 'libsql';

/** A boolean would crash libsql and the process. */
export type Value = string | number | null;

export interface Statement {
  all(values: readonly Value[]): unknown[];
  /** Returns the number of the row that was inserted last. */
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

/**
 * Node's own SQLite if Node lists it (from version 24 on; earlier versions print a warning), else libsql, which loads slowly and
 * has no build for some systems. Throws if neither can be loaded.
 */
export function loadSqlite(): OpenDatabase {
  const require = createRequire(import.meta.url);
  return builtinModules.includes(NAME) ? useNode(require(NAME)) : useLibsql(require('libsql'));
}

function useLibsql(SqliteDatabase: typeof Libsql): OpenDatabase {
  return (path, timeout) => {
    const database = new SqliteDatabase(path, { timeout });
    return {
      prepare(sql) {
        const statement = database.prepare(sql);
        return {
          all: (values) => statement.all([...values]),
          run: (values) => Number(statement.run([...values]).lastInsertRowid),
        };
      },
      exec: (script) => void database.exec(script),
      close: () => void database.close(),
    };
  };
}

/** The types of the oldest supported Node lack this module. */
interface NodeSqlite {
  DatabaseSync: new (
    path: string,
    options: { timeout: number },
  ) => {
    isOpen: boolean;
    prepare(sql: string): {
      all(...values: readonly Value[]): unknown[];
      run(...values: readonly Value[]): { lastInsertRowid: number | bigint };
    };
    exec(script: string): void;
    close(): void;
  };
}

function useNode({ DatabaseSync }: NodeSqlite): OpenDatabase {
  return (path, timeout) =>
    withErrorCode(() => {
      const database = new DatabaseSync(path, { timeout });
      return {
        prepare(sql) {
          const statement = withErrorCode(() => database.prepare(sql));
          return {
            all: (values) => withErrorCode(() => statement.all(...values)),
            run: (values) => withErrorCode(() => Number(statement.run(...values).lastInsertRowid)),
          };
        },
        exec: (script) => withErrorCode(() => database.exec(script)),
        close: () => {
          if (database.isOpen) database.close();
        },
      };
    });
}

/** By SQLite's error numbers. */
const ERROR_NAMES: Record<number, string> = {
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

/** Node gives every error of SQLite the same code, and has the number in `errcode`. */
function withErrorCode<Result>(act: () => Result): Result {
  try {
    return act();
  } catch (error) {
    const { errcode } = error as { errcode?: unknown };
    if (error instanceof Error && typeof errcode === 'number') {
      Object.assign(error, { code: `SQLITE_${ERROR_NAMES[errcode & 0xff] ?? 'ERROR'}` });
    }
    throw error;
  }
}
