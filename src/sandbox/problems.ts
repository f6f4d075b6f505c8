import { STATUS_CODES } from 'node:http';
import type { ErrorObject } from './wire/json-api.ts';

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly errors: readonly ErrorObject[];

  constructor(status: number, errors: readonly ErrorObject[]) {
    super(`${status} ${errors.map((error) => error.detail ?? error.title ?? '').join('; ')}`);
    this.status = status;
    this.errors = errors;
  }
}

export interface Flaw {
  readonly detail: string;
  readonly pointer?: string;
}

/**
 * Assumed: errors have the members, words and pointers that the sandbox gives them; the service's document has the
 * statuses, and that errors are JSON:API error objects.
 */
export function toErrorObject(status: number, detail?: string): ErrorObject {
  // Only here the service sends the status as a number, and the title with a capital letter.
  if (status === 429) return { detail: "You have exceeded the API's rate limit.", status, title: 'Too many requests' };
  const title = (STATUS_CODES[status] ?? 'error').toLowerCase();
  return { status: String(status), title, ...(detail === undefined ? {} : { detail }) };
}

export function createProblem(status: number, detail?: string): Problem {
  return new Problem(status, [toErrorObject(status, detail)]);
}

export function createInvalid(flaws: readonly Flaw[]): Problem {
  return new Problem(
    422,
    flaws.map(({ detail, pointer }) => ({
      status: '422',
      title: 'invalid attribute',
      detail,
      ...(pointer === undefined ? {} : { source: { pointer } }),
    })),
  );
}

/** Assumed: every operation answers 422 to a body that is no JSON object; the document says so of providers alone. */
export function createMalformedBody(): Problem {
  return new Problem(422, [
    { status: '422', title: 'malformed body', detail: 'The request body must be a JSON object' },
  ]);
}
