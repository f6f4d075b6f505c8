/** Whether a value that came as JSON is an object: neither null nor a list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value where it is a text. An object that came as JSON can be one that has no text at all, and fails to give it. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
