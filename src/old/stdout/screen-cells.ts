import { showRelative, showTime, toCellText, toDetails } from './cell.ts';
import { type AnyColumns, listFields, type ScreenColumn, type ScreenLine, type Show } from './columns.ts';
import { getField, getFilled } from './fields.ts';
import type { FlatRecord } from './flatten.ts';

/** What people read of records, as texts that no format has made safe yet. */

export interface View {
  /** What `--fields` names; undefined where it names nothing. */
  readonly fields?: readonly string[] | undefined;
  /** Milliseconds, for relative times; undefined where a text is kept, and they would age. */
  readonly now: number | undefined;
}

/** Of fields that were asked for, none is left out, and one that the default table shows looks as it does there. */
export function toScreenColumns(columns: AnyColumns, { fields }: Pick<View, 'fields'>): readonly ScreenColumn[] {
  const { shown, screen } = columns;
  if (fields === undefined && screen !== undefined) return screen;
  const asked = fields ?? shown;
  const heads = toHeads(asked, columns);
  return asked.map((field, index) => ({
    ...withoutCuts(findColumn(field, columns) ?? { field }),
    head: heads[index] ?? '',
    priority: 0,
    wraps: true,
  }));
}

function withoutCuts<Column extends Partial<ScreenColumn>>({ cuts: _cuts, ...column }: Column) {
  return column;
}

/** A text for each of these columns. */
export function createCells(columns: AnyColumns, { fields, now }: View): (record: FlatRecord) => readonly string[] {
  const toText = createText(columns, now, showRelative);
  const isDefault = fields === undefined && columns.screen !== undefined;
  const shown = toScreenColumns(columns, { fields });
  return (record) =>
    shown.map(({ field, show }) => {
      if (show !== undefined) return show(getField(record, field), record, now);
      return isDefault ? toCellText(getField(record, field)) : toText(field, getFilled(record, field, columns), record);
    });
}

/** What `--fields` takes for a column. */
export function listFieldsOf({ field, fields = [field] }: ScreenColumn): readonly string[] {
  return fields;
}

/** The column of the default table that shows this field, and no other one beside it. */
function findColumn(asked: string, { screen = [] }: AnyColumns): ScreenColumn | undefined {
  return screen.find(({ field, fields = [field] }) => (fields.includes(asked) ? fields.length === 1 : field === asked));
}

/** What a thing is called, or whether it is on, is clear from the name of the thing. */
const CLEAR = /^(?:id|name|code|enabled)$/;

/** Headings that are as short as can be, and each of one field alone. */
function toHeads(fields: readonly string[], columns: AnyColumns): readonly string[] {
  const known = listFields(columns);
  const taken = new Set(columns.screen?.map(({ head }) => head));
  const heads = fields.map((field) => {
    const found = findColumn(field, columns);
    if (found !== undefined) return found.head;
    const [last = field, owner = last] = field.split('.').reverse();
    const short = CLEAR.test(last) ? owner : last;
    const head = short.toUpperCase();
    return taken.has(head) || (short === last && known.includes(short)) ? field.toUpperCase() : head;
  });
  return heads.map((head, index) =>
    heads.some((other, place) => other === head && fields[place] !== fields[index])
      ? (fields[index] ?? '').toUpperCase()
      : head,
  );
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
