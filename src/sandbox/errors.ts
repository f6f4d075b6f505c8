import { STATUS_CODES } from 'node:http';

export class SandboxInputError extends Error {
  override readonly name: string = 'SandboxInputError';
  readonly hint: string;
  readonly reasons: readonly string[];

  constructor(message: string, hint: string, reasons: readonly string[] = [], cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
    this.reasons = reasons;
  }
}

/** `outdated`: a state of another version. `damaged`: nothing that can be read as a state. `unusable`: the system refuses. */
type Trouble = 'outdated' | 'damaged' | 'unusable';

const HINTS: Record<Trouble, string> = {
  outdated: 'Reset the sandbox, or name another state.',
  damaged: 'Reset the sandbox, or name another state.',
  unusable: 'It has to be a file you may write, on a disk with room. Nothing in it was changed.',
};

export class SandboxStateError extends SandboxInputError {
  override readonly name = 'SandboxStateError';
  readonly trouble: Trouble;

  constructor(message: string, trouble: Trouble, reasons?: readonly string[], cause?: unknown) {
    super(message, HINTS[trouble], reasons, cause);
    this.trouble = trouble;
  }
}

interface ErrorObject {
  status: string | number;
  title: string;
  detail?: string;
  source?: { pointer: string };
}

/** An answer that is an error document. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly errors: readonly ErrorObject[];

  constructor(status: number, errors: readonly ErrorObject[]) {
    super(`${status} ${errors.map(({ detail, title }) => detail ?? title).join('; ')}`);
    this.status = status;
    this.errors = errors;
  }
}

/** The words are the sandbox's own: the service's document has the statuses alone. */
export function createProblem(status: number, detail?: string): Problem {
  // Only here the service sends the status as a number, and the title with a capital letter (facts).
  if (status === 429) {
    return new Problem(429, [
      { detail: "You have exceeded the API's rate limit.", status, title: 'Too many requests' },
    ]);
  }
  const title = (STATUS_CODES[status] ?? 'error').toLowerCase();
  return new Problem(status, [{ status: String(status), title, ...(detail === undefined ? {} : { detail }) }]);
}

/** What is wrong in a request, and where in its body. */
export interface Flaw {
  detail: string;
  pointer?: string;
}

export function createInvalid(...flaws: readonly Flaw[]): Problem {
  const errors = flaws.map(({ detail, pointer }) => ({
    status: '422',
    title: 'invalid attribute',
    detail,
    ...(pointer === undefined ? {} : { source: { pointer } }),
  }));
  return new Problem(422, errors);
}
