import { createHash } from 'node:crypto';
import { readCaller } from '../api/account.ts';
import { hasAuditEvents } from '../api/audit-trail.ts';
import { isFailure, ServiceError } from '../lib/errors.ts';
import type { Rotation } from './rotation.ts';
import { isDescribed } from './token.ts';

/**
 * Whether the service accepts a secret as this token's; undefined if the service can't say. The audit trail token reads the
 * trail, which is empty to other tokens (facts); the account of every other token names its id (facts).
 */
export async function isAccepted(
  { token, openClient }: Pick<Rotation, 'token' | 'openClient'>,
  secret: string,
  id?: string | null,
): Promise<boolean | undefined> {
  const client = await openClient(secret);
  try {
    if (!isDescribed(token) && token.kind === 'audit-trail') return (await hasAuditEvents(client)) || undefined;
    const { tokenId } = await readCaller(client);
    return tokenId === undefined ? undefined : tokenId === (id ?? tokenId);
  } catch (error) {
    if (!isFailure(error)) throw error;
    return error instanceof ServiceError && error.status === 401 ? false : undefined;
  } finally {
    await client.close();
  }
}

/** Tells whether two places hold the same secret, and nothing else about it. */
export function createFingerprint(secret: string): string {
  return `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`;
}
