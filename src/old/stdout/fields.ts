import { UsageError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { isSameName } from '../names.ts';
import { askMeant, findNear } from '../text/near.ts';
import { toPlainText } from '../text/plain-text.ts';
import { type AnyColumns, type ColumnNames, type Field, listFields } from './columns.ts';
import { type FlatRecord, setMember } from './flatten.ts';

/**
 * What stands at a field path, null when nothing does. A name may itself hold dots (`attributes.id`), so the longest
 * name that fits is tried first. A path into an array gives an array.
 */
export function getField<Row>(record: Row, path: Field<Row>): unknown {
  return find(record, path) ?? null;
}

/**
 * The value at a field path for a cell. Where there is none, the value of the field that the columns name `instead`.
 */
export function getFilled(record: FlatRecord, path: string, { instead = {} }: Pick<AnyColumns, 'instead'>): unknown {
  const value = getField(record, path);
  const other = instead[path];
  if (other === undefined) return value;
  const others = getField(record, other);
  if (!Array.isArray(value) || !Array.isArray(others)) return value ?? others;
  return value.map((item, index) => item ?? others[index]);
}

/** Only these fields, each under its path as one name. */
export function pickFields(record: FlatRecord, paths: readonly string[]): FlatRecord {
  const picked: Record<string, unknown> = {};
  for (const path of paths) setMember(picked, path, getField(record, path));
  return picked;
}

/**
 * Throws UsageError for a name that is neither among the columns nor in the given records; names what was probably meant,
 * and the columns. Names seen in records count: the service may send more than is listed.
 */
export function checkFieldNames(
  names: readonly string[],
  columns: ColumnNames,
  records: readonly FlatRecord[] = [],
): void {
  const listed = new Set(listFields(columns));
  if (names.every((name) => listed.has(name))) return;
  const known = new Set(listed);
  for (const record of records) addPaths(record, '', known);
  refuseNames(
    names,
    names.filter((name) => !known.has(name)),
    columns,
    known,
  );
}

/**
 * Throws UsageError for a name that no record with these columns can have, before there is one. A resource may have more
 * fields than are listed, but none that a heading of ours stands for.
 */
export function checkPossibleNames(names: readonly string[], columns: ColumnNames): void {
  const listed = new Set(listFields(columns));
  const isOpen = columns.shape !== 'record' || columns.isAsSent === true;
  const isPossible = (name: string): boolean =>
    listed.has(name) ||
    (findHeaded(name, columns).length === 0 && (isOpen || listAbove(name).some((above) => listed.has(above))));
  refuseNames(
    names,
    names.filter((name) => !isPossible(name)),
    columns,
    listed,
  );
}

function refuseNames(
  names: readonly string[],
  unknown: readonly string[],
  columns: ColumnNames,
  known: ReadonlySet<string>,
): void {
  if (unknown.length === 0) return;
  const meant = askHeaded(names, unknown, columns) ?? askNear(unknown, known);
  throw new UsageError(`unknown field${unknown.length === 1 ? '' : 's'}: ${unknown.map(toPlainText).join(', ')}`, {
    code: 'unknown-field',
    hint: `${meant === undefined ? '' : `${meant} `}It has: ${[...new Set(listFields(columns))].join(', ')}.`,
  });
}

function askNear(unknown: readonly string[], known: ReadonlySet<string>): string | undefined {
  return unknown.length === 1 ? askMeant(findNear(unknown[0] ?? '', [...known].map(toPlainText))) : undefined;
}

/** The whole option, where each unknown name is what a table or a line is headed by. */
function askHeaded(names: readonly string[], unknown: readonly string[], columns: ColumnNames): string | undefined {
  const meant = names.map((name) => (unknown.includes(name) ? findHeaded(name, columns) : [toPlainText(name)]));
  return meant.some((fields) => fields.length === 0) ? undefined : askMeant([`--fields ${meant.flat().join(',')}`]);
}

/** The fields that something of this name shows, whatever its case. */
function findHeaded(name: string, columns: ColumnNames): readonly string[] {
  const isCalled = (other: string): boolean => isSameName(other, name);
  const { screen = [], lines = [] } = columns;
  const same = listFields(columns).find(isCalled);
  if (same !== undefined) return [same];
  const column = screen.find(({ head }) => isCalled(head));
  if (column !== undefined) return column.fields ?? [column.field];
  return lines.flatMap(({ label, field }) => (isCalled(label) ? field : [])).slice(0, 1);
}

/** `user.two-factor` and `user` of `user.two-factor.enabled`. */
function listAbove(path: string): readonly string[] {
  const parts = path.split('.');
  return parts.slice(1).map((_part, index) => parts.slice(0, index + 1).join('.'));
}

function find(value: unknown, path: string): unknown {
  if (Array.isArray(value)) {
    const found = value.map((item) => find(item, path));
    return found.length === 0 || found.some((item) => item !== undefined)
      ? found.map((item) => item ?? null)
      : undefined;
  }
  if (!isObject(value)) return undefined;
  if (Object.hasOwn(value, path)) return value[path];
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const name = path.slice(0, dot);
    if (!Object.hasOwn(value, name)) continue;
    const found = find(value[name], path.slice(dot + 1));
    if (found !== undefined) return found;
  }
  return undefined;
}

function addPaths(value: unknown, prefix: string, paths: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) addPaths(item, prefix, paths);
  } else if (isObject(value)) {
    for (const name of Object.keys(value)) {
      paths.add(prefix + name);
      addPaths(value[name], `${prefix}${name}.`, paths);
    }
  }
}
