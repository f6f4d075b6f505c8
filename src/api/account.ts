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

/** Who asks, as far as the service says (facts). */
export interface Caller {
  /** Of the account. */
  id?: string;
  username?: string;
  /** Of the token that asks. */
  tokenId?: string;
  /** What that token belongs to. */
  type?: string;
  ownerId?: string;
}

/** Throws ServiceError for a token that is refused, and if there is no such route. */
export async function readCaller(client: Client): Promise<Caller> {
  const { data } = readResource(await client.read(createCall('show-account')));
  const { id, attributes = {}, relationships, links } = data;
  const { username, 'is-service-account': isService } = attributes;
  const [, tokenId] = /\/(at-\w+)$/.exec(String(links?.['auth-token'])) ?? [];
  const owner = relationships?.['authenticated-resource']?.data;
  return {
    id,
    ...(typeof username === 'string' && { username }),
    ...(tokenId !== undefined && { tokenId }),
    ...(isService === false && { type: 'users' }),
    ...(owner && !Array.isArray(owner) && { type: owner.type, ownerId: owner.id }),
  };
}

function isUnavailableTo(error: unknown): boolean {
  return error instanceof ServiceError && [403, 404].includes(error.status);
}
