/**
 * What may reach a terminal. The service's text is other people's text: it may move the cursor, rename the window,
 * hide a link behind other words or turn the reading direction around. Right-to-left letters, emoji and combining
 * marks are ordinary text and stay.
 */

// An escape sequence goes as a whole, so that no rest of it is read as text: string sequences with their payload, then
// control sequences, then the short ones. A payload ends at any control character: no attempt to match reads further
// than the next one could start (linear time).
const SEQUENCE =
  /(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])\P{Cc}*(?:\u0007|\u001b\\|\u009c)|(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[ -/]*[0-~]/gu;

/** C0, DEL and C1, and every mark, override and isolate that changes the direction. */
const FORBIDDEN = /(?![\t\n\r])[\p{Cc}\p{Bidi_Control}]/gu;
/** Those that `JSON.stringify` does not escape. Every byte of a list passes here: spelt out, it is much faster. */
const FORBIDDEN_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
/** Nearly all text: printable ASCII, where there is nothing to look for. */
const PRINTABLE_ASCII = /^[ -~]*$/;
const HALF_OF_A_CHARACTER = /\p{Surrogate}/gu;

/** Without control sequences, control characters and direction changes. Tab, newline and return stay. */
export function toSafeText(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replace(HALF_OF_A_CHARACTER, '\ufffd').replace(SEQUENCE, '').replace(FORBIDDEN, '');
}

/** One line, safe for a terminal. */
export function toPlainText(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : toSafeText(text).replace(/\r\n|[\t\n\r\u2028\u2029]/g, ' ');
}

/** Safe for a terminal, newlines kept. */
export function toPlainBlock(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return toSafeText(text)
    .replace(/\r\n|[\r\u2028\u2029]/g, '\n')
    .replaceAll('\t', ' ');
}

/** JSON text that says the same, and in which nothing a terminal would obey stands as itself. */
export function toPlainJson(json: string): string {
  // Such characters can only stand inside a JSON string, where an escape means the same.
  return json.replace(FORBIDDEN_IN_JSON, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
