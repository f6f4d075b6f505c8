import { redactBody, redactJsonText, redactValue, type Turns } from './body.ts';
import { createForms, cutOut, type Forms, type Found, REMOVED, SHORTEST_SECRET } from './forms.ts';
import { createRedactor } from './stream.ts';

export type Secrets = ReturnType<typeof createSecrets>;

/** Steps of a search for what is shown at once. Ordinary texts of some 8 MiB take as many, others half a second. */
const MOST_STEPS = 500_000;
/** Steps of a search before others have a turn: some milliseconds. */
const STEPS_A_TURN = 20_000;

/** What must not be shown, and the one way to take it out of whatever is. */
export function createSecrets(...texts: readonly (string | undefined)[]) {
  const hidden = new Set<string>();
  let forms: Forms | undefined;
  // Made when something is shown: many a run shows nothing.
  const getForms = (): Forms => {
    forms ??= createForms([...hidden]);
    return forms;
  };
  /** From now on. Shorter ones than eight characters are words of ordinary texts, and not hidden. */
  const hide = (...found: readonly (string | undefined)[]): void => {
    for (const text of found) {
      if (text === undefined || text.replaceAll(/\s/g, '').length < SHORTEST_SECRET || hidden.has(text)) continue;
      hidden.add(text);
      forms = undefined;
    }
  };
  const isShort = (text: string): boolean => text.length < SHORTEST_SECRET || hidden.size === 0;
  /** For texts that are shown together: where they take too long to search, what is left of them is not shown. */
  const createLimited = (): ((text: string) => string) => {
    let left = MOST_STEPS;
    return (text) => {
      if (isShort(text)) return text;
      const search = getForms().search(text);
      left -= search.advance(left);
      if (search.isDone) return cutOut(text, search.found);
      const shown = cutOut(text.slice(0, search.reached), search.found);
      return `${shown}… (${text.length - search.reached} more characters)`;
    };
  };
  const redactText = (text: string): string => createLimited()(text);

  /** The whole of an answer, in turns. */
  function* redactAnswer(text: string): Turns<string> {
    if (hidden.size === 0 || !getForms().mayHold(text)) return text;
    let left = STEPS_A_TURN;
    function* search(part: string): Turns<readonly Found[]> {
      const search = getForms().search(part);
      while (!search.isDone) {
        left -= search.advance(left);
        if (left > 0) continue;
        yield;
        left = STEPS_A_TURN;
      }
      return search.found;
    }
    function* redact(part: string): Turns<string> {
      return isShort(part) ? part : cutOut(part, yield* search(part));
    }
    return (yield* search(text)).length === 0 ? text : yield* redactJsonText(text, redact);
  }

  hide(...texts);
  return {
    hide,
    redactText,
    createLimited,
    /** A value of JSON, in which whatever stands under a secret's name is left out too. */
    redactValue: (value: unknown) => redactValue(value, createLimited()),
    /** A body for a trace: JSON as `redactValue` has it, anything else by its length alone. */
    redactBody: (text: string) => redactBody(text, createLimited()),
    /** A body for a trace that may hold a secret which is not known yet: no text of it is shown. */
    maskBody: (text: string) => redactBody(text, () => REMOVED, createLimited()),
    /** An answer for a result: JSON stays JSON, and one without a secret stays as it came. */
    redactAnswer(text: string): string {
      const turns = redactAnswer(text);
      for (;;) {
        const { done, value } = turns.next();
        if (done === true) return value;
      }
    },
    /**
     * Redacts an answer that may be long: `pause` is awaited now and then, and an error that it throws ends the search.
     */
    async redactLongAnswer(text: string, pause: () => Promise<void>): Promise<string> {
      for (const turns = redactAnswer(text); ; await pause()) {
        const { done, value } = turns.next();
        if (done === true) return value;
      }
    },
    /** For text that comes in pieces. */
    createRedactor: () => createRedactor(getForms),
  };
}
