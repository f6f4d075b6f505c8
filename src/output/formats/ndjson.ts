import { sanitizeJson } from '../../lib/text.ts';
import { collectRows, type Renderer, type RenderOptions } from '../renderer.ts';
import { applyQuery, createSelector } from './json.ts';

export function createNdjson(options: RenderOptions): Renderer {
  const print = (value: unknown): string => `${sanitizeJson(JSON.stringify(value) ?? 'null')}\n`;
  return {
    rows(columns) {
      const select = createSelector(options, columns);
      if (!options.query) return { add: (record) => print(select(record)), end: () => '' };
      // A query applies to the whole result.
      return collectRows((records) => {
        const found = applyQuery(options, records.map(select));
        return (Array.isArray(found) ? found : [found]).map(print).join('');
      });
    },
    one: (columns, record) => print(applyQuery(options, createSelector(options, columns)(record))),
  };
}
