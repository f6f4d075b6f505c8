import { isObject } from '../json-object.ts';
import type { Columns } from './columns.ts';
import type { FlatRecord } from './flatten.ts';

/** A value as the text of one cell, not yet made safe for any format. Null is empty. */
export function toCellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(toCellText).join(',');
  if (isObject(value)) return isIdentified(value) ? toLabel(value) : JSON.stringify(value);
  return String(value);
}

/**
 * The fields a single thing is shown with, each with its value. A relationship is one of them; another object is one
 * for each member, one level deep.
 */
export function toDetails(record: FlatRecord, shape: Columns['shape']): (readonly [path: string, value: unknown])[] {
  return Object.entries(record).flatMap(([name, value]) => {
    // Records have no relationships: an `id` and `type` there are only part of what is to be shown.
    if (!isObject(value) || (shape === 'resource' && isIdentified(value))) return [[name, value] as const];
    return Object.entries(value).map(([member, inner]) => [`${name}.${member}`, inner] as const);
  });
}

function isIdentified({ id, type }: Record<string, unknown>): boolean {
  return typeof id === 'string' && typeof type === 'string';
}

function toLabel({ id, name, username, email }: Record<string, unknown>): string {
  return toCellText([name, username, email].find((text) => typeof text === 'string' && text !== '') ?? id);
}
