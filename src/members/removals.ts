import type { Client } from '../api/client.ts';
import { findListedMember, removeMember } from '../api/memberships.ts';
import { OrgctlError } from '../lib/errors.ts';
import { joinNames } from '../lib/text.ts';
import { formatMember, type Member, parseMember } from './member.ts';
import { assertOwnerRemains, createProtectedError, findOwnerProblem, type IsCaller, readOwners } from './owners.ts';

const NOBODY = 'Nobody was removed.';

/**
 * Returns the owners among the members, who are checked again before they are removed. A list never removes the caller, and
 * owners only with `allowOwners`. Throws UsageError.
 */
export async function assertRemovable(
  client: Client,
  org: string,
  members: Member[],
  { isList, allowOwners, isCaller }: { isList: boolean; allowOwners: boolean; isCaller: IsCaller },
): Promise<Member[]> {
  if (members.length === 0) return [];
  const self = members.find(isCaller);
  if (isList && self) throw createProtectedError(`a list never removes you (${formatMember(self)})`, NOBODY);
  const owners = await readOwners(client, org);
  const sparesOwners = isList && !allowOwners;
  if (!owners) {
    if (!sparesOwners) return [];
    throw createProtectedError(`can't see who owns ${org}`, 'Add --allow-owners if owners may be removed too.');
  }
  const leaving = members.filter(({ id }) => owners.some((owner) => owner.id === id));
  if (sparesOwners && leaving.length > 0) {
    const own = `${joinNames(leaving.map(formatMember))} ${leaving.length === 1 ? 'owns' : 'own'}`;
    throw createProtectedError(`${own} ${org}`, 'Add --allow-owners to remove owners.');
  }
  // The service itself refuses owners who remove themselves.
  const others = leaving.filter((member) => !isCaller(member));
  const problem = findOwnerProblem(org, owners, leaving);
  if (others.length === 0 || problem === undefined) return leaving;
  throw createProtectedError(`${problem}: ${joinNames(others.map(formatMember))} can't be removed`, NOBODY);
}

/** Removes a member as `removeIfUnchanged` does, if an owner remains. `leaving` are the owners who are removed. */
export async function removeSafely(client: Client, org: string, member: Member, leaving: Member[]) {
  if (leaving.some(({ id }) => id === member.id)) await assertOwnerRemains(client, org, leaving);
  const result = await removeIfUnchanged(client, org, member);
  return result && { result: result === 'absent' ? 'unchanged' : result };
}

/**
 * Reads the membership again. Undefined in a dry run. Throws `incomplete` if its person, organization, status or teams have
 * changed.
 */
export async function removeIfUnchanged(client: Client, org: string, shown: Member) {
  const reference = { id: shown.id, person: formatMember(shown), org };
  const found = await findListedMember(client, reference);
  if (!found) return 'absent';
  const now = parseMember(found.data, found.included);
  const isSame = formatState(now, org) === formatState(shown, org);
  if (isSame) return (await removeMember(client, reference)) && 'removed';
  throw new OrgctlError('incomplete', `${formatMember(shown)} changed in the meantime, so it was not removed`, {
    code: 'changed-meanwhile',
    hint: 'Look at the membership, and run the command again.',
  });
}

/** The parts of a membership that must not change before it is removed. */
function formatState({ userId, status, email = '', org, teams = [] }: Member, listedIn: string): string {
  const ids = teams.map(({ id }) => id).sort();
  return JSON.stringify([userId, status, email.toLowerCase(), (org ?? listedIn).toLowerCase(), ids]);
}
