import fc from 'fast-check';
import type { Opened, Target } from './target.ts';
import { WORDS } from './words.ts';

/** Finds code whose time grows with the square of a text: the text is doubled until its time can be measured. */

interface Growth {
  readonly target: string;
  /** What was repeated, between what. */
  readonly unit: string;
  readonly place: string;
  readonly length: number;
  readonly milliseconds: number;
  /** The time for this length divided by that for an eighth of it. */
  readonly ratio: number;
}

const SHORTEST = 2_048;
const LONGEST = 1_048_576;
/** Milliseconds: less is noise. */
const MEASURABLE = 100;
/** Eight times the length takes eight times as long, and more where memory gets scarce; squared it would be 64 times. */
const SUSPECT = 32;

/** The suspects among `patterns` texts, each put in place of one text of an input. */
export async function findGrowth(target: Target, seed: number, patterns: number): Promise<readonly Growth[]> {
  const units = WORDS.filter((word) => word !== '' && word.length < 20);
  const pattern = fc.record({
    input: target.inputs,
    unit: fc
      .array(fc.constantFrom(...units, 'a', '1', '<title', '"', '[', '{"a":', '- ', 'a,', 'a.', 'a: '), {
        minLength: 1,
        maxLength: 2,
      })
      .map((all) => all.join('')),
    end: fc.constantFrom('', '\0', 'x', '"', ' '),
    leaf: fc.nat(31),
  });
  const opened = await target.open();
  const found: Growth[] = [];
  try {
    for (const { input, unit, end, leaf } of fc.sample(pattern, { seed, numRuns: patterns })) {
      const places = findTexts(input, []);
      const place = places[leaf % Math.max(1, places.length)];
      if (place === undefined) continue;
      const growth = await double(opened, (length) => replace(input, place, (text) => grow(text, unit, end, length)));
      if (growth !== undefined)
        found.push({ target: target.name, unit: unit + end, place: place.join('.'), ...growth });
    }
  } finally {
    await opened.close();
  }
  return found;
}

function grow(text: string, unit: string, end: string, length: number): string {
  const half = Math.floor(text.length / 2);
  // Sometimes alone, sometimes inside the text it replaces.
  const [before, after] =
    text.length > 2_000 || unit.length % 2 === 0 ? ['', ''] : [text.slice(0, half), text.slice(half)];
  return before + unit.repeat(Math.ceil(length / unit.length)) + end + after;
}

async function double(
  opened: Opened,
  toInput: (length: number) => unknown,
): Promise<Pick<Growth, 'length' | 'milliseconds' | 'ratio'> | undefined> {
  for (let length = SHORTEST; length <= LONGEST; length *= 2) {
    if ((await time(opened, toInput(length))) < MEASURABLE) continue;
    const [whole, eighth] = [await time(opened, toInput(length), 3), await time(opened, toInput(length / 8), 3)];
    const ratio = whole / Math.max(eighth, 0.01);
    if (whole < MEASURABLE) continue;
    return ratio < SUSPECT
      ? undefined
      : { length, milliseconds: Math.round(whole), ratio: Math.round(ratio * 10) / 10 };
  }
  return undefined;
}

/** Milliseconds of this process alone, the shortest of some runs. */
async function time(opened: Opened, input: unknown, runs = 1): Promise<number> {
  let shortest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run += 1) {
    const started = process.cpuUsage();
    try {
      await opened.run(input);
    } catch {
      // Whether it keeps the laws is tested elsewhere.
    }
    const { user, system } = process.cpuUsage(started);
    shortest = Math.min(shortest, (user + system) / 1_000);
  }
  return shortest;
}

type Place = readonly (string | number)[];

function findTexts(value: unknown, at: Place): readonly Place[] {
  if (typeof value === 'string') return [at];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    findTexts(inner, [...at, Array.isArray(value) ? Number(name) : name]),
  );
}

function replace(value: unknown, [first, ...rest]: Place, change: (text: string) => string): unknown {
  if (first === undefined) return change(String(value));
  if (Array.isArray(value)) return value.map((item, index) => (index === first ? replace(item, rest, change) : item));
  return Object.fromEntries(
    Object.entries(value as object).map(([name, inner]) => [
      name,
      name === first ? replace(inner, rest, change) : inner,
    ]),
  );
}
