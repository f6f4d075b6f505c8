import { loadSqlite, type Statement, type Value } from '../lib/sqlite.ts';

export type Store = ReturnType<typeof createStore>;

export type Condition = readonly [sql: string, ...values: Value[]];

/** `false` restricts nothing. */
export type Conditions = readonly (Condition | false)[];

export interface Listing<Row> {
  count(): number;
  list(range?: { limit: number; offset: number }): Row[];
}

export function createStore(path: string) {
  // Another process may hold the lock for a minute.
  const database = loadSqlite()(path, 60_000);
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const statement = statements.get(sql) ?? database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const all = <Row>(sql: string, ...values: readonly Value[]) => prepare(sql).all(values) as Row[];
  const first = <Row>(sql: string, ...values: readonly Value[]) => all<Row>(sql, ...values)[0];
  const run = (sql: string, ...values: readonly Value[]): void => void prepare(sql).run(values);
  const count = (from: string, ...values: readonly Value[]): number =>
    first<{ count: number }>(`SELECT count(*) AS count FROM ${from}`, ...values)?.count ?? 0;
  const transact = <Result>(begin: string, work: () => Result): Result => {
    database.exec(begin);
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      try {
        database.exec('ROLLBACK');
      } catch {
        // After some errors SQLite has done so by itself.
      }
      throw error;
    }
  };
  return {
    all,
    first,
    count,
    run,
    select<Row>(columns: string, from: string, conditions: Conditions, order = 'seq'): Listing<Row> {
      const wanted = conditions.filter((condition) => condition !== false);
      const where = `${from} WHERE ${['true', ...wanted.map(([sql]) => sql)].join(' AND ')}`;
      const values = wanted.flatMap(([, ...each]) => each);
      return {
        count: () => count(where, ...values),
        list: ({ limit, offset } = { limit: -1, offset: 0 }) =>
          all(`SELECT ${columns} FROM ${where} ORDER BY ${order} LIMIT ? OFFSET ?`, ...values, limit, offset),
      };
    },
    insert<Row = { seq: number }>(table: string, row: Readonly<Record<string, Value | undefined>>): Row {
      const given = Object.entries(row).filter((entry): entry is [string, Value] => entry[1] !== undefined);
      const names = given.map(([name]) => name).join(', ');
      const sql = `INSERT INTO ${table} (${names}) VALUES (${given.map(() => '?').join(', ')}) RETURNING *`;
      return all(sql, ...given.map(([, value]) => value))[0] as Row;
    },
    update(table: string, seq: number, row: Readonly<Record<string, Value>>): void {
      const columns = Object.keys(row).map((name) => `${name} = ?`);
      run(`UPDATE ${table} SET ${columns.join(', ')} WHERE seq = ?`, ...Object.values(row), seq);
    },
    remove: (table: string, seq: number): void => run(`DELETE FROM ${table} WHERE seq = ?`, seq),
    execute: (script: string): void => database.exec(script),
    /** All reads inside see one moment of the data. */
    read: <Result>(work: () => Result) => transact('BEGIN', work),
    /** Locks out every other writer, in whatever process, from before the first read to the commit. */
    write: <Result>(work: () => Result) => transact('BEGIN IMMEDIATE', work),
    close(): void {
      statements.clear();
      database.close();
    },
  };
}

export const NO_ROWS: Listing<never> = { count: () => 0, list: () => [] };

export function isOneOf(column: string, values: readonly (string | number)[]): Condition {
  return [`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values)];
}

/** Whether one of the columns, which are in lower case, has the text in it. LIKE would take a percent sign for any text. */
export function contains(text: string | undefined, ...columns: readonly string[]): Condition | false {
  if (text === undefined) return false;
  const each = columns.map((column) => `instr(${column}, ?) > 0`).join(' OR ');
  return [`(${each})`, ...columns.map(() => fold(text))];
}

/** Makes texts equal that differ in case alone. The `…_folded` columns hold the result. */
export function fold(text: string): string {
  return text.toLowerCase();
}
