import type { Host, HostOutput } from '../host.ts';
import type { AnyColumns } from './columns.ts';
import type { Query } from './query.ts';
import type { ListSource, WriteResult } from './result.ts';

/** Text in pieces, each written whole before the next is made. */
export type Pieces = Iterable<string> | AsyncIterable<string>;

/** How one format prints results. */
export interface Renderer {
  list(columns: AnyColumns, source: ListSource): Pieces;
  one(columns: AnyColumns, document: object, extra: object): Pieces;
  /** What a write did. Never refuses: the write has happened. */
  changed(columns: AnyColumns, result: WriteResult): Pieces;
  /** What a command did that takes several arguments: in json always an array. The columns shown are those of `columns`. */
  changedMany(columns: AnyColumns, results: AsyncIterable<WriteResult>): Pieces;
  /** `isContinued`: after what an earlier run has printed. */
  feed(columns: AnyColumns, isContinued: boolean): Feed;
}

/** The text of records that go on coming. */
export interface Feed<Row = object> {
  /** At least one record. */
  add(records: readonly Row[]): string | Promise<string>;
  /** What stands after the last one. */
  end(): string | Promise<string>;
}

export interface RenderOptions {
  readonly host: Pick<Host, 'env' | 'now'>;
  readonly stdout: HostOutput;
  /** What `--fields` names; undefined where it names nothing. */
  readonly fields?: readonly string[] | undefined;
  /** What `--query` finds in what the fields leave; undefined where there is none. */
  readonly query?: Query | undefined;
  readonly noColor?: boolean;
  /** For screen readers: a field a line, and no signs. Default false. */
  readonly accessible?: boolean;
  /** Called after a table that had no room for these fields. */
  noteHidden?(fields: readonly string[]): void;
}

export type CreateRenderer = (options: RenderOptions) => Renderer;
