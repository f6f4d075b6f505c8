import { UsageError } from '../errors.ts';
import { orUndefined } from '../service/ambiguous-write.ts';
import { type Include, NO_INCLUDE, WITH_TEAMS } from '../service/include.ts';
import type { Memberships } from '../service/memberships.ts';
import type { Service } from '../service/service.ts';
import { OWNERS_TEAM } from '../service/team.ts';
import type { Resource } from '../wire/json-api.ts';
import { listTeams, teamName } from './find-teams.ts';
import { type Member, nameMember, toMembers } from './member.ts';
import { isOwner } from './owners.ts';

/** Who is never removed by a list of people: the caller, and owners. */

type Services = Pick<Service, 'memberships' | 'teams' | 'findCaller'>;

export interface Self {
  /** Empty where the token is no person's. */
  readonly memberships: readonly Member[];
  is(member: Member): boolean;
}

export interface RemovalGuard {
  /** Why this member is not removed; undefined where nothing protects them. Throws UsageError where that can't be seen. */
  protects(member: Member): 'self' | 'owner' | undefined;
  /** Throws UsageError where no one of `everyone` is seen to own the organization after these are removed. */
  refuseOwnerless(removed: readonly Member[], everyone: Iterable<Member> | AsyncIterable<Member>): Promise<void>;
}

/** Throws UsageError where owners can't be seen, unless they may be removed too. `known`: the teams, where they were read. */
export async function createRemovalGuard(
  { memberships, teams }: Services,
  organization: string,
  self: Self,
  allowOwners: boolean,
  known?: readonly Resource[],
): Promise<RemovalGuard> {
  const team = (known ?? (await listTeams(teams, organization)))?.find((one) => teamName(one) === OWNERS_TEAM)?.id;
  if (team === undefined && !allowOwners) {
    throw toUnseen(organization, `Your token can't see the team ${OWNERS_TEAM}, or this service doesn't list teams.`);
  }
  const named = team === undefined ? await findNamedOwners(memberships, organization) : undefined;
  const owns = (member: Member): boolean | undefined =>
    named === undefined ? isOwner(member, team) : named.has(member.id);
  return {
    protects(member) {
      if (self.is(member)) return 'self';
      if (allowOwners) return undefined;
      if (member.teams !== undefined) return owns(member) === true ? 'owner' : undefined;
      throw toUnseen(organization, `The service doesn't show the teams of ${nameMember(member)}.`);
    },
    async refuseOwnerless(removed, everyone) {
      const gone = new Set(removed.map(({ id }) => id));
      const stays = (member: Member): boolean =>
        owns(member) === true && member.status === 'active' && !gone.has(member.id);
      if (self.memberships.some(stays)) return;
      for await (const member of everyone) if (stays(member)) return;
      const owners = removed.filter((member) => owns(member) === true);
      if (owners.length > 0) {
        throw toOwnerless(organization, owners);
      }
      // Every organization has an owner: where none is seen, they are hidden.
      if (!allowOwners) throw toUnseen(organization, `Your token sees no one in the team ${OWNERS_TEAM}.`);
    },
  };
}

/** Throws UsageError unless all of these may be removed from an organization by a list of people. */
export async function guardRemovals(
  service: Services,
  organization: string,
  people: readonly Member[],
  self: Self,
  allowOwners: boolean,
): Promise<void> {
  const { protects, refuseOwnerless } = await createRemovalGuard(service, organization, self, allowOwners);
  const removed = people.filter((member) => protects(member) === undefined);
  await refuseOwnerless(removed, listMembers(service.memberships, organization));
  refuseProtected(people, protects);
}

/**
 * Throws UsageError unless these can be taken out of the team of owners: one who is active stays, and the caller does. `self`:
 * undefined where the caller may leave. `owners`: everyone in the team.
 */
export function guardOwnersTeam(
  organization: string,
  leaving: readonly Member[],
  owners: readonly Member[],
  self: Self | undefined,
): void {
  refuseProtected(leaving, (member) => (self?.is(member) === true ? 'self' : undefined), {
    rule: `you would leave ${OWNERS_TEAM}`,
    advice: 'Leave yourself out, or add --allow-self.',
  });
  const gone = new Set(leaving.map(({ id }) => id));
  const stays = ({ id, status, isServiceAccount }: Member): boolean =>
    status === 'active' && isServiceAccount !== true && !gone.has(id);
  if (owners.some(stays)) return;
  throw toOwnerless(organization, leaving);
}

/** Ids of the memberships in a team of that name: where a service lists no teams, they may come along with members. */
async function findNamedOwners(memberships: Memberships, organization: string): Promise<ReadonlySet<string>> {
  const owners = new Set<string>();
  for await (const member of listMembers(memberships, organization, WITH_TEAMS)) {
    if (isOwner(member) === true) owners.add(member.id);
  }
  return owners;
}

async function* listMembers(
  memberships: Memberships,
  organization: string,
  include: Include = NO_INCLUDE,
): AsyncGenerator<Member> {
  for await (const page of memberships.list(organization, {}, include, {}).stream()) yield* toMembers(page);
}

const OF_FILE = {
  rule: '--file never removes you or an owner',
  advice: 'Delete the line, or remove them by name.',
};

/** Throws UsageError that names everyone who is protected. */
export function refuseProtected(
  people: readonly Member[],
  protects: RemovalGuard['protects'],
  { rule, advice } = OF_FILE,
): void {
  const found = people.flatMap((member) => {
    const why = protects(member);
    if (why === undefined) return [];
    const place = member.organization === undefined ? '' : ` of ${member.organization}`;
    return [`${nameMember(member)} (${why === 'self' ? 'you' : `owner${place}`})`];
  });
  const reasons = [...new Set(found)];
  const [only] = reasons.length === 1 ? reasons : [];
  if (reasons.length === 0) return;
  throw new UsageError(only === undefined ? rule : `${rule}: ${only}`, {
    code: 'protected',
    reasons: only === undefined ? reasons : [],
    hint: `Nothing was removed. ${advice}`,
  });
}

/** Throws UsageError where it is unknown which member the caller is. */
export async function findSelf(
  { memberships, findCaller }: Pick<Services, 'memberships' | 'findCaller'>,
  organization: string,
  hint = 'Remove people by name with members remove.',
): Promise<Self> {
  const own = await orUndefined(memberships.listOwn(NO_INCLUDE, {}).collect());
  if (own !== undefined) return toSelf(own.flatMap(toMembers));
  const caller = await findCaller();
  if (caller !== undefined) return { memberships: [], is: ({ userId }) => userId === caller };
  throw new UsageError(`orgctl can't see which member of ${organization} you are, so it removes no one`, { hint });
}

export function toSelf(own: readonly Member[]): Self {
  const ids = new Set(own.map(({ id }) => id));
  return { memberships: own, is: ({ id }) => ids.has(id) };
}

function toUnseen(organization: string, why: string): UsageError {
  return new UsageError(`orgctl can't see who owns ${organization}, so it removes no one`, {
    code: 'owners-unseen',
    reasons: [why],
    hint: 'Use a token that can see the teams, or add --allow-owners, which removes owners too.',
  });
}

function toOwnerless(organization: string, owners: readonly Member[]): UsageError {
  return new UsageError(`that would leave ${organization} without an owner`, {
    code: 'last-owner',
    reasons: owners.map(nameMember),
    hint: 'Nothing was removed. Keep at least one of them.',
  });
}
