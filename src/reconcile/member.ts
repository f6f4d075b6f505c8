import { foldEmail, parseEmail } from '../email.ts';
import { toText } from '../json-object.ts';
import type { Resource, ResourceIdentifier } from '../wire/json-api.ts';
import { type Membership, USERS } from '../wire/resources.ts';

/** What a plan needs to know of a membership. */
export interface Member {
  readonly id: string;
  /** As the service gives it; undefined where it does not. */
  readonly email: string | undefined;
  readonly status: string | undefined;
  /** Undefined where the service does not say. */
  readonly teamIds: readonly string[] | undefined;
  readonly userId: string | undefined;
  /** Name of the organization; undefined where the service does not say. */
  readonly organization: string | undefined;
}

/** The members of a page. `included` may hold their users. */
export function toMembers(memberships: readonly Membership[], included: readonly Resource[]): readonly Member[] {
  const users = new Map(included.filter(({ type }) => type === USERS).map((user) => [user.id, user] as const));
  return memberships.map((membership) => {
    const { attributes, relationships } = membership;
    const userId = toId(relationships?.['user']?.data);
    const email = attributes?.email ?? users.get(userId ?? '')?.attributes?.['email'];
    const teams = relationships?.['teams']?.data;
    return {
      id: membership.id,
      email: typeof email === 'string' && email !== '' ? email : undefined,
      status: toText(attributes?.status),
      teamIds: isList(teams) ? teams.map(({ id }) => id) : undefined,
      userId,
      organization: toId(relationships?.['organization']?.data),
    };
  });
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
export function describeMember({ id, email, status }: Member): string {
  return `${email ?? 'somebody without an email'} (${id}, ${status ?? 'status unknown'})`;
}

function toId(data: ResourceIdentifier | readonly ResourceIdentifier[] | null | undefined): string | undefined {
  return data === null || data === undefined || isList(data) ? undefined : data.id;
}

function isList(data: unknown): data is readonly ResourceIdentifier[] {
  return Array.isArray(data);
}
