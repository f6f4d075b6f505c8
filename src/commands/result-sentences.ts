import { toText } from '../json-object.ts';
import type { Columns, Sentence } from '../stdout/columns.ts';
import { getField } from '../stdout/fields.ts';
import type { FlatRecord } from '../stdout/flatten.ts';
import { capitalize } from '../text/sentence.ts';

/** Sentences for the rows of a command over several things, by what their `result` says. */
export function withSentences(
  columns: Columns,
  done: Readonly<Record<string, (record: FlatRecord) => Sentence>>,
): Columns {
  return {
    ...columns,
    sentences(record) {
      const result = String(record['result']);
      const say = Object.hasOwn(done, result) ? done[result] : undefined;
      if (say !== undefined) return [say(record)];
      const message = toText(getField(record, 'error.message'));
      // What was not attempted is counted at the end.
      if (message === undefined) return [];
      return [
        getField(record, 'error.code') === 'outcome-unknown'
          ? { sign: '!', text: capitalize(message) }
          : { sign: '✗', text: `Failed: ${message}` },
      ];
    },
  };
}
