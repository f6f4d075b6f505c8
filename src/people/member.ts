import { foldEmail, parseEmail } from '../email.ts';
import { toText } from '../json-object.ts';
import { type FoundMembership, findEmail } from '../service/memberships.ts';
import type { Page } from '../service/pages.ts';
import type { ResourceIdentifier } from '../wire/json-api.ts';
import type { Membership } from '../wire/resources.ts';

/** A membership as the service answers it, reduced to what decisions about people need. */
export interface Member {
  readonly id: string;
  /** As the service gives it; undefined where it does not. */
  readonly email: string | undefined;
  readonly username: string | undefined;
  readonly status: string | undefined;
  /** Undefined where the service does not say. */
  readonly teamIds: readonly string[] | undefined;
  readonly userId: string | undefined;
  /** Name of the organization; undefined where the service does not say. */
  readonly organization: string | undefined;
}

/** `included` may hold the user. */
export function toMember({ membership, included }: FoundMembership): Member {
  const { id, attributes, relationships } = membership;
  const user = toIdentifier(relationships?.['user']?.data);
  const account = included.find((resource) => resource.type === user?.type && resource.id === user.id);
  const teams = relationships?.['teams']?.data;
  return {
    id,
    email: findEmail(membership, included),
    username: toText(account?.attributes?.['username']),
    status: toText(attributes?.status),
    teamIds: isList(teams) ? teams.map((team) => team.id) : undefined,
    userId: user?.id,
    organization: toIdentifier(relationships?.['organization']?.data)?.id,
  };
}

/** The members of a page of memberships. */
export function toMembers({ items, included }: Page): readonly Member[] {
  return (items as readonly Membership[]).map((membership) => toMember({ membership, included }));
}

/** What people are told apart by. Undefined where no roster can name this one. */
export function toPersonKey({ email }: Member): string | undefined {
  try {
    return email === undefined ? undefined : foldEmail(parseEmail(email));
  } catch {
    return undefined;
  }
}

/** `ada@example.com (ou-…, active)` */
export function describeMember({ id, email, username, status }: Member): string {
  return `${email ?? username ?? 'somebody without an email'} (${id}, ${status ?? 'status unknown'})`;
}

function toIdentifier(
  data: ResourceIdentifier | readonly ResourceIdentifier[] | null | undefined,
): ResourceIdentifier | undefined {
  return data === null || data === undefined || isList(data) ? undefined : data;
}

function isList(data: unknown): data is readonly ResourceIdentifier[] {
  return Array.isArray(data);
}
