import { ServiceError } from '../errors.ts';
import type { Query } from './query.ts';

/** Related resources to send along. Assumed: the names of those that orgctl asks for; the document lists none. */
export interface Include {
  readonly names: readonly string[];
  /** False where orgctl asks by itself: a service that refuses is then asked again without. */
  readonly asked: boolean;
}

export const NO_INCLUDE: Include = { names: [], asked: true };

/** What membership reads include by themselves, so that people have names. */
export const USUAL_INCLUDE: Include = { names: ['user'], asked: false };

/** Reads with the include; one that nobody asked for is dropped when the service answers 400 to it. */
export async function withInclude<T>(
  include: Include,
  read: (query: Query) => Promise<T>,
  onRefused?: () => void,
): Promise<T> {
  if (include.names.length === 0) return await read([]);
  try {
    return await read([['include', include.names.join(',')]]);
  } catch (error) {
    if (include.asked || !(error instanceof ServiceError && error.status === 400)) throw error;
    const result = await read([]);
    onRefused?.();
    return result;
  }
}
