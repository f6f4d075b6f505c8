import { findCaller } from '../api/account.ts';
import type { Client } from '../api/client.ts';
import { catchNotFound, isRefused } from '../api/not-found.ts';
import { listOwnOrganizations } from '../api/organizations.ts';
import { findTeams, listTeamMembers } from '../api/teams.ts';
import { OrgctlError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { joinNames } from '../lib/text.ts';
import { formatMember, type Member, OWNERS, parseMemberRecord } from './member.ts';
import { parseTeam, type Team } from './teams.ts';

/** Undefined if the caller can't see who owns the organization. */
export async function readOwners(client: Client, org: string, teams?: Team[]): Promise<Member[] | undefined> {
  return (await readOwnerRecords(client, org, teams))?.map(parseMemberRecord);
}

/** As `readOwners`, with all that the service shows of them. */
export async function readOwnerRecords(client: Client, org: string, teams?: Team[]): Promise<JsonObject[] | undefined> {
  const known = teams ?? (await findTeams(client, org))?.map(parseTeam);
  const team = known?.find(({ isOwners }) => isOwners);
  if (!team) return undefined;
  const owners = await catchNotFound(listTeamMembers(client, org, { id: team.id, name: OWNERS }).allRecords());
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

/** Throws `protected` unless an owner remains by now: a question may have waited for long. */
export async function assertOwnerRemains(client: Client, org: string, leaving: Member[]): Promise<void> {
  const owners = await readOwners(client, org);
  if (owners && hasRemainingOwner(owners, leaving)) return;
  const state = owners ? `${org} would have no owner` : `can't see who owns ${org}`;
  throw new OrgctlError('incomplete', `${state}: ${joinNames(leaving.map(formatMember))} stayed`, {
    code: 'protected',
  });
}

export type IsCaller = (member: Pick<Member, 'id' | 'userId'>) => boolean;

/** Tokens of teams and organizations have no memberships, and a service may list none to people either. */
export async function readIsCaller(client: Client): Promise<IsCaller> {
  const [own, caller] = await Promise.all([catchNotFound(listOwnOrganizations(client), isRefused), findCaller(client)]);
  const ids = new Set(own?.map(({ membershipId }) => membershipId));
  return ({ id, userId }) => ids.has(id) || (userId !== undefined && userId === caller.id);
}
