import { findCaller } from '../api/account.ts';
import type { Client } from '../api/client.ts';
import { catchNotFound, isRefused } from '../api/not-found.ts';
import { listOwnOrganizations } from '../api/organizations.ts';
import { findTeams, listTeamMembers } from '../api/teams.ts';
import { OrgctlError, UsageError } from '../lib/errors.ts';
import type { JsonObject } from '../lib/json.ts';
import { joinNames } from '../lib/text.ts';
import { formatMember, type Member, OWNERS, parseMemberRecord } from './member.ts';
import { parseTeam, type Team } from './teams.ts';

/** Undefined if the caller can't see who owns the organization. */
export async function readOwners(client: Client, org: string, teams?: Team[]): Promise<Member[] | undefined> {
  return (await readOwnerRecords(client, org, teams))?.map(parseMemberRecord);
}

/** Reads owners as `readOwners` does, with all that the service shows of them. */
export async function readOwnerRecords(client: Client, org: string, teams?: Team[]): Promise<JsonObject[] | undefined> {
  const known = teams ?? (await findTeams(client, org))?.map(parseTeam);
  const team = known?.find(({ isOwners }) => isOwners);
  if (!team) return undefined;
  const owners = await catchNotFound(listTeamMembers(client, org, { id: team.id, name: OWNERS }).allRecords());
  // Every organization has an owner, so an empty list hides them.
  return owners?.length ? owners : undefined;
}

/** Why these members must not leave owners. Undefined if an owner who can log in remains. */
export function findOwnerProblem(org: string, owners: Member[] | undefined, leaving: Member[]): string | undefined {
  if (!owners) return `can't see who owns ${org}`;
  const others = owners.filter(({ id }) => !leaving.some((member) => member.id === id));
  // A token's account has no email.
  const canLogIn = ({ status, email, isServiceAccount }: Member): boolean =>
    status === 'active' && !isServiceAccount && email !== undefined;
  return others.some(canLogIn) ? undefined : `${org} would have no owner`;
}

export function createProtectedError(message: string, hint?: string): UsageError {
  return new UsageError(message, { code: 'protected', hint });
}

/** Throws `protected` unless an owner remains by now: a question may have waited for long. */
export async function assertOwnerRemains(client: Client, org: string, leaving: Member[]): Promise<void> {
  const problem = findOwnerProblem(org, await readOwners(client, org), leaving);
  if (problem === undefined) return;
  const message = `${problem}: ${joinNames(leaving.map(formatMember))} stayed`;
  throw new OrgctlError('incomplete', message, { code: 'protected' });
}

export type IsCaller = (member: Pick<Member, 'id' | 'userId'>) => boolean;

/** Tokens of teams and organizations have no memberships, and a service may list none to people either. */
export async function readIsCaller(client: Client): Promise<IsCaller> {
  const [own, caller] = await Promise.all([catchNotFound(listOwnOrganizations(client), isRefused), findCaller(client)]);
  const ids = new Set(own?.map(({ membershipId }) => membershipId));
  return ({ id, userId }) => ids.has(id) || (userId !== undefined && userId === caller.id);
}
