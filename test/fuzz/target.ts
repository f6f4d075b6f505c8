import type fc from 'fast-check';

/** What is fed with hostile inputs, and what may never come of it. */
export interface Target {
  /** As `--target` names it. */
  readonly name: string;
  /** Values that JSON can keep: a failing one is kept with the others. Bytes are texts of one character a byte. */
  readonly inputs: fc.Arbitrary<unknown>;
  /** How many the tests try; a target that goes through the front door takes thousands of times longer than a reader. */
  readonly tried: number;
  /** What stays open over many inputs, such as a server. */
  open(): Promise<Opened> | Opened;
}

export interface Opened {
  /** Throws for an input that breaks a law. */
  run(input: unknown): Promise<void> | void;
  close(): Promise<void> | void;
}

/** Input that broke a law, in words. */
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
