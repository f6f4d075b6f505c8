import type { FlatRecord } from '../flatten.ts';
import { toJsonLine } from '../json.ts';
import { createSelection, fromRecords } from '../records.ts';
import type { CreateRenderer } from '../renderer.ts';

/** An object a line, printed as it comes. */
export const createNdjson: CreateRenderer = (options) => {
  const select = createSelection(options);
  const toLine = (record: FlatRecord): string => toJsonLine(select(record));
  return fromRecords(options, {
    async *list(_columns, source) {
      for await (const records of source.stream()) yield records.map(toLine).join('');
    },
    one: (_columns, record) => [toLine(record)],
    async *many(_columns, records) {
      for await (const record of records) yield toLine(record);
    },
    feed: () => ({ add: (records) => records.map(toLine).join(''), end: () => '' }),
  });
};
