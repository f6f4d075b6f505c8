import { OrgctlError, UsageError } from '../errors.ts';

const QUERY_FAULT = 'query';

/** A result that `--query` doesn't fit. */
export function toQueryFault(why: string, cause?: unknown): UsageError {
  return new UsageError(`--query doesn't fit the result: ${why}`, {
    code: QUERY_FAULT,
    hint: 'Look at the result without --query.',
    cause,
  });
}

/** A query that does or makes more than what it is given can need. */
export function createQueryLimit(what: string): UsageError {
  return new UsageError(`--query ${what}`, {
    code: QUERY_FAULT,
    hint: 'Name what you need of the result once: [@, @] holds all of it twice.',
  });
}

export function isQueryFault(error: unknown): error is OrgctlError {
  return error instanceof OrgctlError && error.code === QUERY_FAULT;
}
