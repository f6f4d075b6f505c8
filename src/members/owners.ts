import type { Client } from '../api/client.ts';
import { isMissing } from '../api/not-found.ts';
import { listOwnOrganizations } from '../api/organizations.ts';
import { readPages } from '../api/pagination.ts';
import { listTeamMembers, readTeams } from '../api/teams.ts';
import { ServiceError } from '../lib/errors.ts';
import { type Member, OWNERS, parseMember } from './member.ts';
import { parseTeam, type Team } from './teams.ts';

/** The people who own an organization, as memberships. Undefined if the caller can't see them. */
export async function readOwners(
  client: Client,
  org: string,
  teams?: Team[] | undefined,
): Promise<Member[] | undefined> {
  const known = teams ?? (await readTeams(client, org))?.map(parseTeam);
  const team = known?.find(({ isOwners }) => isOwners);
  if (!team) return undefined;
  const owners: Member[] = [];
  try {
    const list = listTeamMembers(client, org, { id: team.id, name: OWNERS }, { own: ['user'] });
    for await (const { items, included } of readPages(list)) {
      owners.push(...items.map((item) => parseMember(item, included)));
    }
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  // An organization always has one: a caller who sees none can't see them.
  return owners.length > 0 ? owners : undefined;
}

/** Whether an owner who can log in stays after these memberships are gone. */
export function hasRemainingOwner(owners: Member[], leaving: Member[]): boolean {
  const gone = new Set(leaving.map(({ id }) => id));
  return owners.some(
    ({ id, status, email, isServiceAccount }) =>
      // The account of a token has no email.
      !gone.has(id) && status === 'active' && !isServiceAccount && email !== undefined,
  );
}

/** The ids of the caller's own memberships. Empty for tokens of teams and organizations, which are no members. */
export async function readOwnIds(client: Client): Promise<Set<string>> {
  try {
    return new Set((await listOwnOrganizations(client)).map(({ membershipId }) => membershipId));
  } catch (error) {
    if (error instanceof ServiceError && [403, 404].includes(error.status)) return new Set();
    throw error;
  }
}
