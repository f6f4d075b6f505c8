/** `acme`, `acme and globex`, `acme, globex and initech` */
export function joinNames(names: readonly string[], word = 'and'): string {
  return join(names, ` ${word}`);
}

const MOST_NAMES = 10;

/** `a, b and c`; of many some, `and 3 more` */
export function listNames(names: readonly string[], last = ' and'): string {
  const left = names.length - MOST_NAMES;
  return left > 0 ? `${names.slice(0, MOST_NAMES).join(', ')} and ${left} more` : join(names, last);
}

function join(names: readonly string[], last: string): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')}${last} ${names.at(-1)}`;
}
