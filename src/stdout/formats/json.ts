import { createJsonArray, renderJson, renderJsonArray } from '../json.ts';
import { createSelection, fromRecords } from '../records.ts';
import type { CreateRenderer } from '../renderer.ts';

/** One object, or one array of objects. */
export const createJson: CreateRenderer = (options) => {
  const select = createSelection(options);
  return fromRecords(options, {
    async *list(_columns, source) {
      yield* renderJsonArray(await source.collect((records) => records.map(select)));
    },
    one: (_columns, record) => renderJson(select(record)),
    async *many(_columns, records) {
      const array = createJsonArray();
      for await (const record of records) yield array.add([select(record)]);
      yield array.end();
    },
    feed() {
      const array = createJsonArray();
      return { add: (records) => array.add(records.map(select)), end: () => array.end() };
    },
  });
};
