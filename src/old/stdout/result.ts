import type { Reading } from '../reading.ts';
import type { Resource } from '../wire/json-api.ts';

/** One page of a list. */
export interface Page<Item = object> {
  /** Resources, or records where the columns say so. */
  readonly items: readonly Item[];
  readonly included: readonly Resource[];
}

/** One thing. The service may answer `null` for one that may be absent. */
export interface OneDocument {
  readonly data: Unidentified | null;
  readonly included?: readonly Resource[];
}

export type ListSource<Item = object> = Reading<Page<Item>>;

/** What a list is made of: a record that is a row, or a resource, which becomes one. Without an id it is not there. */
export type Listed<Row> = Row | Unidentified;

/** A resource, or what has no id: it stands for something that is not there. */
export interface Unidentified extends Omit<Resource, 'id'> {
  readonly id?: string | null;
}

/** What a write did to one thing. */
export interface WriteResult<Row extends object = object> {
  /** Only its type and id where the service answered without a body. Without an id there is none, as after a write that failed. */
  readonly resource: Unidentified;
  /** In its place, where the columns are those of records. */
  readonly record?: Row;
  readonly included?: readonly Resource[];
  /** What is known of related resources that did not come along. */
  readonly known?: readonly Resource[];
  /** What orgctl adds, such as `changed`: put after the resource's own fields, and winning over them. */
  readonly extra: Partial<Row>;
}
