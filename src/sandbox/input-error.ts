export class SandboxInputError extends Error {
  override readonly name: string = 'SandboxInputError';
  readonly reasons: readonly string[];
  readonly hint: string;

  constructor(message: string, hint: string, reasons: readonly string[] = [], cause?: unknown) {
    super(message, { cause });
    this.hint = hint;
    this.reasons = reasons;
  }
}

export class SandboxStateError extends SandboxInputError {
  override readonly name = 'SandboxStateError';
  readonly trouble: Trouble;

  constructor(message: string, trouble: Trouble, reasons?: readonly string[], cause?: unknown) {
    super(message, HINTS[trouble], reasons, cause);
    this.trouble = trouble;
  }
}

/** `outdated`: a state of another version. `damaged`: nothing that can be read as a state. `unusable`: the system refuses. */
type Trouble = 'outdated' | 'damaged' | 'unusable';

const HINTS: Readonly<Record<Trouble, string>> = {
  outdated: 'Reset the sandbox, or name another state.',
  damaged: 'Reset the sandbox, or name another state.',
  unusable: 'It has to be a file you may write, on a disk with room. Nothing in it was changed.',
};
