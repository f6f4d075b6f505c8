/** As much of the language of Terraform's settings, an older one than that of its other files, as tokens in them need. */

/** By host name. Throws an Error that names the line where the text is not in Terraform's language. */
export function readCredentialsBlocks(text: string): Readonly<Record<string, string>> {
  const tokens = new Map<string, string>();
  const words = [...toWords(text)];
  let depth = 0;
  let host: string | undefined;
  for (const [at, word] of words.entries()) {
    const [before, twoBefore] = [words[at - 1], words[at - 2]];
    if (word.kind === 'open') {
      depth += 1;
      const isBlock = depth === 1 && before?.kind === 'text' && twoBefore?.text === 'credentials';
      if (isBlock) host = before.text;
    } else if (word.kind === 'close') {
      depth -= 1;
      if (depth < 0) throw toFault(word.line);
      if (depth === 0) host = undefined;
    } else if (depth === 1 && host !== undefined && word.kind === 'text') {
      if (before?.kind === 'equals' && twoBefore?.text === 'token') tokens.set(host, word.text);
    }
  }
  if (depth > 0) throw toFault(words.at(-1)?.line ?? 1);
  return Object.fromEntries(tokens);
}

interface Word {
  readonly kind: 'name' | 'text' | 'open' | 'close' | 'equals';
  readonly text: string;
  readonly line: number;
}

const BLANK = /[\s,]+|#[^\n]*|\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const NAME = /[^\s,#"{}[\]=<]+/y;
const HEREDOC = /<<-?([\w.]+)\r?\n/y;
const MARKS: Readonly<Record<string, Word['kind']>> = {
  '{': 'open',
  '[': 'open',
  '}': 'close',
  ']': 'close',
  '=': 'equals',
};

function* toWords(source: string): Generator<Word> {
  let at = 0;
  let line = 1;
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    return pattern.exec(source);
  };
  const skip = (length: number): void => {
    for (const end = at + length; at < end; at += 1) if (source[at] === '\n') line += 1;
  };
  for (;;) {
    for (let blank = match(BLANK); blank !== null; blank = match(BLANK)) skip(blank[0].length);
    const first = source[at];
    if (first === undefined) return;
    if (source.startsWith('/*', at)) throw toFault(line);
    const kind = MARKS[first];
    if (kind !== undefined) {
      yield { kind, text: first, line };
      skip(1);
    } else if (first === '"') {
      const { text, length } = readText(source, at, line);
      yield { kind: 'text', text, line };
      skip(length);
    } else if (first === '<') {
      skip(readHeredoc(source, match(HEREDOC), line));
    } else {
      const name = match(NAME)?.[0];
      if (name === undefined) throw toFault(line);
      yield { kind: 'name', text: name, line };
      skip(name.length);
    }
  }
}

/** The length of a text of many lines, which holds no token. */
function readHeredoc(source: string, begin: RegExpExecArray | null, line: number): number {
  if (begin === null) throw toFault(line);
  const [opening, name] = begin;
  let at = begin.index + opening.length;
  for (;;) {
    const end = source.indexOf('\n', at);
    const last = source.slice(at, end < 0 ? source.length : end);
    if (last.trim() === name) return at + last.length - begin.index;
    if (end < 0) throw toFault(line);
    at = end + 1;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

const ESCAPE = /^\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|([abfnrtv\\"]))/;
const LAST_CODE = 0x10ffff;

/** A text between quotation marks, and how long it is with them. What `${…}` stands for is not looked up. */
function readText(source: string, open: number, line: number): { readonly text: string; readonly length: number } {
  let text = '';
  let braces = 0;
  for (let at = open + 1; ; at += 1) {
    const character = source[at];
    if (character === undefined || (character === '\n' && braces === 0)) throw toFault(line);
    if (character === '"' && braces === 0) return { text, length: at + 1 - open };
    if (character === '{' && (braces > 0 || source[at - 1] === '$')) braces += 1;
    if (character === '}' && braces > 0) braces -= 1;
    if (character !== '\\' || braces > 0) {
      text += character;
      continue;
    }
    const [sequence, hex2, hex4, hex8, octal, letter] = ESCAPE.exec(source.slice(at, at + 10)) ?? [];
    if (sequence === undefined) throw toFault(line);
    const code = octal === undefined ? Number.parseInt(hex2 ?? hex4 ?? hex8 ?? '', 16) : Number.parseInt(octal, 8);
    if (letter === undefined && code > LAST_CODE) throw toFault(line);
    text += letter === undefined ? String.fromCodePoint(code) : ESCAPES[letter];
    at += sequence.length - 1;
  }
}

function toFault(line: number): Error {
  return new Error(`line ${line} is not in Terraform's language`);
}
