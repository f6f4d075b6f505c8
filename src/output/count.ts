import { getField, type JsonObject } from '../lib/json.ts';
import { assertFields, type Columns, formatValue } from './columns.ts';

export const COUNT_COLUMNS: Columns = {
  table: [
    { header: 'COUNT', field: 'count', align: 'right', format: 'count' },
    { header: 'SHARE', field: 'share', align: 'right', format: (share) => `${(Number(share) * 100).toFixed(1)} %` },
    { header: 'VALUE', field: 'value', format: (value) => (value === null ? 'none' : formatValue(value, ', ')) },
  ],
};

/** A row per value of the field, the most frequent first. Throws UsageError for a field that no column or row has. */
export async function* countRows(
  columns: Columns,
  pages: AsyncIterable<JsonObject[]> | Iterable<JsonObject[]>,
  field: string,
): AsyncGenerator<JsonObject[]> {
  const counts = new Map<string, { count: number; value: unknown }>();
  let rows = 0;
  let isKnown = columns.hasOtherFields !== true;
  for await (const records of pages) {
    for (const record of records) {
      const values = [getField(record, field)].flat(Number.POSITIVE_INFINITY).filter((value) => value !== undefined);
      isKnown ||= values.length > 0;
      // A row counts once for each of its values.
      const own = new Map((values.length > 0 ? values : [null]).map((value) => [JSON.stringify(value), value]));
      for (const [key, value] of own) {
        const found = counts.get(key);
        if (found) found.count += 1;
        else counts.set(key, { count: 1, value });
      }
    }
    rows += records.length;
  }
  if (!isKnown) assertFields([field], columns, []);
  const order = ({ value }: { value: unknown }): string => formatValue(value);
  yield [...counts.values()]
    .sort((one, other) => other.count - one.count || (order(one) < order(other) ? -1 : 1))
    .map(({ count, value }) => ({ count, share: count / rows, value }));
}
