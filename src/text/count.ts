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

/** `acme`, or `these 3 organizations`. */
export function describeThese(organizations: readonly string[]): string {
  const [first = '', ...others] = new Set(organizations);
  return others.length === 0 ? first : `these ${countOrganizations(others.length + 1)}`;
}

export function countOrganizations(count: number): string {
  return countThings(count, 'organization', 'organizations');
}

/** `3 to invite`; nothing of none, and of what is not known. */
export function countAny(count: number | undefined, words: string): readonly string[] {
  return count === undefined || count <= 0 ? [] : [`${formatCount(count)} ${words}`];
}
