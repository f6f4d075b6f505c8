import { ServiceError } from '../lib/errors.ts';
import type { Query } from './types.ts';

export interface Include {
  /** Added by orgctl: left out from the first answer 400 on, since the service's document names no include. */
  own: string[];
  /** Named by the user: a refusal is an error. */
  asked?: string[] | undefined;
}

/** A function that reads with related resources, as far as the service sends them. */
export function withInclude<T>(
  read: (query: Query) => Promise<T>,
  { own, asked = [] }: Include,
): (query: Query) => Promise<T> {
  let names = [...new Set([...own, ...asked])];
  const readOn = (query: Query): Promise<T> =>
    read(names.length === 0 ? query : [...query, ['include', names.join(',')]]);
  return async (query) => {
    try {
      return await readOn(query);
    } catch (error) {
      const isRefused = error instanceof ServiceError && error.status === 400 && names.length > asked.length;
      if (!isRefused) throw error;
      names = asked;
      return readOn(query);
    }
  };
}
