import type { ErrorObject } from '../wire/json-api.ts';

/** An answer that is not success, thrown from wherever it becomes plain that there can be no other. */
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

/*
 * Assumed: all members of the error objects below. The service's document has the statuses, and that errors are JSON:API
 * error objects; the words and pointers are the sandbox's.
 */

/** One thing wrong with what was sent; the pointer says where. */
export interface Flaw {
  readonly detail: string;
  readonly pointer?: string;
}

export function createUnauthorized(): Problem {
  return new Problem(401, [{ status: '401', title: 'unauthorized' }]);
}

/** The same for what is absent and for what the caller may not know of. */
export function createNotFound(): Problem {
  return new Problem(404, [{ status: '404', title: 'not found' }]);
}

export function createBadRequest(detail: string): Problem {
  return new Problem(400, [{ status: '400', title: 'bad request', detail }]);
}

export function createForbidden(detail: string): Problem {
  return new Problem(403, [{ status: '403', title: 'forbidden', detail }]);
}

export function createUnsupportedMediaType(mediaType: string): Problem {
  return new Problem(415, [
    { status: '415', title: 'unsupported media type', detail: `The content type of a write must be ${mediaType}` },
  ]);
}

// Assumed: a body that is no JSON object is 422 on every operation; the document says so of providers only.
export function createMalformedBody(): Problem {
  return new Problem(422, [
    { status: '422', title: 'malformed body', detail: 'The request body must be a JSON object' },
  ]);
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

export function createInternal(): Problem {
  return new Problem(500, [{ status: '500', title: 'internal server error' }]);
}

// Assumed: these two, and their words; the document does not say what the service answers when it cannot keep anything.
export function createUnstorable(reason: string): Problem {
  return new Problem(507, [
    { status: '507', title: 'insufficient storage', detail: `The sandbox cannot store its state: ${reason}` },
  ]);
}

export function createBusy(): Problem {
  return new Problem(503, [
    {
      status: '503',
      title: 'service unavailable',
      detail: 'Another process has held the state of the sandbox too long',
    },
  ]);
}

/** The service sends this one status as a number and this one title with a capital. */
export function createTooManyRequests(): Problem {
  return new Problem(429, [
    { detail: "You have exceeded the API's rate limit.", status: 429, title: 'Too many requests' },
  ]);
}
