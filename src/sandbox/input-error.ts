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

/** `damaged`: a state of ours that cannot be read. `foreign`: something else is there. `unusable`: the system refuses. */
type Trouble = 'damaged' | 'foreign' | 'unusable';

const HINTS: Readonly<Record<Trouble, string>> = {
  damaged: 'Reset the sandbox, or name another state.',
  foreign: 'Move it away, or name another state.',
  unusable: 'It has to be a file you may write, on a disk with room. Nothing in it was changed.',
};

/** For what lies where the sandbox keeps something. */
export function createForeign(path: string): SandboxStateError {
  return new SandboxStateError(
    `${path} is in the way: nothing shows that the sandbox made it. It was left as it is.`,
    'foreign',
  );
}
