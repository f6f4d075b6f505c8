import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { listRelated } from './flatten.ts';
import { isRefused } from './not-found.ts';
import { createCall, operation } from './operations.ts';
import { listOwnOrganizations } from './organizations.ts';

/** Outside the document (facts). */
const SHOW_ACCOUNT = operation('GET', '/account/details', 'show your account');

/**
 * Undefined if the service doesn't say. A service without this route is asked for the caller's own memberships, to prove the
 * token. Throws ServiceError with status 401 if the service rejects the token.
 */
export async function readAccountName(client: Client): Promise<string | undefined> {
  try {
    return (await readCaller(client)).username;
  } catch (error) {
    if (!isRefused(error)) throw error;
    await listOwnOrganizations(client).catch((reason: unknown) => {
      if (!isRefused(reason)) throw reason;
    });
    return undefined;
  }
}

/** The account and token that send the requests, as far as the service says (facts). */
export interface Caller {
  id?: string;
  username?: string;
  tokenId?: string;
  /** The type of the token's owner: `users`, `teams` or `organizations`. */
  type?: string;
  ownerId?: string;
}

/** Throws ServiceError for a token that is refused, and if the service has no such route. */
export async function readCaller(client: Client): Promise<Caller> {
  const { data } = readResource(await client.read(createCall(SHOW_ACCOUNT, {})));
  const { id, attributes = {}, relationships, links } = data;
  const { username, 'is-service-account': isService } = attributes;
  const [, tokenId] = /\/(at-\w+)$/.exec(String(links?.['auth-token'])) ?? [];
  const [owner] = listRelated(relationships?.['authenticated-resource']);
  return {
    id,
    username: typeof username === 'string' ? username : undefined,
    tokenId,
    type: owner?.type ?? (isService === false ? 'users' : undefined),
    ownerId: owner?.id,
  };
}
