import { STATUS_CODES } from 'node:http';
import { readErrorCode } from '../lib/errors.ts';

export class HttpError extends Error {
  status: number;
  errors: object[];

  constructor(status: number, ...errors: object[]) {
    super(JSON.stringify(errors));
    this.status = status;
    this.errors = errors;
  }
}

export function createHttpError(status: number, detail?: string): HttpError {
  const title = (STATUS_CODES[status] ?? 'error').toLowerCase();
  if (status !== 429) return new HttpError(status, { status: String(status), title, detail });
  // Only for 429 the service sends the status as a number, and the title with a capital letter (facts).
  return new HttpError(429, { detail: "You have exceeded the API's rate limit.", status, title: 'Too many requests' });
}

/** 507 for a full disk, 500 for what is not expected. */
export function normalizeError(error: Error): HttpError {
  if (error instanceof HttpError) return error;
  const isFull = /^(SQLITE_(FULL|IOERR)|ENOSPC|EDQUOT|EFBIG)/.test(readErrorCode(error));
  return isFull ? createHttpError(507, `The sandbox cannot store its state: ${error.message}`) : createHttpError(500);
}

export type FieldError = { detail: string; pointer?: string };

export function createValidationError(...fields: FieldError[]): HttpError {
  const errors = fields.map(({ detail, pointer }) => ({
    status: '422',
    title: 'invalid attribute',
    detail,
    source: pointer && { pointer },
  }));
  return new HttpError(422, ...errors);
}
