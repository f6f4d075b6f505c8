/** What YAML reads as this text without quotation marks, whatever its version. */
const PLAIN = /^[A-Za-z][\w.+@/-]*$/;
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** A text as YAML reads it back, with quotation marks where it needs them: a JSON text is a quoted YAML text. */
export function toYamlText(text: string): string {
  return PLAIN.test(text) && !WORDS.test(text) ? text : JSON.stringify(text);
}
