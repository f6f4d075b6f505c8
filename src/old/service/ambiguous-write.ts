import { orUndefined } from '../errors.ts';
import type { ResourceDocument } from '../wire/json-api.ts';

/** What a reading says about a write without a clear answer: whether it happened. */
export type WriteOutcome<T> = { readonly happened: true; readonly value: T } | { readonly happened: false } | 'unknown';

/** For a creation of something that was not there before: if it is there now, the creation happened. */
export async function findCreation<T>(find: () => Promise<T | undefined>): Promise<WriteOutcome<T>> {
  const found = await find();
  return found === undefined ? { happened: false } : { happened: true, value: found };
}

/**
 * For a removal of whatever is in a place, of which `before` was there: another one, or none, proves it. The same one proves
 * nothing, and another DELETE could meet the next one there: it is never sent twice.
 */
export async function findRemovalFrom(
  read: () => Promise<ResourceDocument>,
  before: string | undefined,
): Promise<WriteOutcome<undefined>> {
  if (before === undefined) return 'unknown';
  return (await orUndefined(read()))?.data.id === before ? 'unknown' : { happened: true, value: undefined };
}

/** For a removal of something that this run has read before: if it is gone now, the removal happened. */
export async function findRemoval(read: () => Promise<object>): Promise<WriteOutcome<undefined>> {
  return (await orUndefined(read())) === undefined ? { happened: true, value: undefined } : { happened: false };
}
