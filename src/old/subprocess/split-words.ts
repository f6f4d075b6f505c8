import { UsageError } from '../errors.ts';
import { HAS_PERMISSIONS } from '../files/permissions.ts';

/** How the shells of a system read a command line, and what they would do that we do not. */
interface Rules {
  readonly operators: string;
  /** What a shell replaces by other text, between double quotes too. */
  readonly expansions: RegExp;
  readonly patterns: string;
  /** What backslashes at a place stand for, and how many characters are read with them. */
  readonly unescape: (
    source: string,
    at: number,
    isQuoted: boolean,
  ) => { readonly meant: string; readonly taken: number };
  readonly shell: string;
  readonly toAssign: (assignment: string) => string;
}

const OPERATORS = '|&;<>()\n';

const POSIX: Rules = {
  operators: OPERATORS,
  expansions: /[$`]/y,
  patterns: '*?[',
  unescape(source, at, isQuoted) {
    const next = source.charAt(at + 1);
    // In double quotes a backslash stands for itself, except before these.
    if (isQuoted && (next === '' || !'$`"\\\n'.includes(next))) return { meant: '\\', taken: 1 };
    // Before a line break it only joins the lines.
    return { meant: next === '\n' ? '' : next, taken: 2 };
  },
  shell: 'sh -c',
  toAssign: (assignment) => `Put env before it: env ${assignment} …`,
};

/** What cmd replaces is refused, and what PowerShell does. */
const WINDOWS: Rules = {
  operators: OPERATORS,
  expansions: /[$`]|%[^%\s]+%/y,
  patterns: '',
  // Programs split their own command line: a backslash is what it is, unless a double quote follows.
  unescape(source, at) {
    const [run = ''] = /^\\+/.exec(source.slice(at)) ?? [];
    if (source.charAt(at + run.length) !== '"') return { meant: run, taken: run.length };
    const isEscaped = run.length % 2 === 1;
    return { meant: '\\'.repeat(run.length >> 1) + (isEscaped ? '"' : ''), taken: run.length + (isEscaped ? 1 : 0) };
  },
  shell: 'powershell -Command',
  toAssign: () => 'Set it before orgctl runs.',
};

/**
 * The words of a command as the shells of its system split them: blanks, both quotes, backslashes. Nothing is expanded, and
 * what a shell would expand or act upon is refused rather than handed over as text. Throws UsageError; `name` is for messages.
 */
export function splitWords(
  text: string,
  name: string,
  platform: NodeJS.Platform = HAS_PERMISSIONS ? 'linux' : 'win32',
): readonly [command: string, ...args: string[]] {
  const rules = platform === 'win32' ? WINDOWS : POSIX;
  const source = text.trim().replaceAll('\r\n', '\n');
  const words: string[] = [];
  // Undefined between words: '' is a word when it stands in quotes.
  let word: string | undefined;
  for (let at = 0; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === ' ' || character === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "'" || character === '"') {
      const quoted = readQuoted(source, at, name, rules);
      word = (word ?? '') + quoted.text;
      at = quoted.close;
    } else if (character === '\\') {
      const { meant, taken } = rules.unescape(source, at, false);
      if (at + taken > source.length)
        throw new UsageError(`${name}: the command ends with a backslash`, {
          hint: 'Remove it, or put another one before it.',
        });
      at += taken - 1;
      if (meant !== '') word = (word ?? '') + meant;
    } else {
      const startsWord = word === undefined;
      const isActedOn = `${rules.operators}${rules.patterns}${startsWord ? '#~' : ''}`.includes(character);
      if (isActedOn || isExpanded(source, at, rules)) throw toShellError(name, character, rules);
      word = (word ?? '') + character;
    }
  }
  if (word !== undefined) words.push(word);
  return toCommand(words, name, rules);
}

function isExpanded(source: string, at: number, { expansions }: Rules): boolean {
  expansions.lastIndex = at;
  return expansions.test(source);
}

function readQuoted(
  source: string,
  open: number,
  name: string,
  rules: Rules,
): { readonly text: string; readonly close: number } {
  const quote = source.charAt(open);
  let text = '';
  for (let at = open + 1; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === quote) return { text, close: at };
    if (quote === '"' && isExpanded(source, at, rules)) throw toShellError(name, character, rules);
    if (quote === '"' && character === '\\') {
      const { meant, taken } = rules.unescape(source, at, true);
      text += meant;
      at += taken - 1;
    } else text += character;
  }
  throw new UsageError(`${name}: a ${quote} in the command is never closed`, {
    hint: 'Close it, or put a backslash before it.',
  });
}

function toCommand(words: readonly string[], name: string, rules: Rules): readonly [string, ...string[]] {
  const [command, ...args] = words;
  if (command === undefined || command === '') {
    throw new UsageError(`missing command: ${name}`, { hint: 'Add a command.' });
  }
  if (words.some((word) => word.includes('\0'))) {
    throw new UsageError(`'${name}' contains a NUL character`, {
      hint: 'Write the command without it.',
    });
  }
  if (/^[A-Za-z_][A-Za-z0-9_]*=/.test(command)) {
    throw new UsageError(`${name}: runs no shell, so ${command} sets no variable`, {
      hint: rules.toAssign(command),
    });
  }
  return [command, ...args];
}

function toShellError(name: string, character: string, { shell }: Rules): UsageError {
  const shown = character === '\n' ? 'a line break' : character;
  return new UsageError(`${name}: runs no shell, so ${shown} has no effect`, {
    hint: `Quote it, or use ${shell}.`,
  });
}
