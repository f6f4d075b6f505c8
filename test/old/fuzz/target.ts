import type fc from 'fast-check';

/** Code that is run with hostile inputs, and checked after each. */
export interface Target {
  readonly name: string;
  readonly inputs: fc.Arbitrary<unknown>;
  readonly tried: number;
  /** Throws for an input that breaks a law. */
  run(input: unknown): Promise<void> | void;
}

/** An input broke a law: the message says how. */
export class Violation extends Error {
  override readonly name = 'Violation';
}

export function reader<Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  run: (input: Input) => Promise<void> | void,
  tried = 300,
): Target {
  return { name, inputs, tried, run: (input) => run(input as Input) };
}
