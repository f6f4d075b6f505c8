import { loadSqlite, type Statement, type Value } from '../lib/sqlite.ts';
import { ALL_ROWS, type Range } from './pagination.ts';

/** Reads and writes the rows of an open state. */

export type Store = ReturnType<typeof createStore>;

/** SQL that is true of the wanted rows, and its values. */
export type Condition = readonly [sql: string, ...values: Value[]];
/** `false` restricts nothing. */
type Conditions = readonly (Condition | false)[];

/** Rows that can be answered page by page. */
export interface Listing<Row> {
  count(): number;
  list(range?: Range): Row[];
}

/** Rows of which all conditions are true. */
export interface Selection<Row> extends Listing<Row> {
  first(): Row | undefined;
}

/** Tables whose rows have a `seq`. */
type Numbered =
  | 'gpg_keys'
  | 'memberships'
  | 'organizations'
  | 'provider_platforms'
  | 'provider_versions'
  | 'providers'
  | 'teams'
  | 'users';

/** Milliseconds a statement waits for another process's lock. */
const BUSY_TIMEOUT = 60_000;

/** Throws what SQLite says of a file that it cannot open. */
export function createStore(path: string) {
  const database = loadSqlite()(path, BUSY_TIMEOUT);
  const statements = new Map<string, Statement>();
  const prepare = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known !== undefined) return known;
    const statement = database.prepare(sql);
    statements.set(sql, statement);
    return statement;
  };
  const run = (sql: string, ...values: readonly Value[]): void => void prepare(sql).run(values);
  /** How many rows there are in what follows FROM. */
  const count = (from: string, ...values: readonly Value[]): number => {
    const [row] = prepare(`SELECT count(*) AS count FROM ${from}`).all(values) as { count: number }[];
    return row?.count ?? 0;
  };
  const rollBack = (): void => {
    try {
      database.exec('ROLLBACK');
    } catch {
      // After some errors SQLite has done so by itself, and then there is nothing left to do.
    }
  };
  const transact = <Result>(begin: string, work: () => Result): Result => {
    database.exec(begin);
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      rollBack();
      throw error;
    }
  };
  return {
    all: <Row>(sql: string, ...values: readonly Value[]) => prepare(sql).all(values) as Row[],
    first: <Row>(sql: string, ...values: readonly Value[]) => prepare(sql).all(values)[0] as Row | undefined,
    count,
    /** In the order of their making, unless `order` says another. */
    select: <Row>(columns: string, from: string, conditions: Conditions, order = 'seq'): Selection<Row> => {
      const { where, values } = allOf(conditions);
      const list = ({ limit, offset } = ALL_ROWS): Row[] => {
        const sql = `SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`;
        return prepare(sql).all([...values, limit, offset]) as Row[];
      };
      return {
        count: () => count(`${from} WHERE ${where}`, ...values),
        first: () => list({ limit: 1, offset: 0 })[0],
        list,
      };
    },
    run,
    /** Returns the number of the new row. Columns without a value get the default of the table. */
    insert: (table: string, row: Readonly<Record<string, Value | undefined>>): number => {
      const given = Object.entries(row).filter(([, value]) => value !== undefined) as [string, Value][];
      const columns = given.map(([name]) => name);
      const sql = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
      return prepare(sql).run(given.map(([, value]) => value));
    },
    update: (table: Numbered, seq: number, columns: Readonly<Record<string, Value>>): void => {
      const names = Object.keys(columns);
      run(
        `UPDATE ${table} SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE seq = ?`,
        ...Object.values(columns),
        seq,
      );
    },
    remove: (table: Numbered, seq: number): void => run(`DELETE FROM ${table} WHERE seq = ?`, seq),
    execute: (script: string): void => void database.exec(script),
    /** All reads inside see one moment of the data. */
    read: <Result>(work: () => Result) => transact('BEGIN', work),
    /** Locks out every other writer, in whatever process, from before the first read to the commit. */
    write: <Result>(work: () => Result) => transact('BEGIN IMMEDIATE', work),
    close: (): void => {
      statements.clear();
      database.close();
    },
  };
}

function allOf(conditions: Conditions): { where: string; values: Value[] } {
  const wanted = conditions.filter((condition) => condition !== false);
  const where = wanted.length === 0 ? 'true' : wanted.map(([sql]) => sql).join(' AND ');
  return { where, values: wanted.flatMap(([, ...values]) => values) };
}

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
