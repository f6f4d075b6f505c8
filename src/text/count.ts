/** `4,327`, as people read it. */
export function formatCount(count: number): string {
  return count.toLocaleString('en');
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
