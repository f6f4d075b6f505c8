/**
 * The blocks of a lock file, read as Terraform reads them. Brackets, texts and comments decide where a block ends, and what
 * stands in it is passed over. What can't be read for certain is refused: a provider that is overlooked would count as checked.
 */

export interface Block {
  /** `provider` */
  readonly name: string;
  /** The texts between its name and its brace. */
  readonly labels: readonly string[];
}

const BLANK = /(?:[ \t\n]|\r\n)+|(?:#|\/\/)[^\n]*|\/\*[\s\S]*?\*\//y;
const ONLY_BLANKS = /^\p{White_Space}*$/u;
const NAME = /[\p{ID_Start}_][\p{ID_Continue}-]*/uy;
const HEREDOC = /<<-?([\p{ID_Start}_][\p{ID_Continue}-]*)\r?\n/uy;
const PLAIN = /[^"\\$%\r\n]+/y;
/** What stands for `${` and `%{` themselves. */
const DOUBLED = /\$\$\{|%%\{/y;
const TEMPLATE = /[$%]\{/y;
const LONE_SIGN = /[$%]/y;
const ESCAPE = /\\(?:u([\da-fA-F]{4})|U([\da-fA-F]{8})|([nrt"\\]))/y;
const LETTERS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };
const CLOSINGS: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };
const MOST_NESTED = 100;

/** Throws an Error that names the line where the text is nothing but blocks. */
export function readBlocks(source: string): readonly Block[] {
  let at = 0;
  function fail(): never {
    throw new Error(`line ${source.slice(0, at).split('\n').length} is not in Terraform's language`);
  }
  function take(pattern: RegExp): RegExpExecArray | undefined {
    pattern.lastIndex = at;
    const found = pattern.exec(source) ?? undefined;
    at += found?.[0].length ?? 0;
    return found;
  }
  /** What stands after blanks and comments; undefined at the end. */
  function next(): string | undefined {
    while (take(BLANK) !== undefined);
    return source.startsWith('/*', at) ? fail() : source[at];
  }
  function takeUntil(closing: string, depth: number): void {
    if (depth > MOST_NESTED) fail();
    let before = ' ';
    for (let character = next(); character !== closing; character = next()) {
      if (character === undefined || '}])'.includes(character)) fail();
      // A block within a block, which lock files have none of.
      if (depth === 0 && character === '{' && !'=?:'.includes(before)) fail();
      const inner = CLOSINGS[character];
      if (source.startsWith('<<', at)) takeHeredoc(depth);
      else at += 1;
      if (character === '"') takeText(depth);
      if (inner !== undefined) takeUntil(inner, depth + 1);
      before = character;
    }
    at += 1;
  }
  /** What follows a quotation mark, up to the next one. What `${…}` stands for is not looked up. */
  function takeText(depth: number): string {
    let text = '';
    while (source[at] !== '"') {
      const plain = take(PLAIN)?.[0] ?? take(DOUBLED)?.[0].slice(1);
      const template = plain === undefined ? take(TEMPLATE)?.[0] : undefined;
      if (template !== undefined) takeUntil('}', depth + 1);
      text += plain ?? template ?? take(LONE_SIGN)?.[0] ?? takeEscape();
    }
    at += 1;
    return text;
  }
  function takeEscape(): string {
    const [, short, long, letter] = take(ESCAPE) ?? [];
    if (letter !== undefined) return LETTERS[letter] ?? letter;
    const code = Number.parseInt(short ?? long ?? '', 16);
    const isCharacter = code <= 0xd7ff || (code >= 0xe000 && code <= 0x10ffff);
    return isCharacter ? String.fromCodePoint(code) : fail();
  }
  /** Whole lines, up to one that is nothing but their name. */
  function takeHeredoc(depth: number): void {
    const name = take(HEREDOC)?.[1] ?? fail();
    for (; ; at += 1) {
      const end = source.indexOf('\n', at);
      const line = source.slice(at, end < 0 ? fail() : end);
      if (line.includes(name) && ONLY_BLANKS.test(line.replace(name, ''))) {
        at = end;
        return;
      }
      while (source[at] !== '\n') {
        if (take(DOUBLED) !== undefined) continue;
        if (take(TEMPLATE) !== undefined) takeUntil('}', depth + 1);
        else if (source[at] === undefined) fail();
        else at += 1;
      }
    }
  }

  const blocks: Block[] = [];
  while (next() !== undefined) {
    const name = take(NAME)?.[0] ?? fail();
    const labels: string[] = [];
    for (let character = next(); character !== '{'; character = next()) {
      if (character === '"') at += 1;
      labels.push(character === '"' ? takeText(0) : (take(NAME)?.[0] ?? fail()));
    }
    at += 1;
    takeUntil('}', 0);
    blocks.push({ name, labels });
  }
  return blocks;
}
