// An escape sequence is removed whole, so that no part of it is read as text.
const ESCAPE_SEQUENCE =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])\P{Cc}*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/gu;
const UNSAFE = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]|\p{Surrogate}/gu;
const LINE_BREAK = /\r\n|[\t\n\r\u2028\u2029]/g;
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const PRINTABLE_ASCII = /^[ -~]*$/;

/** Removes control characters and bidirectional overrides, which could control a terminal. Keeps line breaks. */
export function sanitize(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : text.replace(ESCAPE_SEQUENCE, '').replace(UNSAFE, '');
}

export function sanitizeLine(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : sanitize(text).replace(LINE_BREAK, ' ');
}

/** Cleans a line as `sanitizeLine` does, but shows where something was removed. */
export function replaceControls(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : text.replace(LINE_BREAK, ' ').replace(UNSAFE, '\ufffd');
}

/** Escapes the control characters and bidirectional overrides that `JSON.stringify` leaves. */
export function sanitizeJson(json: string): string {
  return json.replace(UNSAFE_IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** `1 person`, `2 people` */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;
}

/** `a, b and c` */
export function joinNames(names: readonly string[], word: 'and' | 'or' = 'and'): string {
  return names.join(', ').replace(/, ([^,]*)$/, ` ${word} $1`);
}

/** `a, b, c and 7 more` */
export function listSome(names: readonly string[], max = 3): string {
  const more = names.length > max ? ` and ${names.length - max} more` : '';
  return names.slice(0, max).join(', ') + more;
}

/**
 * Where a spreadsheet would read a formula, also one that takes a semicolon or tab for the end of a cell. Marks that are there
 * already are followed by another one, so that taking them off gives back the text.
 */
const FORMULA = /(?<=^|[;\t])(?=['"]*[=+\-@\t\r＝＋－＠])/g;
const MARK = /(?<=^|[;\t])'(?=['"]*[=+\-@\t\r＝＋－＠])/g;

export function markFormulas(cell: string): string {
  return cell.replace(FORMULA, "'");
}

export function unmarkFormulas(cell: string): string {
  return cell.replace(MARK, '');
}

export function quoteWord(word: string): string {
  return /^[\w@.+:/,-][\w@.+:/,=-]*$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** The service compares names without case. */
export function isSameName(name: string, other: string): boolean {
  return name.toLowerCase() === other.toLowerCase();
}

export function suggest(word: string, known: Iterable<string>): string | undefined {
  const maxDistance = Math.max(1, Math.floor(word.length * 0.4));
  const near = [...known]
    .filter((name) => Math.abs(name.length - word.length) <= maxDistance)
    .map((name) => ({ name, distance: countEdits(word.toLowerCase(), name.toLowerCase()) }))
    .filter(({ distance }) => distance <= maxDistance)
    .sort((one, other) => one.distance - other.distance);
  return near[0] && `Did you mean ${near[0].name}?`;
}

/** How many letters to insert, remove, replace or swap with the next one. */
function countEdits(from: string, to: string): number {
  let [earlier, last]: [number[], number[]] = [[], Array.from({ length: to.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= from.length; row += 1) {
    const next = [row];
    for (let at = 1; at <= to.length; at += 1) {
      const isSame = from[row - 1] === to[at - 1];
      const isSwapped = from[row - 1] === to[at - 2] && from[row - 2] === to[at - 1];
      const edits = [(last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1, (last[at - 1] ?? 0) + (isSame ? 0 : 1)];
      if (isSwapped && row > 1 && at > 1) edits.push((earlier[at - 2] ?? 0) + 1);
      next.push(Math.min(...edits));
    }
    [earlier, last] = [last, next];
  }
  return last[to.length] ?? 0;
}
