import { ConnectionError, orUndefined, UsageError } from '../errors.ts';
import { collect, stream } from '../reading.ts';
import { OWNERS_TEAM, teamName } from '../resources/team.ts';
import { USUAL_INCLUDE, WITH_USER } from '../service/include.ts';
import type { Directories, Directory } from './directory.ts';
import { isOwner, type Member, nameMember, toMembers } from './member.ts';
import { listTeamMembers } from './team-members.ts';

/** Who stays, whatever is asked for: the caller, and a person who owns the organization. */

export interface Self {
  is(member: Member): boolean;
}

/** Why a member is not removed; undefined where nothing protects them. */
export type Protects = (member: Member) => 'self' | 'owner' | undefined;

/** Throws UsageError where owners can't be seen, unless they may be removed too. */
export async function createRemovalGuard(directory: Directory, self: Self, allowOwners: boolean) {
  const { organization } = directory;
  const team = await findOwnersTeam(directory);
  if (team === undefined && !allowOwners) {
    throw toUnseen(organization, `Your token can't see the team ${OWNERS_TEAM}, or this service doesn't list teams.`);
  }
  const owns = (member: Member): boolean => isOwner(member, team) === true;
  return {
    /** Throws UsageError where that can't be seen. */
    protects(member: Member): ReturnType<Protects> {
      if (self.is(member)) return 'self';
      if (allowOwners) return undefined;
      if (member.teams !== undefined) return owns(member) ? 'owner' : undefined;
      throw toUnseen(organization, `The service doesn't show the teams of ${nameMember(member)}.`);
    },
    /**
     * Throws UsageError where no one is seen to own the organization after these are removed. `everyone`: its members, where
     * they were read.
     */
    async refuseOwnerless(removed: readonly Member[], everyone?: readonly Member[]): Promise<void> {
      if (await hasOwnerLeft(everyone?.filter(owns) ?? listOwners(directory, team), removed)) return;
      const owners = removed.filter(owns);
      if (owners.length > 0) throw toOwnerless(organization, owners);
      // Every organization has an owner: where none is seen, they are hidden.
      if (!allowOwners) throw toUnseen(organization, `Your token sees no one in the team ${OWNERS_TEAM}.`);
    },
  };
}

/** Throws UsageError unless all of these may be removed from an organization by a list of people. */
export async function guardRemovals(
  directory: Directory,
  people: readonly Member[],
  self: Self,
  allowOwners: boolean,
): Promise<void> {
  const { protects, refuseOwnerless } = await createRemovalGuard(directory, self, allowOwners);
  await refuseOwnerless(people.filter((member) => protects(member) === undefined));
  refuseProtected(people, protects);
}

/**
 * Says who of these people, named one by one, is the caller and owns the organization. Throws UsageError where no other owner
 * would stay.
 */
export async function guardNamedRemovals(
  directory: Directory,
  people: readonly Member[],
  findCaller: () => Promise<Self>,
): Promise<(member: Member) => boolean> {
  // Mostly the names of teams that came along say it already.
  const isOpen = people.some((member) => isOwner(member) !== false);
  const team = isOpen ? await findOwnersTeam(directory).catch(toUndefined) : undefined;
  const owners = people.filter((member) => isOwner(member, team) === true);
  if (owners.length === 0) return () => false;
  const self = await findCaller();
  const leaving = owners.filter((member) => !self.is(member));
  if (leaving.length > 0) await refuseLastOwners(directory, leaving, team);
  return (member) => owners.includes(member) && self.is(member);
}

/** Where the service has no such list, it decides by itself who may be removed, as its document says. */
function toUndefined(error: unknown): undefined {
  if (!(error instanceof ConnectionError) || error.failure !== 'not-the-service') throw error;
}

/** Throws UsageError unless these can be taken out of the team of owners. `self`: undefined where the caller may leave. */
export async function guardOwnersTeam(
  directory: Directory,
  leaving: readonly Member[],
  team: string,
  self: Self | undefined,
): Promise<void> {
  refuseProtected(leaving, (member) => (self?.is(member) === true ? 'self' : undefined), {
    rule: `you would leave ${OWNERS_TEAM}`,
    advice: 'Leave yourself out, or add --allow-self.',
  });
  await refuseLastOwners(directory, leaving, team);
}

async function refuseLastOwners(
  directory: Directory,
  leaving: readonly Member[],
  team: string | undefined,
): Promise<void> {
  if (await hasOwnerLeft(listOwners(directory, team), leaving)) return;
  throw toOwnerless(directory.organization, leaving);
}

/** Whether a person who can log in stays when these leave. */
async function hasOwnerLeft(
  owners: Iterable<Member> | AsyncIterable<Member>,
  leaving: readonly Member[],
): Promise<boolean> {
  const gone = new Set(leaving.map(({ id }) => id));
  for await (const owner of owners) {
    // The account of a token has no email.
    const { isServiceAccount = owner.email === undefined } = owner;
    if (owner.status === 'active' && !isServiceAccount && !gone.has(owner.id)) return true;
  }
  return false;
}

async function findOwnersTeam({ listTeams }: Directory): Promise<string | undefined> {
  return (await listTeams())?.find((one) => teamName(one) === OWNERS_TEAM)?.id;
}

/** `team`: the id of theirs; undefined where the service lists no teams: they may come along with members all the same. */
async function* listOwners(directory: Directory, team: string | undefined): AsyncGenerator<Member> {
  const inTeam = team === undefined ? undefined : await readTeamMembers(directory, team);
  if (inTeam !== undefined) return yield* inTeam;
  const { organization, service } = directory;
  for await (const page of stream(service.memberships.list(organization, {}, USUAL_INCLUDE, {}))) {
    yield* toMembers(page).filter((member) => isOwner(member, team) === true);
  }
}

/** Undefined where the service doesn't list who is in a team. */
async function readTeamMembers(
  { organization, service }: Directory,
  id: string,
): Promise<readonly Member[] | undefined> {
  const team = { id, name: OWNERS_TEAM, organization };
  const reading = listTeamMembers(service, team, WITH_USER, {}, () => undefined);
  return (await orUndefined(collect(reading, toMembers)))?.flat();
}

const OF_FILE = {
  rule: '--file never removes you or an owner',
  advice: 'Delete the line, or remove them by name.',
};

/** Throws UsageError that names everyone who is protected. */
export function refuseProtected(people: readonly Member[], protects: Protects, { rule, advice } = OF_FILE): void {
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

/**
 * Throws UsageError where it is unknown which member of `place` the caller is. A list of none need not mean that the caller is no
 * person.
 */
export async function findSelf(
  { organizations, service }: Directories,
  place: string,
  hint = 'Remove people by name with members remove.',
): Promise<Self> {
  const known = (await organizations.own()).flatMap(toMembers).flatMap(({ id, userId = id }) => [id, userId]);
  const ids = new Set(known.length > 0 ? known : [await service.findCaller()].filter((id) => id !== undefined));
  if (ids.size === 0) {
    throw new UsageError(`orgctl can't see which member of ${place} you are, so it removes no one`, { hint });
  }
  return { is: ({ id, userId = id }) => ids.has(id) || ids.has(userId) };
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
