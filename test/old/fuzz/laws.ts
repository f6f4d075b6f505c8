import { OrgctlError } from '../../../src/old/errors.ts';
import { Violation } from './target.ts';

/** What is true for every input. */

/** A reader may throw only errors that say what is wrong with its input, never an error of orgctl's own. */
export async function onlyKnownErrors<T>(act: () => T | Promise<T>): Promise<T | OrgctlError> {
  try {
    return await act();
  } catch (error) {
    return known(error);
  }
}

/** The same without waiting. */
export function onlyKnownErrorsNow<T>(act: () => T): T | OrgctlError {
  try {
    return act();
  } catch (error) {
    return known(error);
  }
}

function known(error: unknown): OrgctlError {
  if (!(error instanceof OrgctlError)) {
    throw new Violation(
      `an error of its own: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
  }
  if (error.exit === 'failure') throw new Violation(`the code of a fault of orgctl itself: ${error.message}`);
  // The error is printed as text, or as JSON.
  JSON.parse(JSON.stringify([error.message, error.code, error.reasons, error.hint, error.next]));
  for (const text of [error.message, ...error.reasons, ...error.next.flat(), error.hint ?? '']) {
    if (typeof text !== 'string') throw new Violation(`the message of an error is no text: ${JSON.stringify(text)}`);
  }
  return error;
}

const PROTOTYPES = [Object.prototype, Array.prototype, Function.prototype, String.prototype, Map.prototype];
const COUNTS = PROTOTYPES.map((prototype) => Reflect.ownKeys(prototype).length);

/** Nothing was added to the prototype of all objects. */
export function refusePollution(): void {
  PROTOTYPES.forEach((prototype, index) => {
    if (Reflect.ownKeys(prototype).length === COUNTS[index]) return;
    throw new Violation(`a prototype was changed: ${Reflect.ownKeys(prototype).map(String).join(', ')}`);
  });
}

/** Refuses text that a terminal would obey beyond tab, return and newline. */
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

export function refuseControls(text: string, where: string): void {
  const at = text.search(OBEYED);
  if (at < 0) return;
  throw new Violation(
    `${where} holds U+${text.charCodeAt(at).toString(16)}: ${JSON.stringify(text.slice(Math.max(0, at - 40), at + 40))}`,
  );
}
