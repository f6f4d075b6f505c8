import { foldEmail, parseEmail } from '../email.ts';
import { UsageError } from '../errors.ts';
import { toText } from '../json-object.ts';
import { type FoundMembership, findEmail } from '../service/memberships.ts';
import type { Page } from '../service/page.ts';
import type { Resource, ResourceIdentifier } from '../wire/json-api.ts';
import type { Membership } from '../wire/resources.ts';

export interface MemberTeam {
  readonly id: string;
  /** Undefined where it did not come along. */
  readonly name: string | undefined;
}

export interface Member {
  readonly id: string;
  readonly email: string | undefined;
  readonly username: string | undefined;
  readonly status: string | undefined;
  /** Undefined where the service does not say. */
  readonly teams: readonly MemberTeam[] | undefined;
  readonly userId: string | undefined;
  /** Name of the organization; undefined where the service does not say. */
  readonly organization: string | undefined;
}

/** `included` may hold the user and the teams. */
export function toMember({ membership, included }: FoundMembership): Member {
  const { id, attributes, relationships } = membership;
  const user = toIdentifier(relationships?.['user']?.data);
  const teams = relationships?.['teams']?.data;
  return {
    id,
    email: findEmail(membership, included),
    username: toText(findIncluded(user, included)?.attributes?.['username']),
    status: toText(attributes?.status),
    teams: isList(teams)
      ? teams.map((team) => ({ id: team.id, name: toText(findIncluded(team, included)?.attributes?.['name']) }))
      : undefined,
    userId: user?.id,
    organization: toIdentifier(relationships?.['organization']?.data)?.id,
  };
}

export function toMembers({ items, included }: Page): readonly Member[] {
  return (items as readonly Membership[]).map((membership) => toMember({ membership, included }));
}

/** What identifies a person. Undefined where no roster can name this one. */
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

export function countPeople(count: number): string {
  return count === 1 ? 'one person' : `${count} people`;
}

/** `ada@example.com (active; audit, platform)` */
export function describePerson({ id, email, username, status, teams = [] }: Member): string {
  const facts = [status ?? 'status unknown', teams.map((team) => team.name ?? team.id).join(', ')];
  return `${email ?? username ?? id} (${facts.filter((fact) => fact !== '').join('; ')})`;
}

/** `, in 2 teams: audit, platform` */
export function describeTeams({ teams = [] }: Member): string {
  return teams.length === 0
    ? ', in no team'
    : `, in ${teams.length === 1 ? 'one team' : `${teams.length} teams`}: ${teams.map(({ id, name }) => name ?? id).join(', ')}`;
}

/** Throws UsageError for a member of another organization, as a membership named by its id may be. */
export function refuseOtherOrganization(member: Member, organization: string): void {
  const own = member.organization;
  if (own === undefined || own.toLowerCase() === organization.toLowerCase()) return;
  throw new UsageError(`${describeMember(member)} belongs to ${own}, not to ${organization}`, {
    hint: `Nothing was removed. If ${own} is meant, say so with --org ${own}.`,
  });
}

function findIncluded(identifier: ResourceIdentifier | undefined, included: readonly Resource[]): Resource | undefined {
  return included.find(({ type, id }) => type === identifier?.type && id === identifier.id);
}

function toIdentifier(
  data: ResourceIdentifier | readonly ResourceIdentifier[] | null | undefined,
): ResourceIdentifier | undefined {
  return data === null || data === undefined || isList(data) ? undefined : data;
}

function isList(data: unknown): data is readonly ResourceIdentifier[] {
  return Array.isArray(data);
}
