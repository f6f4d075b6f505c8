import { ConnectionError, ServiceError } from '../lib/errors.ts';
import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { type Include, withInclude } from './include.ts';
import { createCall } from './operations.ts';
import { fetchPages, type ListOptions, type Page, type PageOptions, readPages } from './pagination.ts';
import type { Query, Resource, ResourceDocument } from './types.ts';

export interface MemberFilter {
  search?: string | undefined;
  status?: string | undefined;
  emails?: string[] | undefined;
}

export type ReadOptions = PageOptions & Pick<ListOptions<Resource>, 'mode' | 'warn'>;

/** Keeps the address of a request well below the limit of any proxy. */
const EMAILS_AT_ONCE = 50;

/** So that people and teams have names. */
export const USER_AND_TEAMS: Include = { own: ['user', 'teams'] };

/** How to list the members of an organization, for `readPages`. */
export function listMembers(
  client: Client,
  org: string,
  { search, status, emails }: MemberFilter,
  include: Include,
  options: ReadOptions,
): ListOptions<Resource> {
  const filter: Query = [
    ['q', search],
    ['filter[status]', status],
    ['filter[email]', emails?.join(',')],
  ];
  const call = createCall('list-members', { org }, filter);
  return { ...options, what: call.what, fetch: withInclude(fetchPages(client, call), include) };
}

/** How to list the memberships of the caller. The document shows no parameters for this list. */
export function listOwnMemberships(client: Client, include: Include, options: ReadOptions): ListOptions<Resource> {
  const call = createCall('list-own-memberships');
  return { ...options, what: call.what, isPaginated: false, fetch: withInclude(fetchPages(client, call), include) };
}

/** The memberships with these emails, each with what came along. */
export async function* readByEmail(client: Client, org: string, emails: string[]): AsyncGenerator<Page> {
  for (let start = 0; start < emails.length; start += EMAILS_AT_ONCE) {
    const some = emails.slice(start, start + EMAILS_AT_ONCE);
    yield* readPages(listMembers(client, org, { emails: some }, USER_AND_TEAMS, QUIETLY));
  }
}

/** Lists that are read to decide something, in whole. */
export const QUIETLY: ReadOptions = { mode: 'buffer', warn: () => undefined };

export async function showMember(
  client: Client,
  id: string,
  include: Include,
  org?: string,
): Promise<ResourceDocument> {
  const call = createCall('show-member', { id, ...(org && { org }) });
  const read = async (query: Query): Promise<ResourceDocument> =>
    readResource(await client.read({ ...call, query: [...call.query, ...query] }));
  return withInclude(read, include)([]);
}

/** Undefined if the membership is not there, or not visible. */
export async function findMember(client: Client, id: string): Promise<ResourceDocument | undefined> {
  try {
    return await showMember(client, id, USER_AND_TEAMS);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
}

/** The new membership. Undefined in a dry run. */
export async function inviteMember(
  client: Client,
  org: string,
  { email, teamIds }: { email: string; teamIds: string[] },
): Promise<Resource | undefined> {
  const teams = { data: teamIds.map((id) => ({ id, type: 'teams' })) };
  const data = { type: 'organization-memberships', attributes: { email }, relationships: { teams } };
  return client.write(createCall('invite-member', { org }), {
    body: JSON.stringify({ data }),
    read: (response) => readResource(response).data,
    async look() {
      for await (const { items } of readByEmail(client, org, [email])) {
        if (items[0]) return { value: items[0] };
      }
      return false;
    },
  });
}

/** True if it was removed, undefined in a dry run. The membership was read before: a 404 means that it is gone. */
export async function removeMember(
  client: Client,
  { id, person, org }: { id: string; person: string; org: string },
): Promise<true | undefined> {
  return client.write(createCall('remove-member', { id, person, org }), {
    read: () => true as const,
    look: async () => ((await findMember(client, id)) ? false : { value: true as const }),
  });
}

/** Whether the service has no such route, or shows none of it: it is outside the document. */
export function isMissing(error: unknown): boolean {
  if (error instanceof ServiceError) return error.status === 404;
  return error instanceof ConnectionError && error.code === 'not-the-service';
}
