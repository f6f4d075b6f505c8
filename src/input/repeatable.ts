export function collectValues(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** For one that may be repeated or hold a comma list: every name given, without blanks and repeats. */
export function collectNames(value: string, before: readonly string[] = []): readonly string[] {
  const names = value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return [...new Set([...before, ...names])];
}
