import { toPlainText } from '../text/plain-text.ts';
import type { NoteField } from './query-work.ts';

/** A text in double quotes is the name of a field in JMESPath, and a comparison with one that no row has finds nothing. */
export function createComparedFields(): {
  readonly note: NoteField;
  /** What is to be said of those that no row had. `known`: fields that a row may have. */
  takeWarnings(known?: readonly string[]): readonly string[];
} {
  const compared = new Map<string, boolean>();
  return {
    note(name, isThere) {
      compared.set(name, isThere || compared.get(name) === true);
    },
    takeWarnings(known = []) {
      const absent = [...compared].flatMap(([name, isThere]) => (isThere || known.includes(name) ? [] : [name]));
      compared.clear();
      return absent
        .map(toPlainText)
        .map((text) => `--query: "${text}" names a field, and no row has it; a text goes in single quotes: '${text}'`);
    },
  };
}
