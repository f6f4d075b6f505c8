/** JSON as others send it or leave it in files. */

/**
 * Levels of lists and objects. No document of the service and no file of ours comes near it; whatever walks a value calls
 * itself for each level, and somewhere beyond a thousand the stack ends.
 */
const DEEPEST = 500;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** What opens is one bit away from what the other kind opens with, and so is what closes. */
const OTHER_KIND = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** As JSON.parse, but throws SyntaxError too for what is nested deeper than anything means. */
export function parseJsonText(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (isTooDeep(text)) throw new SyntaxError(`it is nested more than ${DEEPEST} levels deep`);
  return value;
}

/** Only of a text that is JSON. Every byte of a list passes here: the value itself would take longer to walk. */
function isTooDeep(text: string): boolean {
  const { length } = text;
  let depth = 0;
  for (let at = 0; at < length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) {
      at += 1;
      for (let inner = text.charCodeAt(at); inner !== QUOTE; inner = text.charCodeAt(at))
        at += inner === BACKSLASH ? 2 : 1;
    } else if ((unit | OTHER_KIND) === OPENING) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if ((unit | OTHER_KIND) === CLOSING) depth -= 1;
  }
  return false;
}
