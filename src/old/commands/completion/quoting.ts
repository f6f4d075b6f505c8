import { toPlainText } from '../../text/plain-text.ts';
import type { ShellName } from './shells.ts';

/** Where the cursor is. */
export interface Place {
  readonly shell: ShellName;
  /** The word to complete, up to the cursor, as it was typed. */
  readonly word: string;
  /** The part of it that stays on the line. Undefined from scripts of earlier versions. */
  readonly kept: string | undefined;
}

/** Literal in every shell and locale, whichever quote is open. */
const PLAIN = /^[\w./:=@%+,-]*$/;
const PLAIN_IN_QUOTES = /^[\w ./:=@%+,-]*$/;
/** The first is read even in quotes, or by its bytes, which mean something else in another encoding. */
const SPECIAL = /([$`"\\!\u0080-\u{10ffff}]+)|[^\w./:=@%+,-]/gu;
/** PowerShell takes each of these for a quotation mark. */
const TYPOGRAPHIC_QUOTES = /[\u2018-\u201e]/;

/**
 * What the script puts on the line, so that the shell reads it as this word. Undefined where that is not certain: such a
 * word is not offered. A name from the service may hold anything, and the line is run once it is accepted.
 */
export function toLineText(word: string, place: Place): string | undefined {
  if (word === '' || word !== toPlainText(word)) return undefined;
  const text = toText(word, place);
  // With a colon begins what orgctl says to the scripts.
  return text?.startsWith(':') === true ? undefined : text;
}

function toText(word: string, { shell, word: typed, kept }: Place): string | undefined {
  // fish quotes by itself, except the sign of a home folder, and leaves out blanks at the beginning.
  if (shell === 'fish') return word.startsWith('~') || word !== word.trim() ? undefined : word;
  if (shell === 'powershell') {
    // The script puts quotation marks around it.
    const isSafe = /['"]/.test(typed) ? PLAIN.test(word) : !TYPOGRAPHIC_QUOTES.test(word + typed);
    return isSafe ? word : undefined;
  }
  // Scripts of earlier versions quote by themselves, and not always well.
  if (kept === undefined) return PLAIN.test(word) ? word : undefined;
  const { text, isOpen } = readWord(kept, shell);
  // A variable that was typed may be anything, and in $'…' a backslash means more.
  if (!word.startsWith(text) || /[$`]/.test(kept)) return undefined;
  const rest = word.slice(text.length);
  if (isOpen) return PLAIN_IN_QUOTES.test(rest) ? rest : undefined;
  // A command's name behind = is its path in zsh.
  return rest.replace(SPECIAL, quote).replace(/^=/, '\\=');
}

/**
 * Quotes in a form that runs nothing, even where an earlier line holds an open quote or backtick that no script can
 * see.
 */
function quote(characters: string, read: string | undefined): string {
  if (read === undefined) return `\\${characters}`;
  const octal = Array.from(Buffer.from(read), (byte) => `\\${byte.toString(8).padStart(3, '0')}`);
  return `$'${octal.join('')}'`;
}

/**
 * A word as it would reach a program, from the way it is typed, and whether a quote is still open at its end. Nothing is
 * expanded.
 */
export function readWord(word: string, shell: ShellName): { readonly text: string; readonly isOpen: boolean } {
  const escaper = shell === 'powershell' ? '`' : '\\';
  let text = '';
  let quote = '';
  for (let at = 0; at < word.length; at += 1) {
    const character = word.charAt(at);
    if (character === escaper && quote !== "'") {
      at += 1;
      text += word.charAt(at);
    } else if (character === quote) quote = '';
    else if (quote === '' && (character === '"' || character === "'")) quote = character;
    else text += character;
  }
  return { text, isOpen: quote !== '' };
}
