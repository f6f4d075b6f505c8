import { STATUS_CODES } from 'node:http';

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

/** 500 for what is not expected. */
export function normalizeError(error: Error): HttpError {
  return error instanceof HttpError ? error : createHttpError(500);
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
