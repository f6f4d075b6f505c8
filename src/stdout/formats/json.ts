import type { FlatRecord } from '../flatten.ts';
import { createJsonArray, renderJson, renderJsonArray } from '../json.ts';
import { createSelection, fromRecords } from '../records.ts';
import type { CreateRenderer } from '../renderer.ts';

/** One object, or one array of objects; of all of it, what a query finds. */
export const createJson: CreateRenderer = (options) => {
  const { query } = options;
  const select = createSelection(options);
  return fromRecords(options, {
    async *list(_columns, source) {
      const groups = await source.collect((records) => records.map(select));
      yield* query === undefined ? renderJsonArray(groups) : renderJson(query(groups.flat()));
    },
    one: (_columns, record) => renderJson(query === undefined ? select(record) : query(select(record))),
    async *many(_columns, records) {
      if (query !== undefined) {
        const all: FlatRecord[] = [];
        for await (const record of records) all.push(select(record));
        return yield* renderJson(query(all));
      }
      const array = createJsonArray();
      for await (const record of records) yield array.add([select(record)]);
      yield array.end();
    },
    feed() {
      if (query !== undefined) {
        const all: FlatRecord[] = [];
        const add = (records: readonly FlatRecord[]): string => {
          all.push(...records.map(select));
          return '';
        };
        return { add, end: () => [...renderJson(query(all))].join('') };
      }
      const array = createJsonArray();
      return { add: (records) => array.add(records.map(select)), end: () => array.end() };
    },
  });
};
