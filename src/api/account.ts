import { ServiceError } from '../lib/errors.ts';
import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { createCall } from './operations.ts';
import { listOwnOrganizations } from './organizations.ts';

/**
 * The user name that the token acts as, as far as the service says. A service without that route is asked for the caller's
 * own memberships instead. Throws ServiceError with status 401 if the service rejects the token.
 */
export async function readAccountName(client: Client): Promise<string | undefined> {
  try {
    const { username } = readResource(await client.read(createCall('show-account'))).data.attributes ?? {};
    return typeof username === 'string' ? username : undefined;
  } catch (error) {
    if (!isUnavailableTo(error)) throw error;
    // Outside the document: a service may not have it, and an audit trail token may not read it.
    await listOwnOrganizations(client).catch((reason: unknown) => {
      if (!isUnavailableTo(reason)) throw reason;
    });
    return undefined;
  }
}

function isUnavailableTo(error: unknown): boolean {
  return error instanceof ServiceError && [403, 404].includes(error.status);
}
