import { DEEPEST, isObject } from '../json-object.ts';
import { createQueryLimit } from './query-fault.ts';

/**
 * How much a query does, counted: `[@, @]` holds all of it twice, and a few of them in a row more than any machine can
 * print. What it may do and make grows with what it is given.
 */
export interface Work {
  /** A part of the query of this kind found this. Throws where that is too much. */
  found(kind: string, value: unknown): void;
  /** Counts a value that is read as a whole, for example in a comparison. */
  read(value: unknown): void;
  /** A comparison in the query, and what it looks into. */
  compare(comparison: Comparison, value: unknown): void;
  /** Counts a value that is printed as a whole. */
  print(value: unknown): void;
}

/** As the package parses one. */
interface Comparison {
  readonly value?: unknown;
  readonly children: readonly { readonly type: string; readonly value?: unknown }[];
}

/** Gets each name in a comparison that stands where a text may be meant, and whether there is such a field. */
export type NoteField = (name: string, isThere: boolean) => void;

export interface MostWork {
  readonly steps: number;
  readonly values: number;
}

const LEAST = { steps: 5_000_000, values: 1_000_000 };
const FOR_EACH_VALUE = { steps: 20, values: 10 };
/** So many characters of a text, or blanks before it, count as one more value. */
const CHARACTERS = 16;
/** The size of what is larger is remembered: it may stand in several places. */
const LARGE = 100;

export function toMostWork(given: number): MostWork {
  return {
    steps: LEAST.steps + given * FOR_EACH_VALUE.steps,
    values: LEAST.values + given * FOR_EACH_VALUE.values,
  };
}

/** How many values it holds, itself included. Each that stands in several places counts in each. */
export function countValues(value: unknown): number {
  if (typeof value !== 'object' || value === null) return toSize(value);
  let count = 1;
  for (const name in value) count += countValues((value as Record<string, unknown>)[name]);
  return count;
}

export function createWork(most: MostWork, noteField?: NoteField): Work {
  const sizes = new WeakMap<object, number>();
  let steps = 0;

  function step(count: number): void {
    steps += count;
    if (steps > most.steps) throw createQueryLimit(`takes more than ${most.steps.toLocaleString('en-US')} steps`);
  }

  function refuseMore(count: number): void {
    if (count > most.values) throw createQueryLimit(`makes more than ${most.values.toLocaleString('en-US')} values`);
  }

  function measure(value: unknown, level: number): number {
    step(1);
    if (typeof value !== 'object' || value === null) return toSize(value);
    if (level > DEEPEST) throw createQueryLimit(`nests values more than ${DEEPEST} levels deep`);
    const known = sizes.get(value);
    if (known !== undefined) return known;
    let size = 1;
    for (const name of Object.keys(value)) {
      size += measure((value as Record<string, unknown>)[name], level + 1) + Math.floor(name.length / CHARACTERS);
      refuseMore(size);
    }
    if (size > LARGE) sizes.set(value, size);
    return size;
  }

  return {
    found(kind, value) {
      step(Array.isArray(value) ? 1 + value.length : toSize(value));
      // Only this kind of expression puts one value into several places.
      if (kind.startsWith('multi_select')) measure(value, 0);
    },
    read: (value) => step(measure(value, 0)),
    compare({ value: sign, children }, value) {
      if (noteField === undefined || (sign !== 'eq' && sign !== 'ne') || !isObject(value)) return;
      if (children.some(({ type }) => type === 'literal')) return;
      for (const { type, value: name } of children) {
        if (type === 'field' && typeof name === 'string') noteField(name, Object.hasOwn(value, name));
      }
    },
    print(value) {
      let count = 0;
      const walk = (member: unknown, level: number): void => {
        count += toSize(member) + Math.floor((2 * level) / CHARACTERS);
        refuseMore(count);
        if (typeof member !== 'object' || member === null) return;
        if (level > DEEPEST) throw createQueryLimit(`nests values more than ${DEEPEST} levels deep`);
        for (const name of Object.keys(member)) walk((member as Record<string, unknown>)[name], level + 1);
      };
      walk(value, 0);
    },
  };
}

function toSize(value: unknown): number {
  return typeof value === 'string' ? 1 + Math.floor(value.length / CHARACTERS) : 1;
}
