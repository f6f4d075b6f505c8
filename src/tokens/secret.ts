import { readCaller } from '../api/account.ts';
import { hasAuditEvents } from '../api/audit-trail.ts';
import type { Client } from '../api/client.ts';
import { isRefused } from '../api/not-found.ts';
import { isFailure, type OrgctlError, ServiceError } from '../lib/errors.ts';
import type { Rotation } from './rotation.ts';

type Asking = Pick<Rotation, 'token' | 'openClient'>;

/** What the service says to a secret. `hidden`: it has no such route, or not for this token. */
type Answer<T> =
  | { is: 'accepted'; value: T }
  | { is: 'refused' }
  | { is: 'hidden' }
  | { is: 'unclear'; error: OrgctlError };

async function ask<T>(
  { openClient }: Asking,
  secret: string,
  read: (client: Client) => Promise<T>,
): Promise<Answer<T>> {
  const client = await openClient(secret);
  try {
    return { is: 'accepted', value: await read(client) };
  } catch (error) {
    if (!isFailure(error)) throw error;
    if (error instanceof ServiceError && error.status === 401) return { is: 'refused' };
    return isRefused(error) ? { is: 'hidden' } : { is: 'unclear', error };
  } finally {
    await client.close();
  }
}

/** The id of the token that has this secret, which the account of every token but the audit trail's names (facts). */
export function askForId(rotation: Asking, secret: string): Promise<Answer<string | undefined>> {
  return ask(rotation, secret, async (client) => (await readCaller(client)).tokenId);
}

/** Whether the service accepts a secret as this token's; undefined if the service can't say. */
export async function isAccepted(rotation: Asking, secret: string, id?: string | null): Promise<boolean | undefined> {
  // The audit trail token reads the trail, which is empty to other tokens (facts).
  const isAudit = rotation.token.kind === 'audit-trail';
  const answer = isAudit ? await ask(rotation, secret, hasAuditEvents) : await askForId(rotation, secret);
  if (answer.is === 'refused') return false;
  if (answer.is !== 'accepted' || !answer.value) return undefined;
  return isAudit || answer.value === (id ?? answer.value);
}
