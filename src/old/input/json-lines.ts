import { toReason, UsageError } from '../errors.ts';
import { isObject, parseJsonText } from '../json-object.ts';

export interface Json {
  readonly value: unknown;
  /** The line of an entry, both from 1. Only where each line is a value. */
  readonly lineOf?: (entry: number) => number;
}

/**
 * The value of a text. A text that holds an object in each line, as ndjson does, comes to an array of them. Throws UsageError
 * naming the text. `hint`: what a right one is like.
 */
export function readJson(text: string, name: string, hint: string): Json {
  const fail = (why: string, cause: unknown): never => {
    throw new UsageError(`${name} is not JSON: ${why}`, { hint, cause });
  };
  try {
    return { value: parseJsonText(text) };
  } catch (error) {
    if (!isObject(parseOrNothing(text.slice(0, text.indexOf('\n'))))) return fail(toReason(error), error);
    const lines = text.split('\n').map((line, index) => ({ line, number: index + 1 }));
    const filled = lines.filter(({ line }) => line.trim() !== '');
    const value = filled.map(({ line, number }) => {
      try {
        return parseJsonText(line);
      } catch (why) {
        return fail(`line ${number}: ${toReason(why)}`, why);
      }
    });
    return { value, lineOf: (entry) => filled[entry - 1]?.number ?? entry };
  }
}

function parseOrNothing(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch {
    return undefined;
  }
}
