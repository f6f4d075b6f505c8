// Apart from what else is known of tokens: no list waits until node:crypto is loaded.
import { createHash } from 'node:crypto';

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
