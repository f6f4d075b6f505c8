import { redactBody, redactJsonText, redactValue } from './body.ts';
import { createMatcher, cutOut, type Matcher, REMOVED, SHORTEST_SECRET } from './forms.ts';
import { createRedactor } from './stream.ts';

export type Secrets = ReturnType<typeof createSecrets>;

/** What must not be shown, and the one way to take it out of whatever is. */
export function createSecrets(...texts: readonly (string | undefined)[]) {
  const hidden = new Set<string>();
  let matcher: Matcher | undefined;
  // Made when something is shown: many a run shows nothing.
  const getMatcher = (): Matcher => {
    matcher ??= createMatcher([...hidden]);
    return matcher;
  };
  /** From now on. Shorter ones than eight characters are words of ordinary texts, and not hidden. */
  const hide = (...found: readonly (string | undefined)[]): void => {
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
    /** A value of JSON, in which whatever stands under a secret's name is left out too. */
    redactValue: (value: unknown) => redactValue(value, redactText),
    /** A body for a trace: JSON as `redactValue` has it, anything else by its length alone. */
    redactBody: (text: string) => redactBody(text, redactText),
    /** A body for a trace that may hold a secret which is not known yet: no text of it is shown. */
    maskBody: (text: string) => redactBody(text, () => REMOVED, redactText),
    /** An answer for a result: JSON stays JSON, and one without a secret stays as it came. */
    redactAnswer(text: string): string {
      if (hidden.size === 0) return text;
      const isClean = !getMatcher().mayHold(text) || getMatcher().search(text).found.length === 0;
      return isClean ? text : redactJsonText(text, redactText);
    },
    /** For text that comes in pieces. */
    createRedactor: () => createRedactor((text) => getMatcher().search(text)),
  };
}
