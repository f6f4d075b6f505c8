/** `acme`, `acme and globex`, `acme, globex and initech` */
export function joinNames(names: readonly string[], word = 'and'): string {
  const before = names.slice(0, -1).join(', ');
  return before === '' ? (names[0] ?? '') : `${before} ${word} ${names.at(-1)}`;
}
