import { toCellText } from '../stdout/cell.ts';
import type { Columns, Sentence } from '../stdout/columns.ts';
import { capitalize } from '../text/sentence.ts';
import type { Placed } from '../wire/flat.ts';
import type { ResultRow, Undone } from './row-error.ts';

type Done<Row extends ResultRow> = Exclude<Row['result'], Undone['result']>;

/** The organization of a row, as a sentence names it. */
export function toPlace({ organization }: Placed): string {
  return toCellText(organization?.id);
}

/** Sentences for the rows of a command over several things, by what their `result` says. */
export function withSentences<Row extends ResultRow>(
  columns: Columns<Row>,
  done: { readonly [Result in Done<Row>]: (record: Row) => Sentence },
): Columns<Row> {
  const say: Partial<Record<string, (record: Row) => Sentence>> = done;
  return {
    ...columns,
    sentences(record) {
      const said = say[record.result]?.(record);
      if (said !== undefined) return [said];
      const { code, message } = record.error ?? {};
      // What was not attempted is counted at the end.
      if (message === undefined) return [];
      return [
        code === 'outcome-unknown'
          ? { sign: '!', text: capitalize(message) }
          : { sign: '✗', text: `Failed: ${message}` },
      ];
    },
  };
}
