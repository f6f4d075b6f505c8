import { OrgctlError } from '../errors.ts';

const QUERY_FAULT = 'query';

/** A result that `--query` doesn't fit. */
export function toQueryFault(why: string, cause?: unknown): OrgctlError {
  return new OrgctlError('failure', `--query doesn't fit the result: ${why}`, {
    code: QUERY_FAULT,
    hint: 'Look at the result without --query.',
    cause,
  });
}

export function isQueryFault(error: unknown): error is OrgctlError {
  return error instanceof OrgctlError && error.code === QUERY_FAULT;
}
