import type fc from 'fast-check';

/** Code that is run with hostile inputs, and checked after each. */
export interface Target {
  /** As `--target` names it. */
  readonly name: string;
  /** Values that JSON can hold: a failing one is added to the regressions. Bytes are texts of one character a byte. */
  readonly inputs: fc.Arbitrary<unknown>;
  /** How many the tests try; a whole command line takes thousands of times longer than a reader. */
  readonly tried: number;
  /** Opens what serves for many inputs, such as a server. */
  open(): Promise<Opened> | Opened;
}

export interface Opened {
  /** Throws for an input that breaks a law. */
  run(input: unknown): Promise<void> | void;
  close(): Promise<void> | void;
}

/** An input broke a law: the message says how. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

/** A target of a function that leaves nothing open. */
export function reader<Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  run: (input: Input) => Promise<void> | void,
  tried = 300,
): Target {
  return { name, inputs, tried, open: () => ({ run: (input) => run(input as Input), close: () => undefined }) };
}
