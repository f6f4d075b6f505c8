import { UsageError } from '../errors.ts';

/** Characters by which a shell would act. We would not, so they are refused. */
const OPERATORS = '|&;<>()\n';
const EXPANSIONS = '$`';
const PATTERNS = '*?[';

/**
 * The words of a command as a shell splits them: blanks, both quotes, backslashes. Nothing is expanded, and what a
 * shell would expand or act upon is refused rather than handed over as text. Throws UsageError; `name` is for messages.
 */
export function splitWords(text: string, name: string): readonly [command: string, ...args: string[]] {
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
      const quoted = readQuoted(source, at, name);
      word = (word ?? '') + quoted.text;
      at = quoted.close;
    } else if (character === '\\') {
      at += 1;
      if (at === source.length)
        throw new UsageError(`${name}: the command ends with a backslash`, {
          hint: 'Remove it, or put another one before it.',
        });
      // Before a line break it only joins the lines.
      if (source[at] !== '\n') word = (word ?? '') + source.charAt(at);
    } else {
      const startsWord = word === undefined;
      if ((OPERATORS + EXPANSIONS + PATTERNS).includes(character) || (startsWord && '#~'.includes(character))) {
        throw toShellError(name, character);
      }
      word = (word ?? '') + character;
    }
  }
  if (word !== undefined) words.push(word);
  return toCommand(words, name);
}

function readQuoted(source: string, open: number, name: string): { readonly text: string; readonly close: number } {
  const quote = source.charAt(open);
  let text = '';
  for (let at = open + 1; at < source.length; at += 1) {
    const character = source.charAt(at);
    if (character === quote) return { text, close: at };
    if (quote === '"' && EXPANSIONS.includes(character)) throw toShellError(name, character);
    // In double quotes a backslash stands for itself, except before these.
    if (quote === '"' && character === '\\' && at + 1 < source.length && '$`"\\\n'.includes(source.charAt(at + 1))) {
      at += 1;
      text += source[at] === '\n' ? '' : source[at];
    } else text += character;
  }
  throw new UsageError(`${name}: a ${quote} in the command is never closed`, {
    hint: 'Close it, or put a backslash before it.',
  });
}

function toCommand(words: readonly string[], name: string): readonly [string, ...string[]] {
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
      hint: `Put env before it: env ${command} …`,
    });
  }
  return [command, ...args];
}

function toShellError(name: string, character: string): UsageError {
  const shown = character === '\n' ? 'a line break' : character;
  return new UsageError(`${name}: runs no shell, so ${shown} has no effect`, {
    hint: 'Quote it, or use sh -c.',
  });
}
