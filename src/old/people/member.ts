import { foldEmail, parseEmail } from '../email.ts';
import { UsageError } from '../errors.ts';
import { getMember, toText } from '../json-object.ts';
import { isSameName } from '../names.ts';
import { canHaveSecondFactor, findEmail } from '../resources/membership.ts';
import { findOrganization } from '../resources/organization.ts';
import { OWNERS_TEAM } from '../resources/team.ts';
import type { FoundMembership, MembershipRemoval } from '../service/memberships.ts';
import type { Page } from '../service/page.ts';
import type { Relationship, Resource, ResourceIdentifier } from '../wire/json-api.ts';
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
  /** Whether it is the account of a token, and no person. Undefined where the service does not say, as below. */
  readonly isServiceAccount: boolean | undefined;
  /** Whether SCIM made the account, or took it over. */
  readonly isScimManaged: boolean | undefined;
  /** Whether two-factor authentication is on; undefined also of those who can have none yet. */
  readonly hasSecondFactor: boolean | undefined;
  /** Name of the organization; undefined where the service does not say. */
  readonly organization: string | undefined;
}

/** `included` may hold the user and the teams. */
export function toMember({ membership, included }: FoundMembership): Member {
  const { id, attributes, relationships } = membership;
  const user = toIdentifier(relationships?.['user']?.data);
  const teams = relationships?.['teams']?.data;
  const account = findIncluded(user, included)?.attributes;
  const isServiceAccount = toFlag(account?.['is-service-account']);
  return {
    id,
    email: findEmail(membership, included),
    username: toText(account?.['username']),
    status: toText(attributes?.status),
    teams: isList(teams)
      ? teams.map((team) => ({ id: team.id, name: toText(findIncluded(team, included)?.attributes?.['name']) }))
      : undefined,
    userId: user?.id,
    isServiceAccount,
    isScimManaged: isScimManaged(relationships?.['scim-identity'], account?.['is-scim-managed']),
    hasSecondFactor: canHaveSecondFactor(attributes?.status, isServiceAccount)
      ? toFlag(getMember(account?.['two-factor'], 'enabled'))
      : undefined,
    organization: findOrganization(membership),
  };
}

export function toMembers({ items, included }: Page<Membership>): readonly Member[] {
  return items.map((membership) => toMember({ membership, included }));
}

/** What identifies a person. Undefined where no roster can name this one. */
export function toPersonKey({ email }: Member): string | undefined {
  try {
    return email === undefined ? undefined : foldEmail(parseEmail(email));
  } catch {
    return undefined;
  }
}

/** `ada@example.com`: people read names. */
export function nameMember({ id, email, username }: Pick<Member, 'id' | 'email' | 'username'>): string {
  return email ?? username ?? id;
}

/** `ada@example.com (active; audit, platform)` */
export function describeMember(member: Member): string {
  return describe(member, [member.status ?? 'status unknown', listTeamNames(member.teams ?? [])]);
}

/** `ada@example.com (active; audit; 2FA off)`, of someone who leaves the organization */
export function describeLeaver(member: Member): string {
  return describe(member, [describeHeld(member)]);
}

type Held = Pick<Member, 'status' | 'hasSecondFactor' | 'isServiceAccount'> & {
  readonly teams: Parameters<typeof listTeamNames>[0] | undefined;
};

/** What a person has in an organization: `inactive; owners; 2FA off` */
export function describeHeld({ status, isServiceAccount, teams = [], hasSecondFactor }: Held): string {
  return joinFacts([
    status ?? 'status unknown',
    isServiceAccount === true ? 'service account' : '',
    listTeamNames(teams),
    hasSecondFactor === undefined ? '' : `2FA ${hasSecondFactor ? 'on' : 'off'}`,
  ]);
}

/** `ada@example.com (active; ou-…)`, where several have that name. */
export function distinguishMember(member: Member): string {
  return describe(member, [member.status ?? 'status unknown', member.id]);
}

function describe(member: Member, facts: readonly string[]): string {
  return `${nameMember(member)} (${joinFacts(facts)})`;
}

function joinFacts(facts: readonly string[]): string {
  return facts.filter((fact) => fact !== '').join('; ');
}

/** `audit, platform` */
export function listTeamNames(teams: readonly { readonly id: string; readonly name?: string | undefined }[]): string {
  return teams.map(({ id, name }) => name ?? id).join(', ');
}

/** What the service is asked for, and what is said of it. */
export function toRemoval(member: Member, organization: string): MembershipRemoval {
  return {
    id: member.id,
    person: `${nameMember(member)} from ${organization}`,
    organization,
    effect: `remove ${describeLeaver(member)} from ${organization}`,
  };
}

/** Throws UsageError for a member of another organization, as a membership named by its id may be. */
export function refuseOtherOrganization(member: Member, organization: string): void {
  refuseElsewhere(`${nameMember(member)} is a member`, member.organization, organization);
}

/** `what`: `ada@example.com is a member`. `own`: the organization it is of, where that is known. */
export function refuseElsewhere(what: string, own: string | undefined, organization: string): void {
  if (own === undefined || isSameName(own, organization)) return;
  throw new UsageError(`${what} of ${own}, not of ${organization}`, { hint: `Nothing was changed. Add --org ${own}.` });
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

/**
 * Assumed: hosted services relate a membership that SCIM manages to a SCIM identity, and other services mark its user
 * as managed by SCIM.
 */
function isScimManaged(identity: Relationship | null | undefined, mark: unknown): boolean | undefined {
  const data = identity?.data;
  return data === undefined || data === null ? toFlag(mark) : true;
}

function toFlag(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

/**
 * Whether a member is in the team of owners: by its id, else by the name that came along. Undefined where the service does not
 * say which teams, or leaves a name out.
 */
export function isOwner({ teams }: Pick<Member, 'teams'>, ownersTeam?: string): boolean | undefined {
  if (teams === undefined) return undefined;
  if (ownersTeam !== undefined) return teams.some(({ id }) => id === ownersTeam);
  if (teams.some(({ name }) => name === OWNERS_TEAM)) return true;
  return teams.every(({ name }) => name !== undefined) ? false : undefined;
}
