import { joinNames } from './join.ts';

/** What was probably meant by a word that nothing is called. */

const MOST_MEANT = 3;
const MOST_LISTED = 12;
const LARGEST_DISTANCE = 3;

/** The known words that are most like it, the likeliest first. Compared without case. */
export function findNear(word: string, known: Iterable<string>): readonly string[] {
  const wanted = word.toLowerCase();
  if (wanted === '') return [];
  const near: { readonly name: string; readonly distance: number }[] = [];
  for (const name of new Set(known)) {
    const distance = rate(wanted, name.toLowerCase());
    if (distance !== undefined) near.push({ name, distance });
  }
  return near
    .sort((one, other) => one.distance - other.distance)
    .slice(0, MOST_MEANT)
    .map(({ name }) => name);
}

/** `Did you mean ada-auditor or adam?` Undefined where nothing is near. */
export function askMeant(near: readonly string[]): string | undefined {
  return near.length === 0 ? undefined : `Did you mean ${joinNames(near, 'or')}?`;
}

/** All known words in a row; undefined where there are none, or too many to be read. */
export function listFew(known: readonly string[]): string | undefined {
  return known.length > 0 && known.length <= MOST_LISTED ? known.join(', ') : undefined;
}

/** How far one is from the other; undefined for words that have little in common. */
function rate(wanted: string, name: string): number | undefined {
  const allowed = Math.min(LARGEST_DISTANCE, Math.floor(Math.max(wanted.length, name.length) / 2.5));
  const distance = Math.abs(wanted.length - name.length) > allowed ? Number.POSITIVE_INFINITY : measure(wanted, name);
  if (distance <= allowed) return distance;
  // A part of the name is what people remember, or the name is short for what they typed.
  const isPart = wanted.length > 2 && name.length > 2 && (name.includes(wanted) || wanted.includes(name));
  return isPart ? LARGEST_DISTANCE + 1 : undefined;
}

/** How many characters were left out, added, changed or swapped with the next one. */
function measure(one: string, other: string): number {
  const rows: number[][] = [];
  for (let i = 0; i <= one.length; i += 1) {
    const row: number[] = [i];
    const above = rows[i - 1] ?? [];
    for (let j = 1; j <= other.length; j += 1) {
      if (i === 0) row.push(j);
      else {
        const change = one[i - 1] === other[j - 1] ? 0 : 1;
        const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
        row.push(
          Math.min(
            (above[j] ?? 0) + 1,
            (row[j - 1] ?? 0) + 1,
            (above[j - 1] ?? 0) + change,
            isSwapped ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
          ),
        );
      }
    }
    rows.push(row);
  }
  return rows[one.length]?.[other.length] ?? 0;
}
