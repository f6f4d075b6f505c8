/**
 * What a spreadsheet would run: a text that begins like a formula, and, where it splits cells at another character than we do
 * or takes quotation marks for its own, any part of one. A mark in front makes it a text.
 */
const BEGINNING = /(?<![^;,|\t\n"])(?='*[=+\-@＝＋－＠])|^(?='*[\t\n])/gu;
const MARKED = /(?<![^;,|\t\n"])'(?='*[=+\-@＝＋－＠])|^'(?='*[\t\n])/gu;

export function markFormulas(text: string): string {
  return text.replace(BEGINNING, "'");
}

/** The text that was marked. */
export function unmarkFormulas(text: string): string {
  return text.includes("'") ? text.replace(MARKED, '') : text;
}
