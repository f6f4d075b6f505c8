import { actOnEach } from '../act-on-each.ts';
import { foldEmail } from '../email.ts';
import { OrgctlError, orUndefined, toReason, UsageError } from '../errors.ts';
import { groupBy } from '../groups.ts';
import { isObject } from '../json-object.ts';
import { foldName } from '../names.ts';
import type { NamedTeam } from '../people/find-teams.ts';
import { type Member, nameMember, toMember, toMembers, toRemoval } from '../people/member.ts';
import { NO_INCLUDE, USUAL_INCLUDE } from '../service/include.ts';
import type { Memberships } from '../service/memberships.ts';
import type { Service } from '../service/service.ts';
import type { TeamChange } from '../service/team-change.ts';
import { type PlacedStep, type PlanRecord, type TeamStep, toName, toPlanRecord } from './plan.ts';

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
  refuseChanges(shown, findChanges(shown, now, organization), 'and was not removed');
  return (await memberships.remove(toRemoval(shown, organization))) ? 'removed' : undefined;
}

function refuseChanges(shown: Member, changes: readonly string[], outcome: string): void {
  if (changes.length === 0) return;
  throw new OrgctlError('incomplete', `${nameMember(shown)} changed after the plan was made, ${outcome}`, {
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

/** What was done of a step; the rest was so already. */
export interface DoneTeams {
  readonly added: readonly NamedTeam[];
  readonly removed: readonly NamedTeam[];
}

/**
 * Adds people to teams, and then takes them out of others: only who could be added is taken out of any, and of each team its
 * members are read once more before.
 */
export function createTeamChanges(
  teams: Pick<Service['teams'], 'listMembers' | 'prepareChange'>,
  organization: string,
  steps: readonly TeamStep[],
) {
  const ends = new Map<string, StepEnd>(steps.map(({ member }) => [member.id, { outcomes: [], error: undefined }]));
  const endOf = ({ member }: TeamStep): StepEnd => ends.get(member.id) ?? { outcomes: [], error: undefined };
  const change = async (
    kind: TeamChange['change'],
    find: (team: NamedTeam, some: readonly TeamStep[]) => Promise<readonly TeamStep[]>,
  ): Promise<void> => {
    const open = steps.filter((step) => endOf(step).error === undefined);
    const changes = open.flatMap((step) => step[kind].map((team) => ({ team, step })));
    const groups = [...groupBy(changes, ({ team }) => team.id).values()];
    const ofTeams = groups.map((group) => ({ team: group[0].team, some: group.map(({ step }) => step) }));
    const looked = actOnEach(ofTeams, async ({ team, some }) => {
      try {
        const found = await find(team, some);
        const prepared = teams.prepareChange(
          { change: kind, team: { id: team.id, name: toName(team) }, organization },
          found.map(({ member }) => ({ id: member.id, person: nameMember(member) })),
        );
        for (const step of found) {
          try {
            endOf(step).outcomes.push({ kind, team, outcome: await prepared.settle(step.member.id) });
          } catch (error) {
            endOf(step).error ??= toOrgctlError(error);
          }
        }
      } catch (error) {
        for (const step of some) endOf(step).error ??= toOrgctlError(error);
      }
      // What would meet all of them ends it.
      for (const step of some) {
        const { error } = endOf(step);
        if (error !== undefined) throw error;
      }
    });
    let last: OrgctlError | undefined;
    for await (const { item, outcome } of looked) {
      if (outcome.kind === 'failed') last = outcome.error;
      if (outcome.kind !== 'not-attempted') continue;
      const error = outcome.reason ?? last;
      if (error === undefined) throw new Error('a change of a team was left out for no reason');
      for (const step of item.some) endOf(step).error ??= error;
    }
  };
  let all: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    await change('add', async (_team, some) => some);
    await change('remove', async (team, some) => await findInTeam(teams, team, some, endOf));
  };
  const toDone = (step: TeamStep): DoneTeams => {
    const changed = endOf(step).outcomes.filter(({ outcome }) => outcome === 'changed');
    const of = (kind: TeamChange['change']) => changed.filter((one) => one.kind === kind).map(({ team }) => team);
    return { added: of('add'), removed: of('remove') };
  };
  return {
    /**
     * What became of a step. The first one asked for does all of them, one request for many people. Undefined in a dry run.
     * Throws what kept the step from being done.
     */
    async settle(step: TeamStep): Promise<DoneTeams | undefined> {
      all ??= run();
      await all;
      const { error, outcomes } = endOf(step);
      if (error !== undefined) throw error;
      return outcomes.some(({ outcome }) => outcome === 'planned') ? undefined : toDone(step);
    },
    /** What is certain of a step without another request: what was done where all of it was. */
    known(step: TeamStep): DoneTeams | undefined {
      const { error, outcomes } = endOf(step);
      const isWhole = outcomes.length === step.add.length + step.remove.length;
      return error === undefined && isWhole && outcomes.length > 0 && outcomes.every(isCertain)
        ? toDone(step)
        : undefined;
    },
    /** What was done of a step, in whole or in part. */
    done: toDone,
  };
}

interface StepEnd {
  readonly outcomes: {
    readonly kind: TeamChange['change'];
    readonly team: NamedTeam;
    readonly outcome: 'changed' | 'unchanged' | 'planned';
  }[];
  error: OrgctlError | undefined;
}

function isCertain({ outcome }: StepEnd['outcomes'][number]): boolean {
  return outcome !== 'planned';
}

function toOrgctlError(error: unknown): OrgctlError {
  if (error instanceof OrgctlError) return error;
  throw error;
}

/** Reads who is in the team now: those who are, and still are whom the plan showed. */
async function findInTeam(
  teams: Pick<Service['teams'], 'listMembers'>,
  team: NamedTeam,
  some: readonly TeamStep[],
  endOf: (step: TeamStep) => StepEnd,
): Promise<readonly TeamStep[]> {
  const wanted = new Set(some.map(({ member }) => member.id));
  const now = new Map<string, Member>();
  const pages = await teams.listMembers(team, NO_INCLUDE, {}).collect(toMembers);
  for (const member of pages.flat()) if (wanted.has(member.id)) now.set(member.id, member);
  return some.filter((step) => {
    const member = now.get(step.member.id);
    if (member === undefined) {
      endOf(step).outcomes.push({ kind: 'remove', team, outcome: 'unchanged' });
      return false;
    }
    try {
      // What this reading does not show did not change for all that is known.
      const { email = step.member.email, userId = step.member.userId, status = step.member.status } = member;
      const changes = findChangesOfPerson(step.member, { ...member, email, userId, status });
      refuseChanges(step.member, changes, `and was not removed from ${toName(team)}`);
      return true;
    } catch (error) {
      endOf(step).error ??= toOrgctlError(error);
      return false;
    }
  });
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

export function findUnshown(steps: readonly PlacedStep[], shown: ReadonlySet<string>): readonly PlacedStep[] {
  return steps.filter((step) => !shown.has(toKey(toPlanRecord(step))));
}

/** Earlier versions planned no changes of teams. */
type ShownRecord = Omit<PlanRecord, 'action' | 'teams.name' | 'teams-add' | 'teams-remove'> & {
  readonly action: string;
  readonly 'teams-add'?: readonly string[];
  readonly 'teams-remove'?: readonly string[];
};

function toKey(record: ShownRecord): string {
  const { action, id, email, status, teams, organization } = record;
  const { 'teams-add': add = [], 'teams-remove': remove = [] } = record;
  return JSON.stringify([
    action,
    id,
    email === null ? null : foldEmail(email),
    status,
    [...teams].sort(),
    [...add].sort(),
    [...remove].sort(),
    foldName(organization),
  ]);
}

function isPlanRecord(value: unknown): value is ShownRecord {
  if (!isObject(value)) return false;
  const { action, id, email, status, teams, organization } = value;
  const { 'teams-add': add = [], 'teams-remove': remove = [] } = value;
  return (
    [action, organization].every((text) => typeof text === 'string') &&
    [id, email, status].every((text) => text === null || typeof text === 'string') &&
    [teams, add, remove].every((list) => Array.isArray(list) && list.every((team: unknown) => typeof team === 'string'))
  );
}

function toNoPlan(name: string, why: string, cause?: unknown): UsageError {
  return new UsageError(`${name} is not a plan: ${why}`, {
    hint: 'Print one with members plan -o json.',
    ...(cause === undefined ? {} : { cause }),
  });
}
