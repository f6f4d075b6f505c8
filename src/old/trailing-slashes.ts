export function withoutTrailingSlashes(text: string): string {
  // Not looked for from each slash of a run again: of a long one within the text, that would take its length squared.
  return text.replace(/(?<!\/)\/+$/, '');
}
