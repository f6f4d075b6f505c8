import { type Database, openDatabase as open } from '../../src/lib/sqlite.ts';

/** A database as orgctl opens it: two kinds of SQLite in one process do not see each other's locks. */
export function openDatabase(path: string, timeout = 5_000): Database {
  return open(path, timeout);
}
