import { stream } from '../../reading.ts';
import type { FlatRecord } from '../flatten.ts';
import { toJsonLine } from '../json.ts';
import { createSelection, fromRecords } from '../records.ts';
import type { CreateRenderer } from '../renderer.ts';

/** An object a line, printed as it comes; of each, what a query finds, and no line where it finds nothing. */
export const createNdjson: CreateRenderer = (options) => {
  const { query } = options;
  const select = createSelection(options);
  const toLine = (record: FlatRecord): string => {
    const selected = select(record);
    const found = query === undefined ? selected : query(selected);
    return found === null ? '' : toJsonLine(found);
  };
  return fromRecords(options, {
    async *list(_columns, source) {
      for await (const records of stream(source)) yield records.map(toLine).join('');
    },
    one: (_columns, record) => [toLine(record)],
    async *many(_columns, records) {
      let fault: unknown;
      for await (const record of records) {
        try {
          yield toLine(record);
        } catch (error) {
          // The rows after it were done too, so they are still printed.
          fault ??= error;
        }
      }
      if (fault !== undefined) throw fault;
    },
    feed: () => ({ add: (records) => records.map(toLine).join(''), end: () => '' }),
  });
};
