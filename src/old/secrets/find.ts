import { isAddressName, isSecretName } from './body.ts';
import { REMOVED, SHORTEST_SECRET } from './forms.ts';

/** Secrets that were not known before, found by where they stand or how they look. */

// Longer than any token: whatever is matched has to be remembered.
const NAMED = new RegExp(`"([\\w-]+)"\\s*:\\s*"((?:[^"\\\\]|\\\\.){${SHORTEST_SECRET},4096})`, 'gs');

/** The texts that stand under a secret's name in JSON, cut off or not, but for those too short to be one. */
export function findSecrets(body: string): readonly string[] {
  return Array.from(body.matchAll(NAMED), ([, name = '', written = '']) =>
    isSecretName(name) ? [readEscapes(written)] : [],
  ).flat();
}

function readEscapes(written: string): string {
  try {
    return JSON.parse(`"${written}"`) as string;
  } catch {
    return written;
  }
}

/** What looks like a token in the answer to a request that creates one. No id, time or part of a path is so long. */
export function findTokens(body: string): readonly string[] {
  const written = body.match(/[\w.~+=-]{24,4096}/g) ?? [];
  return [...new Set(written)].filter((word) => /\d/.test(word) && /[a-z]/i.test(word));
}

/** A value of JSON without the addresses that let anyone put or get a file. */
export function withoutAddresses(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutAddresses);
  const hide = (name: string, inner: unknown): unknown =>
    typeof inner === 'string' && isAddressName(name) ? REMOVED : withoutAddresses(inner);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, hide(name, inner)]));
}
