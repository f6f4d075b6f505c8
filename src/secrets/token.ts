import { createHash } from 'node:crypto';
import { UsageError } from '../errors.ts';

/** Longer than any token, and short enough for every header. In characters. */
export const LONGEST_TOKEN = 4_096;

/** Whether a text may be a token: nothing but printable ASCII without blanks can stand in a header. */
export function isTokenText(text: string): boolean {
  return text.length <= LONGEST_TOKEN && /^[\x21-\x7e]+$/.test(text);
}

/** The token alone. Throws UsageError for a text that is none; the text itself is never shown. */
export function parseToken(text: string, source: string): string {
  const token = text.trim();
  if (isTokenText(token)) return token;
  const why =
    token.length > LONGEST_TOKEN
      ? `is longer than ${LONGEST_TOKEN} characters, so it is not a token`
      : "contains a character that tokens don't have, such as a blank";
  throw new UsageError(`${source} ${why}`, { hint: 'Copy the token again, alone on one line.' });
}

/** Enough to see whether two secrets are the same, and not enough to find a secret with. */
export function toFingerprint(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`;
}

/** Shorter ones could be found by their fingerprint. */
const LONG_ENOUGH = 20;

/** The fingerprint of a token that someone else chose; undefined for one so short that it could be found by it. */
export function describeToken(token: string): string | undefined {
  return token.length < LONG_ENOUGH ? undefined : toFingerprint(token);
}
