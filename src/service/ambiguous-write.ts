import { orUndefined } from '../errors.ts';

/** What a reading says about a write without a clear answer: whether it happened. */
export type WriteOutcome<T> = { readonly happened: true; readonly value: T } | { readonly happened: false } | 'unknown';

/** For a removal of something that this run has read before: if it is gone now, the removal happened. */
export async function findRemoval(read: () => Promise<object>): Promise<WriteOutcome<undefined>> {
  return (await orUndefined(read())) === undefined ? { happened: true, value: undefined } : { happened: false };
}
