import { ServiceError } from '../errors.ts';

/** Whether a write without a clear answer happened, found out by reading. */
export type WriteOutcome<T> = { readonly happened: true; readonly value: T } | { readonly happened: false } | 'unknown';

/** For what this run has read before: where it is gone now, the removal happened. */
export async function findRemoval(read: () => Promise<object>): Promise<WriteOutcome<undefined>> {
  return (await orUndefined(read())) === undefined ? { happened: true, value: undefined } : { happened: false };
}

/** Undefined on 404, whatever that means there. */
export async function orUndefined<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}
