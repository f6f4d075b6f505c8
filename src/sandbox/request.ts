import { createProblem, type Flaw } from './problems.ts';

/**
 * The value of a query parameter; the last of several, undefined when absent or empty.
 * Assumed: an empty one counts as absent, and parameters that a route does not know are ignored, except `include`.
 */
export function readParameter(url: URL, name: string): string | undefined {
  const value = url.searchParams.getAll(name).at(-1);
  return value === undefined || value === '' ? undefined : value;
}

/** A comma list without its empty entries; undefined when nothing is left. Assumed: so `filter[email]=,` restricts nothing. */
export function readList(url: URL, name: string): string[] | undefined {
  const entries = (readParameter(url, name) ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  return entries.length === 0 ? undefined : entries;
}

/** Throws 400 for a name that is not in `known`. */
export function readInclude(url: URL, known: readonly string[]): ReadonlySet<string> {
  const names = readList(url, 'include') ?? [];
  // Assumed: the service's document leaves open what include takes, and what it answers to anything else.
  if (!names.every((name) => known.includes(name))) throw createProblem(400, 'Invalid include parameter');
  return new Set(names);
}

/** Throws 400 for a value that is not in `known`. */
export function readChoice<Choice extends string>(
  url: URL,
  name: string,
  known: readonly Choice[],
): Choice | undefined {
  const value = readParameter(url, name);
  if (value === undefined) return undefined;
  const choice = known.find((candidate) => candidate === value);
  // Assumed: the service's document lists the values and does not say what others get.
  if (choice === undefined) throw createProblem(400, `${name} must be one of: ${known.join(', ')}`);
  return choice;
}

/** Reads what a client sent, of which nothing is known. Assumed: everything wrong with it is reported at once. */

export type Members = Readonly<Record<string, unknown>>;

/** The members of a JSON object; none for anything else, so that what is missing inside is reported as missing. */
export function toMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

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
