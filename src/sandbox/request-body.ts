import type { Flaw } from './problems.ts';

/** Reads what a client sent, of which nothing is known. Assumed: everything wrong with it is reported at once. */

export type Members = Readonly<Record<string, unknown>>;

/** The members of a JSON object; none for anything else, so that what is missing inside is reported as missing. */
export function toMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

/** `data.type` must be exactly this. */
export function findTypeFlaws(data: Members, type: string): Flaw[] {
  return data['type'] === type ? [] : [{ detail: `Type must be ${type}`, pointer: '/data/type' }];
}

/** Text that is neither missing nor blank; else undefined, and what is wrong is added to `flaws`. */
export function readText(attributes: Members, name: string, label: string, flaws: Flaw[]): string | undefined {
  const value = attributes[name];
  if (typeof value === 'string' && value !== '') return value;
  const isBlank = value === undefined || value === null || value === '';
  const detail = isBlank ? `${label} can't be blank` : `${label} must be a string`;
  flaws.push({ detail, pointer: `/data/attributes/${name}` });
  return undefined;
}
