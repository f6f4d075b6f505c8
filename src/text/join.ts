/** `acme`, `acme and globex`, `acme, globex and initech` */
export function joinNames(names: readonly string[], word = 'and'): string {
  const before = names.slice(0, -1).join(', ');
  return before === '' ? (names[0] ?? '') : `${before} ${word} ${names.at(-1)}`;
}

const MOST_NAMES = 10;

/** `a, b and c`; of many some, `and 3 more` */
export function listNames(names: readonly string[], last = ' and'): string {
  const left = names.length - MOST_NAMES;
  if (left > 0) return `${names.slice(0, MOST_NAMES).join(', ')} and ${left} more`;
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')}${last} ${names.at(-1)}`;
}
