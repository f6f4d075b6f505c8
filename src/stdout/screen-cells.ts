import { showRelative, showTime, toCellText, toDetails } from './cell.ts';
import type { AnyColumns, ScreenColumn, ScreenLine, Show } from './columns.ts';
import { getField, getFilled } from './fields.ts';
import type { FlatRecord } from './flatten.ts';

/** What people read of records, as texts that no format has made safe yet. */

export interface View {
  /** What `--fields` names; undefined where it names nothing. */
  readonly fields?: readonly string[] | undefined;
  /** Milliseconds, for relative times; undefined where a text is kept, and they would age. */
  readonly now: number | undefined;
}

/** Of fields that were asked for, none is left out. */
export function toScreenColumns(
  { shown, screen }: AnyColumns,
  { fields }: Pick<View, 'fields'>,
): readonly ScreenColumn[] {
  if (fields === undefined && screen !== undefined) return screen;
  return (fields ?? shown).map((field) => ({ head: field.toUpperCase(), field, priority: 0, wraps: true }));
}

/** A text for each of these columns. */
export function createCells(columns: AnyColumns, { fields, now }: View): (record: FlatRecord) => readonly string[] {
  if (fields !== undefined || columns.screen === undefined) {
    const toText = createText(columns, now, showRelative);
    const shown = fields ?? columns.shown;
    return (record) => shown.map((field) => toText(field, getFilled(record, field, columns), record));
  }
  const { screen } = columns;
  return (record) =>
    screen.map(({ field, show }) => {
      const value = getField(record, field);
      return show === undefined ? toCellText(value) : show(value, record, now);
    });
}

export type Line = Pick<ScreenLine, 'label' | 'tone'> & { readonly value: string };

/** A single thing. */
export function toLines(columns: AnyColumns, record: FlatRecord, { fields, now }: View): readonly Line[] {
  if (fields === undefined && columns.lines !== undefined) {
    return columns.lines.map(({ field, show = toCellText, ...line }) => ({
      ...line,
      value: show(getField(record, field), record, now),
    }));
  }
  const toText = createText(columns, now, showTime);
  const details =
    fields?.map((field) => [field, getFilled(record, field, columns)] as const) ?? toDetails(record, columns.shape);
  return details.map(([label, value]) => ({ label, value: toText(label, value, record) }));
}

/** A value as people read it where nothing else says how. */
function createText(
  { words, times }: AnyColumns,
  now: number | undefined,
  show: Show,
): (field: string, value: unknown, record: FlatRecord) => string {
  return (field, value, record) => {
    const toWords = words?.[field];
    if (toWords !== undefined) return toWords(value, record);
    if (typeof value === 'string' && times?.includes(field) === true) return show(value, record, now);
    return Array.isArray(value) ? value.map(toCellText).join(', ') : toCellText(value);
  };
}
