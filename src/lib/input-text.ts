import { UsageError } from './errors.ts';

/** By the byte order mark. */
export const UTF16: Record<string, string> = { '\u00ff\u00fe': 'utf-16le', '\u00fe\u00ff': 'utf-16be' };
const WORKBOOK = /^(PK\u0003\u0004|\u00d0\u00cf\u0011\u00e0)/;

/** Takes UTF-8, and UTF-16 with a byte order mark. Throws UsageError for everything else. */
export function decodeText(bytes: Uint8Array, name: string): string {
  const start = String.fromCharCode(...bytes.subarray(0, 4));
  const fail = (reason: string): never => {
    throw new UsageError(`${name} ${reason}`, { hint: 'Save it as UTF-8; spreadsheets call it "CSV UTF-8".' });
  };
  if (WORKBOOK.test(start)) fail('is a workbook, or another archive, not text');
  const encoding = UTF16[start.slice(0, 2)] ?? 'utf-8';
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.includes('\0')) fail('has NULs: it is UTF-16 or UTF-32 without its byte order mark, or no text');
  try {
    if (text.includes('\ufffd')) new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const [valid = ''] = text.split('\ufffd', 1);
    fail(`is not ${encoding.toUpperCase()}: line ${valid.split(/\r\n|\n|\r/).length}`);
  }
  return text;
}

/** Decodes as `decodeText` does, but bytes that are not text become one character each. */
export function decodeTextOrBytes(bytes: Uint8Array): string {
  try {
    return decodeText(bytes, '');
  } catch {
    return Buffer.from(bytes).toString('latin1');
  }
}

/** Format characters, blanks other than a space, and letters and marks that are drawn as nothing. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;
const QUOTE = /^["'`\u00ab\u2018-\u201f\u2039]|["'`\u00bb\u2018-\u201f\u203a]$/;
const MAX_SHOWN = 100;

/**
 * Throws UsageError for a name that looks like another one, since it has invisible characters or quotes around it. Blanks and
 * line breaks may stand around it. The message has `source` in place of a secret.
 */
export function assertVisible(text: string, source?: string): void {
  if (/^[\w@.:/+-]+$/.test(text)) return;
  const inner = text.trim();
  const around = text.replace(inner, '').replace(/[\t\n\r]/g, '');
  const isVisible = (around + inner).search(INVISIBLE) < 0;
  if (isVisible && !QUOTE.test(inner)) return;
  const name = source ?? `'${text.slice(0, MAX_SHOWN).replace(INVISIBLE, (one) => `<${formatCodePoint(one)}>`)}'`;
  if (isVisible) throw new UsageError(`${name} has quotes around it`);
  const found = (around + inner).match(INVISIBLE) ?? [];
  throw new UsageError(`${name} has invisible characters: ${[...new Set(found.map(formatCodePoint))].join(', ')}`);
}

export function removeInvisible(text: string): string {
  return text.replace(INVISIBLE, '');
}

function formatCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
