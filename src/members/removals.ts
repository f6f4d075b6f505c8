import pMap from 'p-map';
import type { Client } from '../api/client.ts';
import { findListedMember, removeMember } from '../api/memberships.ts';
import { isFailure, OrgctlError, UsageError } from '../lib/errors.ts';
import { isSameName, joinNames } from '../lib/text.ts';
import { MAX_SINGLE_LOOKUPS, readMembers } from './find-members.ts';
import { formatMember, type Member, parseMember } from './member.ts';
import { hasRemainingOwner, type IsCaller, readOwners } from './owners.ts';

export interface RemovalRules {
  /** A list never removes the caller, and owners only with `allowOwners`. */
  isList: boolean;
  allowOwners: boolean;
  isCaller: IsCaller;
}

/** Returns the owners among the members, who are checked again before they are removed. Throws UsageError. */
export async function assertRemovable(
  client: Client,
  org: string,
  members: Member[],
  { isList, allowOwners, isCaller }: RemovalRules,
): Promise<Member[]> {
  if (members.length === 0) return [];
  const self = members.find(isCaller);
  if (isList && self) throw createProtectedError(`a list never removes you (${formatMember(self)})`);
  const owners = await readOwners(client, org);
  if (!owners) {
    if (!isList || allowOwners) return [];
    throw createProtectedError(`can't see who owns ${org}`, 'Add --allow-owners if owners may be removed too.');
  }
  const ownerIds = new Set(owners.map(({ id }) => id));
  const leaving = members.filter(({ id }) => ownerIds.has(id));
  if (isList && !allowOwners && leaving.length > 0) {
    const names = joinNames(leaving.map(formatMember));
    throw createProtectedError(
      `${names} ${leaving.length === 1 ? 'owns' : 'own'} ${org}`,
      'Add --allow-owners to remove owners.',
    );
  }
  // The service itself refuses owners who remove themselves.
  const others = leaving.filter((member) => !isCaller(member));
  if (others.length > 0 && !hasRemainingOwner(owners, leaving)) {
    throw createProtectedError(`${org} would have no owner: ${joinNames(others.map(formatMember))} can't be removed`);
  }
  return leaving;
}

function createProtectedError(message: string, hint = 'Nobody was removed.'): UsageError {
  return new UsageError(message, { code: 'protected', hint });
}

/** Undefined in a dry run. Throws as `isStillThere` does. */
export async function removeIfUnchanged(
  client: Client,
  org: string,
  shown: Member,
): Promise<'removed' | 'absent' | undefined> {
  if (!(await isStillThere(client, org, shown))) return 'absent';
  return (await removeMember(client, { id: shown.id, person: formatMember(shown), org })) && 'removed';
}

/** Reads a membership again. Throws `incomplete` if its person, organization, status or teams have changed. */
async function isStillThere(client: Client, org: string, shown: Member, action = 'removed'): Promise<boolean> {
  const found = await findListedMember(client, { id: shown.id, person: formatMember(shown), org });
  if (!found) return false;
  assertUnchanged(org, shown, parseMember(found.data, found.included), action);
  return true;
}

function assertUnchanged(org: string, shown: Member, now: Member, action: string): void {
  const isSame =
    now.userId === shown.userId &&
    now.status === shown.status &&
    isSameName(now.email ?? '', shown.email ?? '') &&
    isSameName(now.org ?? org, org) &&
    formatTeamIds(now) === formatTeamIds(shown);
  if (isSame) return;
  throw new OrgctlError('incomplete', `${formatMember(shown)} changed in the meantime, so it was not ${action}`, {
    code: 'changed-meanwhile',
    hint: 'Look at the membership, and run the command again.',
  });
}

/** Reads members again, each or in the list. Returns by id why some may not be changed: they have changed, or left. */
export async function findChangedMembers(
  client: Client,
  org: string,
  shown: Member[],
): Promise<Map<string, OrgctlError>> {
  const list = shown.length > MAX_SINGLE_LOOKUPS ? await readMembers(client, org) : undefined;
  const listed = list && new Map(list.map((member) => [member.id, member]));
  const assertThere = async (member: Member): Promise<void> => {
    const now = listed?.get(member.id);
    if (now) return assertUnchanged(org, member, now, 'changed');
    if (!listed && (await isStillThere(client, org, member, 'changed'))) return;
    throw new OrgctlError('not-found', `${formatMember(member)} has left ${org}`);
  };
  const problems = new Map<string, OrgctlError>();
  const find = async (member: Member): Promise<void> => {
    try {
      await assertThere(member);
    } catch (error) {
      if (!isFailure(error)) throw error;
      problems.set(member.id, error);
    }
  };
  await pMap(shown, find, { concurrency: 8 });
  return problems;
}

function formatTeamIds({ teams = [] }: Member): string {
  return teams
    .map(({ id }) => id)
    .sort()
    .join();
}
