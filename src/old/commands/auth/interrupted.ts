import { type ErrorDetails, OrgctlError, reword } from '../../errors.ts';
import { isSignal } from '../../interrupts.ts';

/** Does this; an interruption of it says what is stored by then, and what to do about it. */
export async function withStored<Value>(
  act: () => Promise<Value>,
  stored: string,
  advice: Pick<ErrorDetails, 'hint' | 'next'> = {},
): Promise<Value> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof OrgctlError) || !isSignal(error)) throw error;
    throw reword(error, { reasons: [stored], ...advice });
  }
}
