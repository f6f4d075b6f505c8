import { UsageError } from '../errors.ts';
import { getMember, isObject, toText } from '../json-object.ts';
import { AUTHENTICATION_TOKENS } from '../wire/resources.ts';

/** Longer than any token, and short enough for every header. In characters. */
export const LONGEST_TOKEN = 4_096;

/** Whether a text may be a token: nothing but printable ASCII without blanks can stand in a header. */
export function isTokenText(text: string): boolean {
  return text.length <= LONGEST_TOKEN && /^[\x21-\x7e]+$/.test(text);
}

/** An answer to a reading without the texts of tokens: a service may send them there, and none of them is a result. */
export function withoutTokens(body: string): string {
  if (!/"token"\s*:\s*"/.test(body) || !body.includes(AUTHENTICATION_TOKENS)) return body;
  const hide = (name: string, value: unknown): unknown =>
    name === 'token' && typeof value === 'string' ? null : value;
  try {
    return JSON.stringify(JSON.parse(body, hide));
  } catch {
    return body;
  }
}

/** The token in an answer to what makes one; undefined where none stands in its place. */
export function readNewToken(body: string): string | undefined {
  try {
    return toText(getMember(JSON.parse(body), 'data', 'attributes', 'token'));
  } catch {
    return undefined;
  }
}

/** The text of an answer from which something was removed, with the new token as it came: it is lost otherwise. */
export function withNewToken(shown: string, came: string): string {
  const token = readNewToken(came);
  if (token === undefined || token === readNewToken(shown)) return shown;
  const document: unknown = JSON.parse(shown);
  const attributes = getMember(document, 'data', 'attributes');
  // The own token is one of these two words.
  if (!isObject(attributes)) return came;
  attributes['token'] = token;
  return JSON.stringify(document);
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
