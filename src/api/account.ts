import { ServiceError } from '../lib/errors.ts';
import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { createCall } from './operations.ts';
import { listOwnOrganizations } from './organizations.ts';

/** Who a token acts as, as far as the service says. */
export interface Account {
  kind: 'user' | 'team' | 'organization' | 'unknown';
  name: string | undefined;
}

const KINDS: Record<string, Account['kind']> = { users: 'user', teams: 'team', organizations: 'organization' };

/**
 * Asks who the token acts as, and on a service without that route for the caller's own memberships. Throws ServiceError
 * with status 401 if the service rejects the token.
 */
export async function readAccount(client: Client): Promise<Account> {
  try {
    const { data } = readResource(await client.read(createCall('show-account')));
    const { username, 'is-service-account': isService } = data.attributes ?? {};
    const owner = data.relationships?.['authenticated-resource']?.data;
    const type = owner && !Array.isArray(owner) ? owner.type : undefined;
    const kind = KINDS[type ?? ''] ?? (isService === false ? 'user' : 'unknown');
    return { kind, name: typeof username === 'string' ? username : undefined };
  } catch (error) {
    if (!isUnavailableTo(error)) throw error;
    // Outside the document: a service may not have it, and an audit trail token may not read it.
    await listOwnOrganizations(client).catch((reason: unknown) => {
      if (!isUnavailableTo(reason)) throw reason;
    });
    return { kind: 'unknown', name: undefined };
  }
}

function isUnavailableTo(error: unknown): boolean {
  return error instanceof ServiceError && [403, 404].includes(error.status);
}
