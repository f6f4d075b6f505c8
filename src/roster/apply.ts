import { OrgctlError, toReason, UsageError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { type Member, nameMember, toMember, toRemoval } from '../people/member.ts';
import { orUndefined } from '../service/ambiguous-write.ts';
import { USUAL_INCLUDE } from '../service/include.ts';
import type { Memberships } from '../service/memberships.ts';
import type { Membership } from '../wire/resources.ts';
import { type PlanRecord, type Step, toPlanRecord } from './plan.ts';

/** Removals that do no more than the plan showed. */

/**
 * Reads the membership again and removes it if it still is what was shown. `absent`: it was gone already. Undefined in a
 * dry run. Throws with the code `changed-meanwhile` where it is another's now, or otherwise not what was shown.
 */
export async function removeAsShown(
  memberships: Pick<Memberships, 'show' | 'remove'>,
  shown: Member,
  organization: string,
): Promise<'removed' | 'absent' | undefined> {
  // This run has read it in the list: where it is not found, it is gone rather than hidden.
  const found = await orUndefined(memberships.show(shown.id, USUAL_INCLUDE, 'remove'));
  if (found === undefined) return 'absent';
  // What is included may be null.
  const now = toMember({ membership: found.data as Membership, included: found.included ?? [] });
  const changes = findChanges(shown, now, organization);
  if (changes.length > 0) {
    throw new OrgctlError('incomplete', `${nameMember(shown)} changed after the plan was made, and was not removed`, {
      code: 'changed-meanwhile',
      reasons: changes,
      hint: 'Run members plan again, and check it.',
    });
  }
  return (await memberships.remove(toRemoval(shown, organization))) ? 'removed' : undefined;
}

export function findChanges(shown: Member, now: Member, organization: string): readonly string[] {
  const changes: string[] = [];
  const compare = (
    what: string,
    [before, after]: readonly [string | undefined, string | undefined],
    [then, today] = [before, after],
  ): void => {
    if (before !== after) changes.push(`${what}: ${then || 'none'} in the plan, now ${today || 'none'}`);
  };
  compare('id', [shown.id, now.id]);
  compare('user', [shown.userId, now.userId]);
  compare('email', [shown.email?.toLowerCase(), now.email?.toLowerCase()]);
  compare('status', [shown.status, now.status]);
  compare('teams', [toTeamsKey(shown), toTeamsKey(now)], [toTeamsText(shown), toTeamsText(now)]);
  if (now.organization !== undefined) {
    compare('organization', [organization.toLowerCase(), now.organization.toLowerCase()]);
  }
  return changes;
}

function toTeamsText({ teams = [] }: Member): string {
  return teams
    .map(({ id, name }) => name ?? id)
    .sort()
    .join(', ');
}

function toTeamsKey({ teams = [] }: Member): string {
  return teams
    .map(({ id }) => id)
    .sort()
    .join();
}

/** The steps of a plan that `members plan -o json` printed, as keys. Throws UsageError when the text is none. */
export function parseShownPlan(text: string, name: string): ReadonlySet<string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw toNoPlan(name, toReason(error), error);
  }
  if (!Array.isArray(value)) throw toNoPlan(name, 'it is not an array');
  const keys = new Set<string>();
  for (const [index, record] of value.entries()) {
    if (!isPlanRecord(record)) throw toNoPlan(name, `entry ${index + 1} is not a step of a plan`);
    keys.add(toKey(record));
  }
  return keys;
}

export function findUnshown(steps: readonly Step[], shown: ReadonlySet<string>, organization: string): readonly Step[] {
  return steps.filter((step) => !shown.has(toKey(toPlanRecord(step, organization))));
}

function toKey({ action, id, email, status, teams, organization }: PlanRecord): string {
  return JSON.stringify([
    action,
    id,
    email?.toLowerCase() ?? null,
    status,
    [...teams].sort(),
    organization.toLowerCase(),
  ]);
}

function isPlanRecord(value: unknown): value is PlanRecord {
  if (!isObject(value)) return false;
  const { action, id, email, status, teams, organization } = value;
  return (
    [action, organization].every((text) => typeof text === 'string') &&
    [id, email, status].every((text) => text === null || typeof text === 'string') &&
    Array.isArray(teams) &&
    teams.every((team) => typeof team === 'string')
  );
}

function toNoPlan(name: string, why: string, cause?: unknown): UsageError {
  return new UsageError(`${name} is not a plan: ${why}`, {
    hint: 'Print one with members plan -o json.',
    ...(cause === undefined ? {} : { cause }),
  });
}
