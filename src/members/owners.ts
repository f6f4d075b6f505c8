import type { Client } from '../api/client.ts';
import { catchNotFound, isRefused } from '../api/not-found.ts';
import { listOwnOrganizations } from '../api/organizations.ts';
import { readTeamMembers, readTeams } from '../api/teams.ts';
import { type Member, OWNERS, parseMembers } from './member.ts';
import { parseTeam, type Team } from './teams.ts';

/** Undefined if the caller can't see who owns the organization. */
export async function readOwners(client: Client, org: string, teams?: Team[]): Promise<Member[] | undefined> {
  const known = teams ?? (await readTeams(client, org))?.map(parseTeam);
  const team = known?.find(({ isOwners }) => isOwners);
  if (!team) return undefined;
  const owners = await catchNotFound(parseMembers(readTeamMembers(client, org, { id: team.id, name: OWNERS })));
  // Every organization has an owner, so an empty list hides them.
  return owners?.length ? owners : undefined;
}

/** Whether an owner who can log in remains. */
export function hasRemainingOwner(owners: Member[], leaving: Member[]): boolean {
  const gone = new Set(leaving.map(({ id }) => id));
  return owners.some(
    ({ id, status, email, isServiceAccount }) =>
      // A token's account has no email.
      !gone.has(id) && status === 'active' && !isServiceAccount && email !== undefined,
  );
}

/** The ids of the caller's memberships. Empty for tokens of teams and organizations, which have none. */
export async function readOwnIds(client: Client): Promise<Set<string>> {
  const own = await catchNotFound(listOwnOrganizations(client), isRefused);
  return new Set(own?.map(({ membershipId }) => membershipId));
}
