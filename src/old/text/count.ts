/** `4,327`, as people read it. */
export function formatCount(count: number): string {
  // What knows the marks of languages takes as long to load as a short command runs.
  return Number.isInteger(count) && Math.abs(count) < 1_000 ? String(count) : count.toLocaleString('en');
}

/** `1 person`, `4,327 people` */
export function countThings(count: number, one: string, several: string): string {
  return `${formatCount(count)} ${count === 1 ? one : several}`;
}

export function countPeople(count: number): string {
  return countThings(count, 'person', 'people');
}

/** `acme`, or `3 organizations`. */
export function describeOrganizations(names: readonly string[]): string {
  const distinct = new Set(names);
  const [only] = distinct;
  return distinct.size === 1 && only !== undefined ? only : countOrganizations(distinct.size);
}

/** `acme`, or `these 3 organizations`. */
export function describeThese(names: readonly string[]): string {
  const { size } = new Set(names);
  return size > 1 ? `these ${countOrganizations(size)}` : describeOrganizations(names);
}

export function countOrganizations(count: number): string {
  return countThings(count, 'organization', 'organizations');
}

/** `3 to invite`; nothing of none, and of what is not known. */
export function countAny(count: number | undefined, words: string): readonly string[] {
  return count === undefined || count <= 0 ? [] : [`${formatCount(count)} ${words}`];
}

/** `12,400`, or `12,400 of 100,000 (about 2 min left)`. `elapsed`: the milliseconds that it took so far. */
export function describePart(done: number, total: number | undefined, elapsed: number): string {
  return total === undefined || total < done
    ? formatCount(done)
    : `${formatCount(done)} of ${formatCount(total)}${estimate(elapsed, done, total)}`;
}

/** Before this, in milliseconds, nothing is said of how long the rest takes. */
const FIRST_ESTIMATE = 1000;

/** ` (about 10 s left)`, where that can be said and there is time to read it. */
function estimate(elapsed: number, done: number, total: number): string {
  if (elapsed < FIRST_ESTIMATE || done === 0) return '';
  const seconds = Math.round(((elapsed / done) * (total - done)) / 1000);
  if (seconds < 1) return '';
  return ` (about ${seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`} left)`;
}
