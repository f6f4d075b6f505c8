/** Something the person asked of the sandbox cannot be done; the message says what, the reasons why, the hint what to do. */
export class SandboxInputError extends Error {
  override readonly name: string = 'SandboxInputError';
  readonly reasons: readonly string[];
  /** What to do about it. */
  readonly hint: string;

  constructor(message: string, hint: string, reasons: readonly string[] = []) {
    super(message);
    this.hint = hint;
    this.reasons = reasons;
  }
}

/** The state cannot be used. */
export class SandboxStateError extends SandboxInputError {
  override readonly name = 'SandboxStateError';
  /** Whether there is a file that is no state, or a damaged one; else the machine does not let us use it. */
  readonly isDamaged: boolean;

  constructor(message: string, details: { readonly isDamaged: boolean; readonly reasons?: readonly string[] }) {
    const hint = details.isDamaged
      ? 'Start the sandbox afresh, or name another state.'
      : 'It has to be a file you may write, on a disk with room. Nothing in it was changed.';
    super(message, hint, details.reasons);
    this.isDamaged = details.isDamaged;
  }
}
