const VERSION = /^v?(\d+)\.(\d+)\.(\d+)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/;

/**
 * Orders versions newest first, by Semantic Versioning 2.0: a pre-release comes after its release, and what stands
 * behind a plus sign counts for nothing. Texts that are no versions come last, in the order they had.
 */
export function compareNewestFirst(one: string, other: string): number {
  const [first, second] = [VERSION.exec(one.trim()), VERSION.exec(other.trim())];
  if (first === null || second === null) return Number(first === null) - Number(second === null);
  for (const part of [1, 2, 3]) {
    const order = compareNumbers(second[part] ?? '', first[part] ?? '');
    if (order !== 0) return order;
  }
  return comparePreReleases(second[4], first[4]);
}

/** Oldest first. */
function comparePreReleases(one: string | undefined, other: string | undefined): number {
  if (one === undefined || other === undefined) return Number(one === undefined) - Number(other === undefined);
  const [first, second] = [one.split('.'), other.split('.')];
  for (const [index, part] of first.entries()) {
    const against = second[index];
    if (against === undefined) return 1;
    const order = compareIdentifiers(part, against);
    if (order !== 0) return order;
  }
  return first.length - second.length;
}

function compareIdentifiers(one: string, other: string): number {
  const [isNumber, isOtherNumber] = [/^\d+$/.test(one), /^\d+$/.test(other)];
  if (isNumber && isOtherNumber) return compareNumbers(one, other);
  if (isNumber !== isOtherNumber) return isNumber ? -1 : 1;
  return one < other ? -1 : Number(one > other);
}

/** By length first: a number can be longer than a double is exact. */
function compareNumbers(one: string, other: string): number {
  const [first, second] = [one.replace(/^0+(?=\d)/, ''), other.replace(/^0+(?=\d)/, '')];
  return first.length - second.length || (first < second ? -1 : Number(first > second));
}
