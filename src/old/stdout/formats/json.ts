import { setImmediate } from 'node:timers/promises';
import { collect } from '../../reading.ts';
import type { FlatRecord } from '../flatten.ts';
import { createJsonArray, renderJson, renderJsonArray } from '../json.ts';
import { createSelection, fromRecords } from '../records.ts';
import type { CreateRenderer } from '../renderer.ts';

/**
 * Prints one object, or one array of objects, or what a query finds in all of it. A query may take long, so signals
 * that came already are handled first.
 */
export const createJson: CreateRenderer = (options) => {
  const { query } = options;
  const select = createSelection(options);
  return fromRecords(options, {
    async *list(_columns, source) {
      const groups = await collect(source, (records) => records.map(select));
      if (query === undefined) return yield* renderJsonArray(groups);
      await setImmediate();
      yield* renderJson(query(groups.flat()));
    },
    one: (_columns, record) => renderJson(query === undefined ? select(record) : query(select(record))),
    async *many(_columns, records) {
      if (query !== undefined) {
        const all: FlatRecord[] = [];
        for await (const record of records) all.push(select(record));
        await setImmediate();
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
        const end = async (): Promise<string> => {
          await setImmediate();
          return [...renderJson(query(all))].join('');
        };
        return { add, end };
      }
      const array = createJsonArray();
      return { add: (records) => array.add(records.map(select)), end: () => array.end() };
    },
  });
};
