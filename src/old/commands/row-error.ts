import type { ErrorCode } from '../error-codes.ts';
import { describeError, type OrgctlError, ServiceError } from '../errors.ts';
import { toPlainText } from '../text/plain-text.ts';

/** What the row of a thing says of the error that it met. */
export interface RowError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status?: number;
}

/** The fields of one, beside its code where that has a column. */
export const ERROR_FIELDS = ['error', 'error.message', 'error.status'] as const;

/** The fields of an error for a command over several things, whose columns show code and message. */
export const RESULT_FIELDS = ['error', 'error.status', 'error.next'] as const;

/** A row of such a command. `Result`: what may become of a thing. */
export interface ResultRow<Result extends string = string> {
  readonly result: Result | Undone['result'];
  readonly changed: boolean;
  readonly error?: NonNullable<Undone['error']>;
}

/** What became of a thing, as its row says it. */
export type ResultOf<Row extends ResultRow> = Pick<Row, 'changed' | 'error' | 'result'>;

/** What a row says of a thing for which nothing was done. */
export interface Undone {
  readonly changed: false;
  /** `planned`: a dry run kept it from being done. `unknown`: a signal came before its answer. */
  readonly result: 'failed' | 'not-attempted' | 'planned' | 'unknown';
  readonly error?: RowError & { readonly next?: readonly string[] };
}

export function toRowError(
  error: OrgctlError,
  redact: (text: string) => string,
  text = describeError(error),
): RowError {
  return {
    code: error.code,
    // Control characters go first: one may stand in the middle of a token and hide it.
    message: redact(toPlainText(text)),
    ...(error instanceof ServiceError ? { status: error.status } : {}),
  };
}

/** The `status` of a row about an organization that could not be read. */
export function toFailedStatus({ status }: RowError): 'failed' | 'refused' {
  return status === 401 || status === 403 ? 'refused' : 'failed';
}
