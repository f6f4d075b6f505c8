import { foldEmail } from '../email.ts';
import { OrgctlError, orUndefined, UsageError } from '../errors.ts';
import { isObject } from '../json-object.ts';
import { foldName } from '../names.ts';
import { type Member, nameMember, toMember, toMembers, toRemoval } from '../people/member.ts';
import type { Held } from '../people/team-changes.ts';
import { type NamedTeam, toName } from '../people/teams.ts';
import { collect } from '../reading.ts';
import type { TeamIdentity } from '../resources/team.ts';
import { NO_INCLUDE, USUAL_INCLUDE } from '../service/include.ts';
import type { Memberships } from '../service/memberships.ts';
import type { Service } from '../service/service.ts';
import { type PlacedStep, type PlanRecord, toPlanRecord } from './plan.ts';

/** Changes that do no more than the plan showed. */

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
  const now = toMember({ membership: found.data, included: found.included ?? [] });
  const changes = findChanges(shown, now, organization);
  if (changes.length > 0) throw toChanged(shown, changes, 'and was not removed');
  return (await memberships.remove(toRemoval(shown, organization))) ? 'removed' : undefined;
}

function toChanged(shown: Member, changes: readonly string[], outcome: string): OrgctlError {
  return new OrgctlError('incomplete', `${nameMember(shown)} changed after the plan was made, ${outcome}`, {
    code: 'changed-meanwhile',
    reasons: changes,
    hint: 'Run members plan again, and check it.',
  });
}

export function findChanges(shown: Member, now: Member, organization: string): readonly string[] {
  const changes = [...findChangesOfPerson(shown, now)];
  const compare = createComparison(changes);
  compare('teams', [toTeamsKey(shown), toTeamsKey(now)], [toTeamsText(shown), toTeamsText(now)]);
  if (now.organization !== undefined) {
    compare('organization', [foldName(organization), foldName(now.organization)]);
  }
  return changes;
}

/** Leaves out the teams, which may change by themselves. */
function findChangesOfPerson(shown: Member, now: Member): readonly string[] {
  const changes: string[] = [];
  const compare = createComparison(changes);
  compare('id', [shown.id, now.id]);
  compare('user', [shown.userId, now.userId]);
  compare('email', [foldEmail(shown.email), foldEmail(now.email)]);
  compare('status', [shown.status, now.status]);
  return changes;
}

type Values = readonly [string | undefined, string | undefined];

function createComparison(changes: string[]) {
  return (what: string, [before, after]: Values, [then, today]: Values = [before, after]): void => {
    if (before !== after) changes.push(`${what}: ${then || 'none'} in the plan, now ${today || 'none'}`);
  };
}

function toTeamsText({ teams = [] }: Member): string {
  return teams.map(toName).sort().join(', ');
}

function toTeamsKey({ teams = [] }: Member): string {
  return teams
    .map(({ id }) => id)
    .sort()
    .join();
}

/**
 * Reads who is in the team now, before some are taken out of it: who is not there any more, and who is not whom the plan showed, stays
 * as they are.
 */
export async function holdChanged(
  teams: Pick<Service['teams'], 'listMembers'>,
  team: NamedTeam,
  members: readonly Member[],
): Promise<Held> {
  const wanted = new Set(members.map(({ id }) => id));
  const pages = await collect(teams.listMembers(team, NO_INCLUDE, {}), toMembers);
  const there = pages.flat().filter(({ id }) => wanted.has(id));
  const now = new Map(there.map((member) => [member.id, member]));
  const held = new Map<string, 'unchanged' | OrgctlError>();
  for (const shown of members) {
    const member = now.get(shown.id);
    // A fact that this reading does not show counts as unchanged.
    const { email = shown.email, userId = shown.userId, status = shown.status } = member ?? {};
    const changes = member === undefined ? [] : findChangesOfPerson(shown, { ...member, email, userId, status });
    if (member === undefined) held.set(shown.id, 'unchanged');
    else if (changes.length > 0) {
      held.set(shown.id, toChanged(shown, changes, `and was not removed from ${toName(team)}`));
    }
  }
  return held;
}

/** A plan that `members plan -o json` printed: its steps as keys, and the organizations that it is of, as far as it has steps. */
export interface ShownPlan {
  readonly keys: ReadonlySet<string>;
  readonly organizations: readonly string[];
}

/** Throws UsageError when the text is none. */
export function parseShownPlan(text: string, name: string): ShownPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw toNoPlan(name, 'it is not JSON', error);
  }
  if (!Array.isArray(value)) throw toNoPlan(name, 'it is not an array');
  const keys = new Set<string>();
  const organizations = new Set<string>();
  for (const [index, record] of value.entries()) {
    if (!isPlanRecord(record)) throw toNoPlan(name, `entry ${index + 1} is not a step of a plan`);
    keys.add(toKey(record));
    organizations.add(record.organization.id);
  }
  return { keys, organizations: [...organizations] };
}

export function findUnshown(steps: readonly PlacedStep[], shown: ReadonlySet<string>): readonly PlacedStep[] {
  return steps.filter((step) => !shown.has(toKey(toPlanRecord(step))));
}

type ShownTeam = Pick<TeamIdentity, 'id' | 'name'>;

type ShownRecord = Pick<PlanRecord, 'email' | 'id' | 'status'> & {
  readonly action: string;
  readonly teams: readonly ShownTeam[];
  readonly 'teams-add': readonly ShownTeam[];
  readonly 'teams-remove': readonly ShownTeam[];
  readonly organization: { readonly id: string };
};

function toKey(record: ShownRecord): string {
  const { action, id, email, status, teams, organization } = record;
  const { 'teams-add': add, 'teams-remove': remove } = record;
  return JSON.stringify([
    action,
    id,
    email === null ? null : foldEmail(email),
    status,
    ...[teams, add, remove].map((some) => some.map(toTeamKey).sort()),
    foldName(organization.id),
  ]);
}

function toTeamKey(team: ShownTeam): string {
  return JSON.stringify([team.id, team.name ?? null]);
}

function isPlanRecord(value: unknown): value is ShownRecord {
  if (!isObject(value) || !isObject(value['organization'])) return false;
  const { action, id, email, status, teams, organization } = value;
  const { 'teams-add': add, 'teams-remove': remove } = value;
  return (
    [action, organization['id']].every((text) => typeof text === 'string') &&
    [id, email, status].every((text) => text === null || typeof text === 'string') &&
    [teams, add, remove].every((list) => Array.isArray(list) && list.every(isShownTeam))
  );
}

function isShownTeam(team: unknown): boolean {
  if (!isObject(team)) return false;
  const { id, name = null } = team;
  return typeof id === 'string' && (name === null || typeof name === 'string');
}

function toNoPlan(name: string, why: string, cause?: unknown): UsageError {
  return new UsageError(`${name} is not a plan: ${why}`, {
    hint: 'Print one with members plan -o json.',
    ...(cause === undefined ? {} : { cause }),
  });
}
