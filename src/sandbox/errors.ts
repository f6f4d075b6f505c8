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

const RESET = 'Reset the sandbox, or name another state.';
const REFUSED = 'It has to be a file you may write, on a disk with room. Nothing in it was changed.';
type Trouble = 'outdated' | 'damaged' | 'unusable';

export class SandboxStateError extends SandboxInputError {
  override readonly name = 'SandboxStateError';
  readonly trouble: Trouble;

  constructor(message: string, trouble: Trouble, reasons?: readonly string[], cause?: unknown) {
    super(message, trouble === 'unusable' ? REFUSED : RESET, reasons, cause);
    this.trouble = trouble;
  }
}

export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly errors: readonly object[];

  constructor(status: number, ...errors: readonly object[]) {
    super(JSON.stringify(errors));
    this.status = status;
    this.errors = errors;
  }
}

/** The words are the sandbox's own: the service's document has the statuses alone. */
export function createProblem(status: number, detail?: string): Problem {
  const title = (STATUS_CODES[status] ?? 'error').toLowerCase();
  if (status !== 429) return new Problem(status, { status: String(status), title, detail });
  // Only here the service sends the status as a number, and the title with a capital letter (facts).
  return new Problem(429, { detail: "You have exceeded the API's rate limit.", status, title: 'Too many requests' });
}

export type Flaw = { detail: string; pointer?: string };

export function createInvalid(...flaws: readonly Flaw[]): Problem {
  const usual = { status: '422', title: 'invalid attribute' };
  const errors = flaws.map(({ detail, pointer }) => ({ ...usual, detail, source: pointer && { pointer } }));
  return new Problem(422, ...errors);
}
