import { ServiceError } from '../errors.ts';

/** How a write without a clear answer turned out, found out by reading. */
export type WriteOutcome<T> = { readonly happened: true; readonly value: T } | { readonly happened: false } | 'unknown';

/** For something this run has read before it was removed: gone now means that the removal happened. */
export async function findRemoval(read: () => Promise<unknown>): Promise<WriteOutcome<undefined>> {
  try {
    await read();
    return { happened: false };
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return { happened: true, value: undefined };
    throw error;
  }
}
