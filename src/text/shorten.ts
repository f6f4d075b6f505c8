/** How much of one text, of one list and of all lines together is shown: a service can send as much as it likes. */
const MOST_CHARACTERS = 10_000;
const MOST_ENTRIES = 1_000;

/** The text, or as much of its beginning as people read, and how much more there is. */
export function shortenText(text: string): string {
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS)}… (${text.length - MOST_CHARACTERS} more characters)`;
}

export function shortenLines(lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, MOST_ENTRIES).map(shortenText);
  return lines.length <= MOST_ENTRIES ? shown : [...shown, `  … (${lines.length - MOST_ENTRIES} more lines)`];
}

export function shortenValue(value: unknown): unknown {
  if (typeof value === 'string') return shortenText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (!Array.isArray(value)) {
    const entries = Object.entries(value).slice(0, MOST_ENTRIES);
    return Object.fromEntries(entries.map(([name, inner]) => [shortenText(name), shortenValue(inner)]));
  }
  const shown = value.slice(0, MOST_ENTRIES).map(shortenValue);
  return value.length <= MOST_ENTRIES ? shown : [...shown, `… (${value.length - MOST_ENTRIES} more)`];
}

/** Of a list that is shown before a confirmation. */
const MOST_LISTED = 20;

export function shortenList(lines: readonly string[]): readonly string[] {
  return lines.length > MOST_LISTED
    ? [...lines.slice(0, MOST_LISTED), `and ${lines.length - MOST_LISTED} more`]
    : lines;
}
