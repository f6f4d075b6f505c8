import { type Database, openDatabase, type Value } from '../lib/sqlite.ts';

export type Condition = [sql: string, ...values: Value[]];

export interface RowQuery<Row> {
  count(): number;
  list(range?: { limit: number; offset: number }): Row[];
}

export class Store {
  #database: Database;
  #statements = new Map<string, ReturnType<Database['prepare']>>();

  constructor(path: string) {
    // Another process may hold the lock for a minute.
    this.#database = openDatabase(path, 60_000);
  }

  all = <Row>(sql: string, ...values: Value[]): Row[] => this.#prepare(sql).all(values) as Row[];
  first = <Row>(sql: string, ...values: Value[]): Row | undefined => this.all<Row>(sql, ...values)[0];
  run = (sql: string, ...values: Value[]): void => void this.#prepare(sql).run(values);
  count = (from: string, ...values: Value[]): number =>
    this.first<{ count: number }>(`SELECT count(*) AS count FROM ${from}`, ...values)?.count ?? 0;

  select = <Row>(columns: string, from: string, conditions: (Condition | false)[], order = 'seq'): RowQuery<Row> => {
    const present = conditions.filter((condition) => condition !== false);
    const where = `${from} WHERE ${['true', ...present.map(([sql]) => sql)].join(' AND ')}`;
    const values = present.flatMap(([, ...each]) => each);
    return {
      count: () => this.count(where, ...values),
      list: ({ limit, offset } = { limit: -1, offset: 0 }) =>
        this.all(`SELECT ${columns} FROM ${where} ORDER BY ${order} LIMIT ? OFFSET ?`, ...values, limit, offset),
    };
  };

  insert = <Row = { seq: number }>(table: string, row: Record<string, Value | undefined>): Row => {
    const columns = Object.entries(row).filter((entry): entry is [string, Value] => entry[1] !== undefined);
    const names = columns.map(([name]) => name).join(', ');
    const sql = `INSERT INTO ${table} (${names}) VALUES (${columns.map(() => '?').join(', ')}) RETURNING *`;
    return this.all(sql, ...columns.map(([, value]) => value))[0] as Row;
  };

  update = (table: string, seq: number, row: Record<string, Value>): void => {
    const columns = Object.keys(row).map((name) => `${name} = ?`);
    this.run(`UPDATE ${table} SET ${columns.join(', ')} WHERE seq = ?`, ...Object.values(row), seq);
  };

  remove = (table: string, seq: number): void => this.run(`DELETE FROM ${table} WHERE seq = ?`, seq);
  execute = (script: string): void => this.#database.exec(script);
  /** All reads inside see one snapshot of the data. */
  read = <Result>(work: () => Result): Result => this.#transact('BEGIN', work);
  /** Locks out every other writer, in any process, from before the first read until the commit. */
  write = <Result>(work: () => Result): Result => this.#transact('BEGIN IMMEDIATE', work);

  close = (): void => {
    this.#statements.clear();
    this.#database.close();
  };

  #prepare = (sql: string) => {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  };

  #transact = <Result>(begin: string, work: () => Result): Result => {
    this.execute(begin);
    try {
      const result = work();
      this.execute('COMMIT');
      return result;
    } catch (error) {
      try {
        this.execute('ROLLBACK');
      } catch {
        // SQLite itself rolls back after some errors.
      }
      throw error;
    }
  };
}

export const NO_ROWS: RowQuery<never> = { count: () => 0, list: () => [] };

export function isOneOf(column: string, values: readonly (string | number)[]): Condition {
  return [`${column} IN (SELECT value FROM json_each(?))`, JSON.stringify(values)];
}

/** Whether a column has the text in it. The columns are in lower case. LIKE treats a percent sign as a wildcard. */
export function contains(text: string | undefined, ...columns: string[]): Condition | false {
  if (text === undefined) return false;
  const each = columns.map((column) => `instr(${column}, ?) > 0`).join(' OR ');
  return [`(${each})`, ...columns.map(() => fold(text))];
}

/** Makes texts equal that differ only in case. The `…_folded` columns hold the result. */
export function fold(text: string): string {
  return text.toLowerCase();
}
