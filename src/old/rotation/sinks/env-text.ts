/**
 * The text of an env file, one byte a character, so that bytes that are no UTF-8 stay as they are. Shells, dotenv
 * readers, systemd and Docker read such files, each a little differently: where they would disagree about the line in
 * question, these functions throw an Error that says so.
 */

interface Assignment {
  readonly key: string;
  readonly line: number;
  /** Where its line, its value and what follows the value begin. */
  readonly lineStart: number;
  readonly start: number;
  readonly end: number;
}

const BYTE_ORDER_MARK = '\u00ef\u00bb\u00bf';
const ASSIGNMENT = /[ \t]*(?:export[ \t]+)?([^\s=#'"`]+)[ \t]*=/y;
const QUOTES = `'"\``;

/** The text with this key's value replaced, or with a line added at the end. `key` is a plain name. */
export function setEnvValue(text: string, key: string, value: string): string {
  const written = toWritten(value);
  const found = findKey(text, key);
  if (found === undefined) return appendLine(text, `${key}=${written}`);
  return text.slice(0, found.start) + written + text.slice(found.end);
}

/** The key's value; undefined where there is none, or where readers would disagree about it. */
export function getEnvValue(text: string, key: string): string | undefined {
  const found = findKey(text, key);
  if (found === undefined) return undefined;
  const raw = text.slice(found.start, found.end).trim();
  const [, quote, quoted] = /^(['"])(.*)\1$/s.exec(raw) ?? [];
  if (quote === undefined || quoted === undefined) return raw;
  return quote === '"' && /[\\$`]/.test(quoted) ? undefined : quoted;
}

/** Written so that shells and dotenv readers agree: without quotes where possible, and never with escapes. */
function toWritten(value: string): string {
  if (/^[\w./+=:@%,-]+$/.test(value)) return value;
  if (/^[ -&(-[\]-~]+$/.test(value)) return `'${value}'`;
  if (/^[ !#%-[\]^_a-~]+$/.test(value)) return `"${value}"`;
  throw new Error('the token has characters that programs read differently, however they are written');
}

function findKey(text: string, key: string): Assignment | undefined {
  const [found, second] = [...scan(text)].filter((assignment) => assignment.key === key);
  if (found !== undefined && second !== undefined) {
    throw new Error(
      `${key} is set on line ${found.line} and again on line ${second.line}, and programs differ in which one counts`,
    );
  }
  if (found === undefined) return undefined;
  const continues = isContinued(text, found.lineStart) || isContinued(text, found.end);
  if (continues) throw new Error(`line ${found.line}, which sets ${key}, is joined to another line by a backslash`);
  return found;
}

function* scan(text: string): Generator<Assignment> {
  if (text.includes('\0') || /^(?:\u00ff\u00fe|\u00fe\u00ff)/.test(text)) throw new Error('it is not UTF-8 text');
  let at = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  for (let line = 1; at < text.length; line += 1) {
    ASSIGNMENT.lastIndex = at;
    const key = ASSIGNMENT.exec(text)?.[1];
    let end = at;
    if (key !== undefined) {
      const start = ASSIGNMENT.lastIndex;
      end = findValueEnd(text, start, line);
      yield { key, line, lineStart: at, start, end };
      line += text.slice(start, end).split('\n').length - 1;
    }
    const newline = text.indexOf('\n', end);
    at = newline < 0 ? text.length : newline + 1;
  }
}

/** A value ends before the blanks and the comment behind it; one in quotes may take several lines. */
function findValueEnd(text: string, start: number, line: number): number {
  const from = start + (/^[ \t]*/.exec(text.slice(start, findStop(text, start)))?.[0].length ?? 0);
  const quote = text[from];
  if (quote !== undefined && QUOTES.includes(quote)) {
    const close = findClosing(text, from, quote, line);
    const rest = text.slice(close + 1, findStop(text, close));
    if (/^[ \t]*$|^[ \t]+#/.test(rest)) return close + 1;
    if (close > findStop(text, from) || /['"`]/.test(rest)) {
      throw new Error(`programs differ in where the value on line ${line} ends`);
    }
  }
  const plain = text.slice(start, findStop(text, start));
  return start + plain.replace(/(?<![ \t])[ \t]+(?:#.*)?$/s, '').length;
}

function findClosing(text: string, from: number, quote: string, line: number): number {
  for (let at = text.indexOf(quote, from + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    const backslashes = countBackslashes(text, at);
    if (backslashes === 0) return at;
    // In single quotes some readers take a backslash as it is; in double quotes some do not make one of two.
    if (quote === "'" || backslashes % 2 === 0) {
      throw new Error(`programs differ in where the value on line ${line} ends`);
    }
  }
  throw new Error(`the quote on line ${line} is never closed`);
}

function findStop(text: string, at: number): number {
  const newline = text.indexOf('\n', at);
  const stop = newline < 0 ? text.length : newline;
  return stop > at && text[stop - 1] === '\r' ? stop - 1 : stop;
}

/** Whether a backslash stands before this position, or before the line break there. */
function isContinued(text: string, at: number): boolean {
  const [lineBreak = ''] = /\r?\n?$/.exec(text.slice(Math.max(0, at - 2), at)) ?? [];
  return countBackslashes(text, at - lineBreak.length) % 2 === 1;
}

function countBackslashes(text: string, before: number): number {
  let count = 0;
  while (text[before - 1 - count] === '\\') count += 1;
  return count;
}

function appendLine(text: string, line: string): string {
  if (isContinued(text, text.length))
    throw new Error('its last line ends with a backslash, which joins it to the next');
  if (text.endsWith('\r'))
    throw new Error('programs differ in whether its last line has ended: it ends with half of a line break');
  const lineBreak = text.endsWith('\r\n') || (!text.endsWith('\n') && text.includes('\r\n')) ? '\r\n' : '\n';
  const isAtStart = text === '' || text === BYTE_ORDER_MARK || text.endsWith('\n');
  return `${text}${isAtStart ? '' : lineBreak}${line}${lineBreak}`;
}
