import { createInvalid, createProblem, type Flaw, type Problem } from './problems.ts';
import type { Context } from './route.ts';

/**
 * The value of a query parameter; the last of several, undefined when absent or empty. Assumed: an empty parameter
 * counts as absent, and the service ignores parameters that a route does not know, except `include`.
 */
export function readParameter(url: URL, name: string): string | undefined {
  const value = url.searchParams.getAll(name).at(-1);
  return value === undefined || value === '' ? undefined : value;
}

/**
 * A comma list without its empty entries; undefined when nothing is left. Assumed: a filter of nothing but commas, such
 * as `filter[email]=,`, restricts nothing.
 */
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
  // Assumed: an include that a route does not know is answered with 400; the service's document doesn't say which ones
  // there are.
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
  // Assumed: a value that a parameter does not know is answered with 400; the service's document lists the values
  // alone.
  if (choice === undefined) throw createProblem(400, `${name} must be one of: ${known.join(', ')}`);
  return choice;
}

export type Members = Readonly<Record<string, unknown>>;

/** The members of a JSON object; none for anything else, so that what is missing inside is reported as missing. */
export function toMembers(value: unknown): Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : {};
}

export type Form = ReturnType<typeof readForm>;

/**
 * Reads the resource that a write sends. Each reading notes what is wrong, and `check` throws 422 with all of it.
 * `type`: its type; absent where any is taken. Assumed: one answer names everything that is wrong with a write.
 */
export function readForm(context: Context, type?: string) {
  const data = toMembers(context.body()['data']);
  const attributes = toMembers(data['attributes']);
  const flaws: Flaw[] = [];
  const toPointer = (member: string): string => `/data/${member}`;
  /** `member`: the path within the resource to what is wrong. */
  const note = (member: string, detail: string): void => void flaws.push({ detail, pointer: toPointer(member) });
  if (type !== undefined && data['type'] !== type) note('type', `Type must be ${type}`);
  return {
    data,
    attributes,
    note,
    /** A text that fits the pattern; empty where it is missing, blank or another. */
    text(name: string, label: string, pattern = /^/, otherwise = `${label} is invalid`): string {
      const value = attributes[name];
      if (typeof value === 'string' && value !== '') {
        if (pattern.test(value)) return value;
        note(`attributes/${name}`, otherwise);
        return '';
      }
      const isBlank = value === undefined || value === null || value === '';
      note(`attributes/${name}`, isBlank ? `${label} can't be blank` : `${label} must be a string`);
      return '';
    },
    /** `absent` where the attribute is missing or not valid. */
    value<Value>(name: string, label: string, absent: Value, isValid: (value: unknown) => boolean): Value {
      const value = attributes[name];
      if (value === undefined) return absent;
      if (isValid(value)) return value as Value;
      note(`attributes/${name}`, `${label} is invalid`);
      return absent;
    },
    check(): void {
      if (flaws.length > 0) throw createInvalid(flaws);
    },
    /** What to throw for a flaw that is found after `check`. */
    refuse: (member: string, detail: string): Problem => createInvalid([{ detail, pointer: toPointer(member) }]),
  };
}
