import type { JsonObject } from '../lib/json.ts';
import type { Columns } from './columns.ts';

/** How one format turns records into text. */
export interface Renderer {
  /** Each function returns what is to be printed. */
  rows(columns: Columns): { add(record: JsonObject): string; end(): string };
  one(columns: Columns, record: JsonObject): string;
}

export interface RenderOptions {
  /** From `--fields`; the columns have them already. */
  fields: string[] | undefined;
  /** From `--query`. */
  query: ((value: unknown) => unknown) | undefined;
  /** With `--include` related resources are printed whole. */
  isWhole: boolean;
  /** The terminal's; undefined elsewhere. */
  width: number | undefined;
  isAccessible: boolean;
  colorLevel: 0 | 1;
  now(): number;
  /** Called once, with the headers that the table had no room for. */
  onHidden(headers: string[]): void;
}
