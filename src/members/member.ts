import { flatten } from '../api/flatten.ts';
import type { Page } from '../api/pagination.ts';
import type { TeamReference } from '../api/teams.ts';
import type { Resource } from '../api/types.ts';
import { isObject, type JsonObject } from '../lib/json.ts';

/** A membership. Each field but the id is undefined if the service does not show it. */
export interface Member {
  id: string;
  email: string | undefined;
  username: string | undefined;
  userId: string | undefined;
  status: string | undefined;
  org: string | undefined;
  /** The name of a team is its id if the service sent only ids. */
  teams: TeamReference[] | undefined;
  isServiceAccount: boolean;
  /** An identity provider manages the account (facts). */
  isScimManaged: boolean;
}

export const OWNERS = 'owners';

export function parseMember(resource: Resource, included: Resource[] = []): Member {
  return parseMemberRecord(flatten(resource, included));
}

export async function parseMembers(pages: AsyncIterable<Page>): Promise<Member[]> {
  const members: Member[] = [];
  for await (const { items, included } of pages) {
    members.push(...items.map((item) => parseMember(item, included)));
  }
  return members;
}

/** Takes a flattened record. */
export function parseMemberRecord(record: JsonObject): Member {
  const user = isObject(record.user) ? record.user : {};
  const org = isObject(record.organization) ? record.organization : {};
  const scim = record['scim-identity'];
  return {
    id: String(record.id),
    email: parseText(record.email) ?? parseText(user.email),
    username: parseText(user.username),
    userId: parseText(user.id),
    status: parseText(record.status),
    org: parseText(org.id),
    teams: Array.isArray(record.teams)
      ? record.teams.filter(isObject).map(({ id, name }) => ({ id: String(id), name: parseText(name) ?? String(id) }))
      : undefined,
    isServiceAccount: user['is-service-account'] === true,
    isScimManaged: user['is-scim-managed'] === true || isObject(scim),
  };
}

function parseText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** `ada@example.com`, else the user name, else the id. */
export function formatMember({ email, username, id }: Pick<Member, 'id' | 'email' | 'username'>): string {
  return email ?? username ?? id;
}

/** `ada@example.com (active; audit, platform)` */
export function describeMember(member: Member): string {
  const teams = formatTeams(member.teams);
  const facts = [member.status ?? 'status unknown', teams].filter(Boolean);
  return `${formatMember(member)} (${facts.join('; ')})`;
}

export function formatTeams(teams: TeamReference[] = []): string {
  return teams.map(({ name }) => name).join(', ');
}
