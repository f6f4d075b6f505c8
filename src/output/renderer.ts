import type { JsonObject } from '../lib/json.ts';
import type { Column, Columns } from './columns.ts';
import type { Query } from './query.ts';

export interface Renderer {
  /** Both functions return the text to print next. */
  rows(columns: Columns, hasHeader: boolean): { add(record: JsonObject): string; end(): string };
  one(columns: Columns, record: JsonObject): string;
  /** The text to print when the command has ended, for a format that says how it went. */
  end?(facts: Facts): string;
}

/** What a page says besides its rows. An empty text is left out. */
export interface Facts {
  title: string;
  /** With its options behind its arguments, without the global options that say nothing of the result. */
  command: string;
  service: string;
  orgs: string[];
  now: number;
  version: string;
  /** The options that read only a part of the list. */
  part: string;
  /** What a command found, by label. */
  more: Record<string, string>;
  isOfWrite: boolean;
  problems: { item?: string; text: string }[];
}

/** Rows that are printed together at the end. */
export function collectRows(print: (records: JsonObject[]) => string): ReturnType<Renderer['rows']> {
  const records: JsonObject[] = [];
  return {
    add(record) {
      records.push(record);
      return '';
    },
    end: () => print(records),
  };
}

/** Rows that are printed as they arrive, the header with the first. `isHeaderAlone`: an empty list has it too. */
export function createStreamed(
  printHeader: (columns: Column[]) => string,
  print: (columns: Column[], record: JsonObject) => string,
  isHeaderAlone = false,
): Renderer {
  const rows = (columns: Column[], hasHeader = true) => {
    let header = hasHeader ? printHeader(columns) : '';
    const take = (text: string): string => {
      const all = header + text;
      header = '';
      return all;
    };
    return { add: (record: JsonObject) => take(print(columns, record)), end: () => (isHeaderAlone ? take('') : '') };
  };
  return {
    rows: ({ table }, hasHeader) => rows(table, hasHeader),
    one: ({ table, lines = table }, record) => rows(lines).add(record),
  };
}

export interface RenderOptions {
  fields: string[] | undefined;
  query: Query | undefined;
  /** Related resources are printed whole, with --include. */
  isWhole: boolean;
  /** Undefined elsewhere than at a terminal. */
  width: number | undefined;
  isAccessible: boolean;
  hasColor: boolean;
  /** The time at a terminal; undefined elsewhere. */
  now(): number | undefined;
  /** Called with the fields that the table had no room for. */
  onHidden(fields: string[]): void;
}
