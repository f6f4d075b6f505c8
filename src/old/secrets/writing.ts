/** How single characters may be written: as they are, or escaped for JSON, shells, URLs and HTML, also more than once. */

export interface Reading {
  /** In small letters; a blank for any blanks. */
  readonly character: string;
  readonly end: number;
}

/** Escaping what was escaped is looked through so many times. */
const MOST_LEVELS = 4;
/** In a row. */
export const MOST_BACKSLASHES = 64;
const LONGEST_ESCAPED = 80;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export function readCharacter(text: string, at: number): readonly Reading[] {
  const point = text.codePointAt(at);
  if (point === undefined) return [];
  const written = String.fromCodePoint(point);
  const literal = { character: toSmall(written), end: at + written.length };
  switch (written) {
    case '\\':
    case '/':
      return [literal, ...readBackslashes(text, at)];
    case '%':
      return [literal, ...readPercent(text, at)];
    case '&':
      return [literal, ...readEntity(text, at)];
    default:
      return [/\s/.test(written) ? { character: ' ', end: skipBlanks(text, at) } : literal];
  }
}

/** Where an escaped character begins that the text may end in; its length where it ends in none. */
export function findCutOff(text: string): number {
  const start = Math.max(0, text.length - LONGEST_ESCAPED);
  for (let at = start; at < text.length; at += 1) {
    if (/^(?:\\+(?:[ux][\da-f]*)?|%[\da-f%]*|&[\w#;]*)$/i.test(text.slice(at))) return at;
  }
  return text.length;
}

/** Letters beyond ASCII are written in one way only. */
export function toSmall(text: string): string {
  if (text.length === 1) return text >= 'A' && text <= 'Z' ? text.toLowerCase() : text;
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Where the blanks of a text end. They are read once, however often they are passed over: a text may be nothing but blanks. */
export interface Gaps {
  /** Behind the first blank from here on, and behind all of them: what seems to be the next one may be what follows. */
  skip(from: number): readonly number[];
}

/** So many characters of blanks are passed over at most. */
const LONGEST_GAP = 65_536;
/** Of so many blanks in a row one is remembered, with where they end. */
const BLANKS_BETWEEN = 16;

/** `onRead` is called for each blank that is read. */
export function createGaps(text: string, onRead: () => void): Gaps {
  const ends = new Map<number, number>();
  const readEnd = (from: number): number => {
    const passed: number[] = [];
    let at = from;
    for (let count = 0; ; count += 1) {
      const known = ends.get(at);
      const next = known ?? readBlank(text, at);
      onRead();
      if (count % BLANKS_BETWEEN === 0) passed.push(at);
      if (known !== undefined || next === at || next - from > LONGEST_GAP) {
        for (const place of passed) ends.set(place, next);
        return next;
      }
      at = next;
    }
  };
  return {
    skip(from) {
      const first = readBlank(text, from);
      if (first === from) return [from];
      const last = readEnd(first);
      return first === last ? [last] : [first, last];
    },
  };
}

/** Where the blank ends that begins here; the place itself where none does. */
function readBlank(text: string, at: number): number {
  if (!/[\s\\%&]/.test(text.charAt(at))) return at;
  return readCharacter(text, at).find(({ character }) => character === ' ')?.end ?? at;
}

function skipBlanks(text: string, from: number): number {
  const last = from + LONGEST_GAP;
  let end = from;
  while (end < last && /\s/.test(text.charAt(end))) end += 1;
  return end;
}

/** However many there are, they may be one: escaping makes more of them, and a URL's parser makes slashes. */
function readBackslashes(text: string, at: number): readonly Reading[] {
  const end = skip(text, at, '\\');
  const slashes = skip(text, at, '\\/');
  const found = [...new Set([at + 1, end, slashes])].map((each) => ({ character: '\\', end: each }));
  return text[at] === '/' ? found : [...found, ...readEscaped(text, end)];
}

function skip(text: string, from: number, characters: string): number {
  const last = Math.min(text.length, from + MOST_BACKSLASHES);
  let end = from;
  while (end < last && characters.includes(text.charAt(end))) end += 1;
  return end;
}

function readEscaped(text: string, at: number): readonly Reading[] {
  const [numbered, four, two] = /^(?:u([\da-f]{4})|x([\da-f]{2}))/i.exec(text.slice(at, at + 5)) ?? [''];
  const digits = four ?? two;
  if (digits !== undefined) return readNumbered(text, Number.parseInt(digits, 16), at + numbered.length);
  const next = text.charAt(at);
  if (next === 'b') return [{ character: '\b', end: at + 1 }];
  if (/[fnrt]/.test(next)) return [{ character: ' ', end: at + 1 }];
  return next === '' || /[a-z0-9\\\s]/i.test(next) ? [] : readCharacter(text, at).slice(0, 1);
}

/** A character beyond 16 bits is written as two numbers. */
function readNumbered(text: string, number: number, end: number): readonly Reading[] {
  const [second, digits = ''] = (isHigh(number) && /^\\+u([\da-f]{4})/i.exec(text.slice(end, end + 40))) || [''];
  const low = Number.parseInt(digits, 16);
  return second === ''
    ? toReadings(number, end)
    : [{ character: String.fromCharCode(number, low), end: end + second.length }];
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function toReadings(point: number, end: number): readonly Reading[] {
  if (point > 0x10ffff) return [];
  const character = String.fromCodePoint(point);
  return [{ character: /\s/.test(character) ? ' ' : toSmall(character), end }];
}

function readPercent(text: string, at: number): readonly Reading[] {
  const readings: Reading[] = [];
  for (let from = at + 1; from <= at + 2 * MOST_LEVELS; from += 2) {
    const byte = readByte(text, from);
    if (byte !== undefined && byte < 0x80) readings.push(...toReadings(byte, from + 2));
    else if (byte !== undefined) readings.push(...readBytes(text, at, text.slice(at, from)));
    if (byte !== PERCENT) break;
  }
  return readings;
}

const PERCENT = 0x25;

/** A character by its bytes in UTF-8, each behind the mark. */
function readBytes(text: string, at: number, mark: string): readonly Reading[] {
  const bytes: number[] = [];
  let end = at;
  for (let length = 1; bytes.length < length; ) {
    const byte = text.startsWith(mark, end) ? readByte(text, end + mark.length) : undefined;
    if (byte === undefined) return [];
    if (bytes.length === 0) length = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
    bytes.push(byte);
    end += mark.length + 2;
  }
  return toReadings(Buffer.from(bytes).toString('utf8').codePointAt(0) ?? 0, end);
}

function readByte(text: string, at: number): number | undefined {
  const [high, low] = [toDigit(text.charCodeAt(at)), toDigit(text.charCodeAt(at + 1))];
  return high === undefined || low === undefined ? undefined : high * 16 + low;
}

function toDigit(code: number): number | undefined {
  if (code >= 48 && code <= 57) return code - 48;
  const letter = (code | 32) - 97;
  return letter >= 0 && letter < 6 && code >= 65 ? letter + 10 : undefined;
}

function readEntity(text: string, at: number): readonly Reading[] {
  const readings: Reading[] = [];
  let from = at + 1;
  for (let level = 0; level < MOST_LEVELS; level += 1) {
    const [whole, decimal, hexadecimal, name = ''] =
      /^(?:#(\d{1,7});?|#x([\da-f]{1,6});?|([a-z]{2,4});)/i.exec(text.slice(from, from + 24)) ?? [];
    if (whole === undefined) break;
    const named = ENTITIES[name];
    if (named !== undefined) readings.push({ character: named, end: from + whole.length });
    else if (decimal !== undefined) readings.push(...toReadings(Number.parseInt(decimal, 10), from + whole.length));
    else if (hexadecimal !== undefined) {
      readings.push(...toReadings(Number.parseInt(hexadecimal, 16), from + whole.length));
    }
    if (named !== '&') break;
    from += whole.length;
  }
  return readings;
}
