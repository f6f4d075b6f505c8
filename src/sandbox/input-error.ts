export class SandboxInputError extends Error {
  override readonly name: string = 'SandboxInputError';
  readonly reasons: readonly string[];
  readonly hint: string;

  constructor(message: string, hint: string, reasons: readonly string[] = []) {
    super(message);
    this.hint = hint;
    this.reasons = reasons;
  }
}

export class SandboxStateError extends SandboxInputError {
  override readonly name = 'SandboxStateError';
  /** Whether the file is damaged or something else; otherwise the system refuses its use. */
  readonly isDamaged: boolean;

  constructor(message: string, details: { readonly isDamaged: boolean; readonly reasons?: readonly string[] }) {
    const hint = details.isDamaged
      ? 'Start the sandbox afresh, or name another state.'
      : 'It has to be a file you may write, on a disk with room. Nothing in it was changed.';
    super(message, hint, details.reasons);
    this.isDamaged = details.isDamaged;
  }
}
