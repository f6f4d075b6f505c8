import { createHash } from 'node:crypto';

/** Tells whether two secrets, or two commands that may hold some, are the same, and nothing else about them. */
export function createFingerprint(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`;
}
