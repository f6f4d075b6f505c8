import { redactBody, redactJsonText, redactValue } from './body.ts';
import { createMatcher, cutOut, type Matcher, REMOVED, SHORTEST_SECRET } from './forms.ts';
import { createRedactor, type Redactor } from './stream.ts';

/** What must not be shown, and the one way to take it out of whatever is. */
export interface Secrets {
  /** From now on. Shorter ones than eight characters are words of ordinary texts, and not hidden. */
  hide(...texts: readonly (string | undefined)[]): void;
  redactText(text: string): string;
  /** A value of JSON, in which whatever stands under a secret's name is left out too. */
  redactValue(value: unknown): unknown;
  /** A body for a trace: JSON as `redactValue` has it, anything else by its length alone. */
  redactBody(text: string): string;
  /** A body for a trace that may hold a secret which is not known yet: no text of it is shown. */
  maskBody(text: string): string;
  /** An answer for a result: JSON stays JSON, and one without a secret stays as it came. */
  redactAnswer(text: string): string;
  /** For text that comes in pieces. */
  createRedactor(): Redactor;
}

export function createSecrets(...texts: readonly (string | undefined)[]): Secrets {
  const hidden = new Set<string>();
  let matcher: Matcher | undefined;
  // Made when something is shown: many a run shows nothing.
  const getMatcher = (): Matcher => {
    matcher ??= createMatcher([...hidden]);
    return matcher;
  };
  const hide: Secrets['hide'] = (...found) => {
    for (const text of found) {
      if (text === undefined || text.replaceAll(/\s/g, '').length < SHORTEST_SECRET || hidden.has(text)) continue;
      hidden.add(text);
      matcher = undefined;
    }
  };
  const redactText = (text: string): string =>
    text.length < SHORTEST_SECRET || hidden.size === 0 ? text : cutOut(text, getMatcher().search(text).found);
  hide(...texts);
  return {
    hide,
    redactText,
    redactValue: (value) => redactValue(value, redactText),
    redactBody: (text) => redactBody(text, redactText),
    maskBody: (text) => redactBody(text, () => REMOVED, redactText),
    redactAnswer(text) {
      if (hidden.size === 0) return text;
      const isClean = !getMatcher().mayHold(text) || getMatcher().search(text).found.length === 0;
      return isClean ? text : redactJsonText(text, redactText);
    },
    createRedactor: () => createRedactor((text) => getMatcher().search(text)),
  };
}
