/** Something the person asked of the sandbox cannot be done; the message says what, and what to do instead. */
export class SandboxInputError extends Error {
  override readonly name = 'SandboxInputError';
}
