import { isObject } from '../json-object.ts';
import { toCellText } from './cell.ts';
import type { AnyColumns } from './columns.ts';
import type { FlatRecord } from './flatten.ts';
import type { WriteResult } from './result.ts';

/** What a dry run prints of a command about one thing: the thing, and what would be sent. */

export const PLANNED_FIELDS = ['planned', 'planned.effect', 'planned.method', 'planned.url', 'planned.body'];

/** A list where it is more than one write. */
export function toPlanned(result: WriteResult, writes: readonly object[]): WriteResult {
  const planned = { changed: false, planned: writes.length === 1 ? writes[0] : writes };
  const { record, extra } = result;
  if (record === undefined) return { ...result, extra: { ...extra, ...planned } };
  const { changed: _changed, ...rest } = record as FlatRecord;
  return { ...result, record: rest, extra: { ...extra, ...planned } };
}

/** As a text it is what would be done. */
export function withPlanned(columns: AnyColumns): AnyColumns {
  const { cells, words, lines } = columns;
  return {
    ...columns,
    cells: { ...cells, planned: describe },
    words: { ...words, planned: describe },
    ...(lines && { lines: [...lines, { label: 'Planned', field: 'planned', show: describe }] }),
  };
}

function describe(planned: unknown): string {
  const effects = [planned].flat().map((write) => toCellText(isObject(write) ? write['effect'] : write));
  return effects.join('; ');
}
