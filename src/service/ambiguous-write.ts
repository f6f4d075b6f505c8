import { orUndefined } from '../errors.ts';

/** Whether a write without a clear answer happened, found out by reading. */
export type WriteOutcome<T> = { readonly happened: true; readonly value: T } | { readonly happened: false } | 'unknown';

/** For what this run has read before: where it is gone now, the removal happened. */
export async function findRemoval(read: () => Promise<object>): Promise<WriteOutcome<undefined>> {
  return (await orUndefined(read())) === undefined ? { happened: true, value: undefined } : { happened: false };
}
