export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands under these names, one within the other; undefined where there is none. */
export function getMember(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce((member, name) => (isObject(member) ? member[name] : undefined), value);
}

/** The value where it is a text. An object that came as JSON can be one that has no text at all, and fails to give it. */
export function toText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/**
 * Levels of lists and objects. No document of the service and no file of ours comes near it; whatever walks a value calls
 * itself for each level, and somewhere beyond a thousand the stack ends.
 */
export const DEEPEST = 500;

/** As JSON.parse, but throws SyntaxError too for what is nested deeper than anything means. */
export function parseJsonText(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isDeeper(value, DEEPEST)) throw new SyntaxError(`it is nested more than ${DEEPEST} levels deep`);
  return value;
}

/** Every answer passes here. It calls itself no more often than there are levels allowed. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((member) => isDeeper(member, levels - 1));
  // Object.values would take twice as long. What JSON.parse made inherits no members, so the loop sees only its own.
  for (const name in value) if (isDeeper((value as Record<string, unknown>)[name], levels - 1)) return true;
  return false;
}
