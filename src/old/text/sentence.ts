export function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** With a capital letter and what ends a sentence. */
export function toSentence(text: string): string {
  return `${capitalize(text)}${/[.!?]$/.test(text) ? '' : '.'}`;
}
