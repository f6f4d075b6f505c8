import type { Sign } from '../text/signs.ts';
import type { FlatRecord } from './flatten.ts';

/** The field paths of a row, such as `user.username`: three names at most, and in a list those of its items. */
export type Field<Row, Levels extends 1 | 2 | 3 = 3> = Row extends readonly (infer Item)[]
  ? Field<Item, Levels>
  : Row extends object
    ? { [Name in keyof Row & string]-?: Name | Below<Name, Row[Name], Levels> }[keyof Row & string]
    : never;
type Below<Name extends string, Value, Levels> = Levels extends 3
  ? `${Name}.${Field<Value, 2>}`
  : Levels extends 2
    ? `${Name}.${Field<Value, 1>}`
    : never;

type ByField<Row, Value> = { readonly [Path in Field<Row>]?: Value };

/** What columns are called and which fields they have, whatever their rows are. */
export interface ColumnNames {
  /** As messages say it: `No teams.`, `Reading teams: 300` */
  readonly name: string;
  /** What is said of an empty list. Default: `No <name>.` */
  readonly empty?: string;
  /** Default fields of formats for programs, in order. */
  readonly shown: readonly string[];
  /** Every other field path known to exist. The service may send more, and those can be asked for too. */
  readonly fields?: readonly string[];
  readonly shape?: 'resource' | 'record';
  readonly isAsSent?: true;
  readonly times?: readonly string[];
  readonly screen?: readonly Headed[];
  readonly lines?: readonly (Pick<Headed, 'field'> & { readonly label: string })[];
}

interface Headed {
  readonly head: string;
  readonly field: string;
  readonly fields?: readonly string[];
}

/** The columns of a noun, as data that every format reads. */
export interface Columns<Row> extends ColumnNames {
  readonly shown: readonly Field<Row>[];
  readonly fields?: readonly Field<Row>[];
  /** `resource`: a JSON:API resource, flattened before it is shown. `record`: plain JSON, taken as it is. */
  readonly shape: 'resource' | 'record';
  /** Records that the service makes, and to which it may add. */
  readonly isAsSent?: true;
  /** Columns of the table that people read. Default: a column for each of `shown`. */
  readonly screen?: readonly ScreenColumn<Row>[];
  /** Lines for a single thing. Default: a line for each of its fields. */
  readonly lines?: readonly ScreenLine<Row>[];
  /** For what a command did, or would do: sentences for each thing in place of a table. */
  readonly sentences?: (record: Row, now: number) => readonly Sentence[];
  /** By field path: another one, whose values stand in its cells where it has none, such as ids for names. */
  readonly instead?: ByField<Row, Field<Row>>;
  /** Field paths that hold instants. */
  readonly times?: readonly Field<Row>[];
  /** By field path: a value in tsv and csv, where it is not a text. */
  readonly cells?: ByField<Row, (value: unknown, record: Row) => string>;
  /** By field path: a value as people read it where `--fields` names it. */
  readonly words?: ByField<Row, (value: unknown, record: Row) => string>;
}

/** A value as people read it. `now` in milliseconds; undefined for a text that is kept, in which no time is relative. */
export type Show<Row = unknown> = (value: unknown, record: Row, now: number | undefined) => string;

export interface ScreenColumn<Row = FlatRecord> {
  readonly head: string;
  readonly field: Field<Row>;
  /** What `--fields` takes for it, where that is not its field. */
  readonly fields?: readonly Field<Row>[];
  /** 0 identifies and always stays. Of the others the highest is left out first, and `spare` before all, without a word. */
  readonly priority: number | 'spare';
  readonly align?: 'right';
  /** Whether a cell may take several lines. */
  readonly wraps?: true;
  /** The fields at the start of a cell that is rather cut than given another line. */
  readonly cuts?: readonly Field<Row>[];
  /** Characters, where rows are printed as they come. The last column has the rest of the line, and at best this. */
  readonly width?: number;
  /** Characters it gets there at least, where the last column would have too few. */
  readonly least?: number;
  /** Whether its words have colours. */
  readonly tone?: true;
  readonly show?: Show<Row>;
}

export interface ScreenLine<Row = FlatRecord> {
  readonly label: string;
  readonly field: Field<Row>;
  readonly tone?: true;
  readonly show?: Show<Row>;
}

export interface Sentence {
  readonly sign: Sign;
  /** Stands before the text, already padded. */
  readonly label?: string;
  readonly text: string;
  /** What can be done about it. */
  readonly hint?: string;
  /** Commands that do it: never wrapped, since they are copied. */
  readonly next?: readonly string[];
}

/** Where a command has no thing to change. */
export const NOTHING_TO_DO = 'Nothing to do.';

/** What is said of an empty list. */
export function describeEmpty({ name, empty = `No ${name}.` }: Pick<ColumnNames, 'empty' | 'name'>): string {
  return empty;
}

/** Every field path known to exist. */
export function listFields<Path extends string>({
  shown,
  fields = [],
}: {
  readonly shown: readonly Path[];
  readonly fields?: readonly Path[];
}): readonly Path[] {
  return [...shown, ...fields];
}

/** Columns as formats take them: to those a row is names and unknown values. */
export type AnyColumns = Columns<FlatRecord>;

/** A caller prints with these columns only the rows that they are made for. */
export function toAnyColumns<Row>(columns: Columns<Row>): AnyColumns {
  return columns as AnyColumns;
}

/** Where people look for values without quotes around them. */
export const BARE_VALUES = 'Values without quotes come from -o tsv --fields, such as --fields id, or from jq -r.';
