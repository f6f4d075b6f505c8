import { isObject } from '../json-object.ts';
import { toPlainJson } from '../text/plain-text.ts';

/** Longer arrays are written in pieces, since a whole large organization may not fit into one string. */
const PIECE = 1000;

/** Compact, on one line with its newline. */
export function toJsonLine(value: unknown): string {
  return `${toPlainJson(JSON.stringify(value))}\n`;
}

/** The array of all groups, as `JSON.stringify` with two spaces gives it, and a newline; a piece for each group. */
export function* renderJsonArray(groups: Iterable<readonly unknown[]>): Generator<string> {
  yield* renderArray(groups, '', '\n');
}

/** A value as `JSON.stringify` with two spaces gives it, and a newline, in pieces. */
export function* renderJson(value: unknown): Generator<string> {
  if (Array.isArray(value)) return yield* renderArray(toGroups(value), '', '\n');
  if (!isObject(value) || !Object.values(value).some((member) => Array.isArray(member) && member.length > PIECE)) {
    yield `${toPretty(value, '')}\n`;
    return;
  }
  let separator = '{';
  for (const [name, member] of Object.entries(value)) {
    if (member === undefined) continue;
    yield `${separator}\n  ${toPlainJson(JSON.stringify(name))}: `;
    separator = ',';
    if (Array.isArray(member)) yield* renderArray(toGroups(member), '  ', '');
    else yield toPretty(member, '  ');
  }
  yield '\n}\n';
}

function* renderArray(groups: Iterable<readonly unknown[]>, indent: string, end: string): Generator<string> {
  const array = createArray(indent, end);
  for (const group of groups) if (group.length > 0) yield array.add(group);
  yield array.end();
}

/** The text of an array whose items come one after the other. */
export interface ArrayText {
  /** The text that goes on with these items, of which there is at least one. */
  add(items: readonly unknown[]): string;
  /** The text that closes it. */
  end(): string;
}

/** As `renderJsonArray`, for items that are not there yet. */
export function createJsonArray(): ArrayText {
  return createArray('', '\n');
}

function createArray(indent: string, end: string, start = '['): ArrayText {
  let separator = start;
  return {
    add(items) {
      // Without its own brackets the text of a group continues the text of the one before.
      const text = separator + toPretty(items, indent).slice(1, -2 - indent.length);
      separator = ',';
      return text;
    },
    end: () => `${separator === start ? start : `\n${indent}`}]${end}`,
  };
}

function toPretty(value: unknown, indent: string): string {
  const text = toPlainJson(JSON.stringify(value, null, 2));
  return indent === '' ? text : text.replaceAll('\n', `\n${indent}`);
}

function* toGroups(items: readonly unknown[]): Generator<readonly unknown[]> {
  for (let start = 0; start < items.length; start += PIECE) yield items.slice(start, start + PIECE);
}
