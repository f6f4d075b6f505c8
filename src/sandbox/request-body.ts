import type { Flaw } from './problems.ts';

/** Reading what a client sent: nothing about it is known beforehand. Assumed: everything wrong is told at once. */

export type Members = Readonly<Record<string, unknown>>;

/** The members of a JSON object; none for anything else, so that what is missing inside is reported as missing. */
export function toMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** `data.type` must be exactly this. */
export function findTypeFlaws(data: Members, type: string): Flaw[] {
  return data['type'] === type ? [] : [{ detail: `Type must be ${type}`, pointer: '/data/type' }];
}

/** Text that is neither missing nor blank, or what is wrong with it. */
export function readText(attributes: Members, name: string, label: string): { text: string } | { flaws: Flaw[] } {
  const value = attributes[name];
  const pointer = `/data/attributes/${name}`;
  if (value === undefined || value === null || value === '') {
    return { flaws: [{ detail: `${label} can't be blank`, pointer }] };
  }
  if (typeof value !== 'string') {
    return { flaws: [{ detail: `${label} must be a string`, pointer }] };
  }
  return { text: value };
}
