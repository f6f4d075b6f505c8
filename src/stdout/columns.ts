import type { Sign } from '../text/signs.ts';
import type { FlatRecord } from './flatten.ts';

/** The columns of a noun, as data that every format reads. */
export interface Columns {
  /** As messages say it: `No teams.`, `Reading teams: 300` */
  readonly name: string;
  /** What is said of an empty list. Default: `No <name>.` */
  readonly empty?: string;
  /** Default fields of formats for programs, in order: field paths such as `user.username`. */
  readonly shown: readonly string[];
  /** Every other field path known to exist. The service may send more, and those can be asked for too. */
  readonly fields?: readonly string[];
  /** `resource`: a JSON:API resource, flattened before it is shown. `record`: plain JSON, taken as it is. */
  readonly shape: 'resource' | 'record';
  /** Columns of the table that people read. Default: a column for each of `shown`. */
  readonly screen?: readonly ScreenColumn[];
  /** Lines for a single thing. Default: a line for each of its fields. */
  readonly lines?: readonly ScreenLine[];
  /** For what a command did, or would do: sentences for each thing in place of a table. */
  readonly sentences?: (record: FlatRecord, now: number) => readonly Sentence[];
  /** By field path: another one, whose values stand in its cells where it has none, such as ids for names. */
  readonly instead?: Readonly<Record<string, string>>;
  /** Field paths that hold instants. */
  readonly times?: readonly string[];
  /** By field path: a value in tsv and csv, where it is not a text. */
  readonly cells?: Readonly<Record<string, (value: unknown) => string>>;
  /** By field path: a value as people read it where `--fields` names it. */
  readonly words?: Readonly<Record<string, (value: unknown) => string>>;
}

/** A value as people read it. `now` in milliseconds; undefined for a text that is kept, in which no time is relative. */
export type Show = (value: unknown, record: FlatRecord, now: number | undefined) => string;

export interface ScreenColumn {
  readonly head: string;
  readonly field: string;
  /** 0 identifies and always stays. Of the others the highest is left out first, and `spare` before all, without a word. */
  readonly priority: number | 'spare';
  readonly align?: 'right';
  /** Whether a cell may take several lines. */
  readonly wraps?: true;
  /** Characters, where rows are printed as they come. The rest of the line when left out. */
  readonly width?: number;
  /** Whether its words have colours. */
  readonly tone?: true;
  readonly show?: Show;
}

export interface ScreenLine {
  readonly label: string;
  readonly field: string;
  readonly tone?: true;
  readonly show?: Show;
}

export interface Sentence {
  readonly sign: Sign;
  /** Stands before the text, already padded. */
  readonly label?: string;
  readonly text: string;
  /** What can be done about it. */
  readonly hint?: string;
}

/** Every field path known to exist. */
export function listFields({ shown, fields = [] }: Columns): readonly string[] {
  return [...shown, ...fields];
}
