import type { Client } from './client.ts';
import { readResource } from './error-document.ts';
import { type Include, withInclude } from './include.ts';
import { isNotFound } from './not-found.ts';
import { createCall, DOCUMENTED, ORG, operation } from './operations.ts';
import { createList, createListOf, type List } from './pagination.ts';
import type { Query, ResourceDocument } from './types.ts';
import { createResource } from './writes.ts';

const MEMBERS = `${ORG}/organization-memberships`;
const MEMBER = '/organization-memberships/:id';
export const CAN_MANAGE_MEMBERS =
  'Owners, the owners team token, the organization token and people with Team Management can.';
const MANAGED = { ...DOCUMENTED, who: CAN_MANAGE_MEMBERS };
const LIST_MEMBERS = operation('GET', MEMBERS, 'list the members of :org', DOCUMENTED);
const LIST_OWN_MEMBERSHIPS = operation('GET', '/organization-memberships', 'list your organizations', DOCUMENTED);
const SHOW_MEMBER = operation('GET', MEMBER, 'show member :id', DOCUMENTED);
const INVITE_MEMBER = operation('POST', MEMBERS, 'invite people to :org', {
  ...MANAGED,
  refusals: {
    400: {
      code: 'organization-limit',
      message: 'the organization has reached its limit of members',
      hint: '`orgctl feature-sets current` shows the plan and the seats.',
      words: /limit|maximum|seat/i,
    },
  },
});
const REMOVE_MEMBER = operation('DELETE', MEMBER, 'remove :person from :org', MANAGED);

export interface MemberFilter {
  search?: string | undefined;
  status?: string | undefined;
  /** Each is named once, whatever its case. */
  emails?: string[] | undefined;
}

export interface MemberReference {
  id: string;
  /** The email, else the user name, else the id. */
  person: string;
  org: string;
}

/** A longer URL could exceed a proxy's limit. */
const MAX_EMAILS = 50;

/** Gives people and teams their names. */
export const USER_AND_TEAMS: Include = { own: ['user', 'teams'] };

export function listMembers(client: Client, org: string, { search, status, emails }: MemberFilter, include: Include) {
  return createListOf(async function* (options) {
    for (let start = 0; start === 0 || start < (emails?.length ?? 0); start += MAX_EMAILS) {
      const filter: Query = [
        ['q', search],
        ['filter[status]', status],
        ['filter[email]', emails?.slice(start, start + MAX_EMAILS).join(',')],
      ];
      yield* createList(client, createCall(LIST_MEMBERS, { org }, filter), { include }).pages(options);
    }
  });
}

export function listOwnMemberships(client: Client, include: Include): List {
  // The document shows no parameters for this list.
  return createList(client, createCall(LIST_OWN_MEMBERSHIPS, {}), { include, isPaginated: false });
}

/** Undefined if the service doesn't say how long the list is. */
export async function countMembers(client: Client, org: string, status?: string): Promise<number | undefined> {
  const list = listMembers(client, org, { status }, { own: [] });
  for await (const { total } of list.pages({ page: 1, pageSize: 1 })) return total?.items;
  return undefined;
}

export async function showMember(client: Client, id: string, include: Include, org?: string) {
  const call = createCall(SHOW_MEMBER, { id, org });
  const read = async (query: Query): Promise<ResourceDocument> =>
    readResource(await client.read({ ...call, query: [...call.query, ...query] }));
  return withInclude(read, include)([]);
}

/**
 * Reads a membership that a list has shown. Undefined if the list has lost it too; throws the 404 otherwise, since a service
 * may list people whom it doesn't show.
 */
export async function findListedMember(client: Client, { id, person, org }: MemberReference) {
  try {
    return await showMember(client, id, USER_AND_TEAMS, org);
  } catch (error) {
    if (!isNotFound(error) || (await isListed(client, { id, person, org }))) throw error;
    return undefined;
  }
}

async function isListed(client: Client, { id, person, org }: MemberReference): Promise<boolean> {
  const search = person === id ? undefined : person;
  const found = await listMembers(client, org, { search }, USER_AND_TEAMS).all();
  return found.some((membership) => membership.id === id);
}

export async function inviteMember(client: Client, org: string, email: string, teamsOfMember: { id: string }[]) {
  const teams = { data: teamsOfMember.map(({ id }) => ({ id, type: 'teams' })) };
  const data = { type: 'organization-memberships', attributes: { email }, relationships: { teams } };
  const find = async () => (await listMembers(client, org, { emails: [email] }, USER_AND_TEAMS).all())[0];
  return createResource(client, createCall(INVITE_MEMBER, { org }), data, find);
}

/** True if the membership was removed, undefined in a dry run. The caller has read the membership before. */
export async function removeMember(client: Client, member: MemberReference): Promise<true | undefined> {
  return client.write(createCall(REMOVE_MEMBER, { ...member }), {
    read: () => true as const,
    findOutcome: async () => !(await isListed(client, member)) && { value: true as const },
  });
}
