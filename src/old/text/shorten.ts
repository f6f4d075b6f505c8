/** How much of one text, of one list and of all lines together is shown: a service can send as much as it likes. */
const MOST_CHARACTERS = 10_000;
const MOST_ENTRIES = 1_000;

/** So much of a text is searched for secrets: one that begins in what is shown is there as a whole. */
const MOST_SEARCHED = 3 * MOST_CHARACTERS;
/** The end of a text that was cut earlier. */
const REST = /… \((\d+) more characters\)$/;

/** The text, or as much of its beginning as people read, and how much more there is. */
export const shortenText = (text: string): string => cutText(text, MOST_CHARACTERS);

function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const [rest = '', more = '0'] = REST.exec(text.slice(-40)) ?? [];
  return `${text.slice(0, most)}… (${text.length - rest.length - most + Number(more)} more characters)`;
}

/** The text, or as much as has to be searched before it is shortened. */
export const cutForSearch = (text: string): string => cutText(text, MOST_SEARCHED);

/** A value of JSON, in which every text is cut as `cutForSearch` does. */
export function cutValueForSearch(value: unknown): unknown {
  if (typeof value === 'string') return cutForSearch(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(cutValueForSearch);
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [cutForSearch(name), cutValueForSearch(inner)]),
  );
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

/** Of a list within a message, and of one that is shown before a confirmation. */
const MOST_LISTED = 20;
const MOST_ASKED = 100;

/** What a question is about, a line each. */
export const shortenAsked = (lines: readonly string[]): readonly string[] =>
  shortenList(lines, MOST_ASKED, '; all of them: --dry-run');

/** `elsewhere`: where the rest is, such as `; all rows: -o csv`. */
export function shortenList(lines: readonly string[], most = MOST_LISTED, elsewhere = ''): readonly string[] {
  return lines.length > most ? [...lines.slice(0, most), `and ${lines.length - most} more${elsewhere}`] : lines;
}
