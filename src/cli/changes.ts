import type { IsDone } from '../api/writes.ts';
import { formatInOneLine, isFailure, OrgctlError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { joinNames } from '../lib/text.ts';
import { formatYes } from '../output/columns.ts';

// `changes` are the values that settings get, by name, and `shown` are the values that the service shows.

export function pickUnmet(values: JsonObject, shown: JsonObject): JsonObject {
  const entries = Object.entries(values).filter(([name, value]) => value !== undefined && shown[name] !== value);
  return Object.fromEntries(entries);
}

export function pickShown(shown: JsonObject, names: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(names).map((name) => [name, shown[name]]));
}

/** Undefined if only a part of the changes is in effect. */
export function isInEffect(changes: JsonObject, shown: JsonObject): boolean | undefined {
  const { length } = Object.keys(pickUnmet(changes, shown));
  return length > 0 && length < Object.keys(changes).length ? undefined : length === 0;
}

/** `visibility secret → organization, manage-teams no → yes`; without `shown`, `visibility secret`. */
export function formatChanges(changes: JsonObject, shown?: JsonObject): string {
  return Object.entries(changes)
    .map(([name, value]) => `${name} ${shown ? `${formatState(shown[name])} → ` : ''}${formatState(value)}`)
    .join(', ');
}

/** The error for values that are not as asked: `audit is already in acme, but visibility is secret`. */
export function findUnmet(done: string, unmet: JsonObject, shown: JsonObject): OrgctlError | undefined {
  const states = Object.keys(unmet).map((name) => `${name} is ${formatState(shown[name])}`);
  return states.length > 0 ? new OrgctlError('attention', `${done}, but ${joinNames(states)}`) : undefined;
}

function formatState(value: unknown): string {
  if (value === '') return '""';
  return value === null ? 'empty' : formatYes(value ?? 'unknown');
}

/**
 * Makes the changes, and reads the values again. Undefined in a dry run. `done`: `acme was changed`. `shown` is undefined
 * if the values can't be read.
 */
export async function applyChange(
  changes: JsonObject,
  done: string,
  read: () => Promise<JsonObject>,
  update: (isDone: IsDone) => ReturnType<IsDone>,
): Promise<{ shown?: JsonObject; failure: OrgctlError | undefined } | undefined> {
  if (!(await update(async () => isInEffect(changes, await read())))) return undefined;
  try {
    const shown = await read();
    return { shown, failure: findUnmet(done, pickUnmet(changes, shown), shown) };
  } catch (error) {
    if (!isFailure(error)) throw error;
    const reasons = [formatInOneLine(error)];
    return { failure: new OrgctlError('attention', `${done}, but reading it again failed`, { reasons, cause: error }) };
  }
}
