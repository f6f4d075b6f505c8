/** Where runs are ended: at a counted operation on files, or within a write. */

/** What `preload.cjs` does within orgctl. Operations on files are counted from 1, and so are writes. */
export type FilePoint =
  /** Ended at this point: before and after each operation is one. */
  | { readonly at: number }
  /** Ended within this write, or within the first from this operation on, once so many percent of it are written. */
  | { readonly write: number; readonly percent: number }
  | { readonly tear: number; readonly percent: number };

/** An operation on a file, as it was asked for and, with `done`, as it was done. */
export interface Operation {
  readonly kind: 'sync' | 'callback' | 'promise' | 'handle';
  readonly name: string;
  readonly path: string;
  readonly to?: string;
  readonly mode?: number;
  readonly isNew?: boolean;
  readonly done?: true;
  /** `before`, `after` or `within`: it was ended there. */
  readonly when?: string;
}

/** How many points a run had so far: before and after each operation. */
export function countPoints(operations: readonly Operation[]): number {
  return operations.filter(({ when }) => when === undefined).length;
}

/** The point just after the last such operation. */
export function findPointAfter(operations: readonly Operation[], name: string): number {
  return 1 + operations.findLastIndex((operation) => operation.name === name && operation.done === true);
}
