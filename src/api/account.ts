import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { listRelated } from './flatten.ts';
import { catchNotFound, isRefused } from './not-found.ts';
import { createCall, operation } from './operations.ts';
import { listOwnOrganizations } from './organizations.ts';

/** Outside the document (facts). */
const SHOW_ACCOUNT = operation('GET', '/account/details', 'show your account');

/** The account and token that send the requests, as far as the service says (facts). */
export type Caller = Partial<Awaited<ReturnType<typeof readCaller>>>;

/** Empty if the service doesn't say who the caller is. */
export async function findCaller(client: Client): Promise<Caller> {
  return (await catchNotFound(readCaller(client), isRefused)) ?? {};
}

/** Undefined if the service doesn't say. Throws ServiceError with status 401 if the service rejects the token. */
export async function readAccountName(client: Client): Promise<string | undefined> {
  const { id, username } = await findCaller(client);
  // A service without this route says by the caller's own memberships whether it accepts the token.
  if (id === undefined) await catchNotFound(listOwnOrganizations(client), isRefused);
  return username;
}

/** Throws ServiceError for a token that is refused, and if the service has no such route. */
export async function readCaller(client: Client) {
  const { data } = readResource(await client.read(createCall(SHOW_ACCOUNT, {})));
  const { id, attributes = {}, relationships, links } = data;
  const { username, 'is-service-account': isService } = attributes;
  const [, tokenId] = /\/(at-\w+)$/.exec(String(links?.['auth-token'])) ?? [];
  const [owner] = listRelated(relationships?.['authenticated-resource']);
  return {
    id,
    username: typeof username === 'string' ? username : undefined,
    tokenId,
    /** The type of the token's owner: `users`, `teams` or `organizations`. */
    type: owner?.type ?? (isService === false ? 'users' : undefined),
    ownerId: owner?.id,
  };
}
