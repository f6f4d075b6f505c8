import type { Resource, ResourceIdentifier } from '../wire/json-api.ts';

/** One page of a list. */
export interface Page {
  /** Resources, or records where the columns say so. */
  readonly items: readonly object[];
  readonly included: readonly Resource[];
  /** As it came. */
  readonly document: object;
}

/** A list that can be read in two ways; a format chooses one. */
export interface ListSource {
  /** Pages as they arrive. May throw after some were given: an inconsistent list shows only at its end. */
  stream(): AsyncIterable<Page>;
  /** What is kept of each page of one consistent reading. `keep` may be asked again where the list is read again. */
  collect<Kept>(keep: (page: Page) => Kept): Promise<readonly Kept[]>;
}

/** Stands for something that is not there, as after a write that failed. */
export interface AbsentResource {
  readonly type: string;
  readonly id: null;
}

/** What a write did to one thing. */
export interface WriteResult {
  /** Only its type and id where the service answered without a body; without an id there is none. */
  readonly resource: ResourceIdentifier | Resource | AbsentResource;
  readonly included?: readonly Resource[];
  /** What is known of related resources that did not come along. It is no part of a document. */
  readonly known?: readonly Resource[];
  /** As it came, when one came. */
  readonly document?: object;
  /** What orgctl adds, such as `changed`: put after the resource's own fields, and winning over them. */
  readonly extra: Readonly<Record<string, unknown>>;
}

/** What came along with the answer to a write. */
export function getIncluded({ included, document }: WriteResult): readonly Resource[] {
  return included ?? (document as { included?: readonly Resource[] } | undefined)?.included ?? [];
}
