import { ServiceError } from '../lib/errors.ts';
import type { Query } from './types.ts';

export interface Include {
  /** Names that orgctl adds. They are left out after a 400, since the document has no include for some routes. */
  own: string[];
  /** Names from the user: a refusal is an error. */
  asked?: string[];
}

export function isRefusedInclude(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 400;
}

/** Returns a function that reads with related resources, as far as the service sends them. */
export function withInclude<T>(read: (query: Query) => Promise<T>, { own, asked = [] }: Include) {
  let names = [...new Set([...own, ...asked])];
  const readIncluding = (query: Query): Promise<T> =>
    read(names.length === 0 ? query : [...query, ['include', names.join(',')]]);
  return async (query: Query): Promise<T> => {
    try {
      return await readIncluding(query);
    } catch (error) {
      if (!isRefusedInclude(error) || names.length === asked.length) throw error;
      names = asked;
      return readIncluding(query);
    }
  };
}
