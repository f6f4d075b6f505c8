import { flatten } from '../api/flatten.ts';
import type { TeamReference } from '../api/teams.ts';
import type { Resource } from '../api/types.ts';
import { getField, isObject, type JsonObject } from '../lib/json.ts';

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

/** Takes a flattened record, or one with names such as `user.username`. */
export function parseMemberRecord(record: JsonObject): Member {
  const text = (field: string): string | undefined => parseText(getField(record, field));
  return {
    id: String(record.id),
    email: text('email') ?? text('user.email'),
    username: text('user.username'),
    userId: text('user.id'),
    status: text('status'),
    org: text('organization.id'),
    teams: Array.isArray(record.teams)
      ? record.teams.filter(isObject).map(({ id, name }) => ({ id: String(id), name: parseText(name) ?? String(id) }))
      : undefined,
    isServiceAccount: getField(record, 'user.is-service-account') === true,
    isScimManaged: getField(record, 'user.is-scim-managed') === true || isObject(record['scim-identity']),
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
