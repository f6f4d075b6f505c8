import { type Caller, readCaller } from '../api/account.ts';
import type { Client } from '../api/client.ts';
import { catchNotFound, isRefused } from '../api/not-found.ts';
import type { Resource } from '../api/types.ts';
import type { JsonObject } from '../lib/json.ts';
import { isDescribed, type NamedToken } from './token.ts';

/** Empty if the service doesn't say who the caller is. */
export async function findCaller(client: Client): Promise<Caller> {
  return (await catchNotFound(readCaller(client), isRefused)) ?? {};
}

/** Whether the requests use this token. `maybe` if the service doesn't say. */
export function isCaller(caller: Caller, token: NamedToken, id: string | undefined): 'yes' | 'no' | 'maybe' {
  const kind = isDescribed(token) ? 'team' : token.kind;
  // The audit trail token can read nothing but the trail.
  if (kind === 'audit-trail') return 'no';
  if (caller.tokenId !== undefined && id !== undefined) return caller.tokenId === id ? 'yes' : 'no';
  if (caller.type === undefined) return 'maybe';
  if (caller.type !== `${kind}s`) return 'no';
  return 'team' in token && caller.ownerId !== token.team.id ? 'no' : 'maybe';
}

/** Has a user name only if the creator is the caller. Undefined if the service doesn't name the creator. */
export function findCreator({ relationships }: Resource, { id, username }: Caller): JsonObject | undefined {
  const creator = relationships?.['created-by']?.data;
  if (!creator || Array.isArray(creator)) return undefined;
  return { ...creator, ...(creator.id === id && username !== undefined && { username }) };
}
