import { foldEmail } from '../email.ts';
import { type FoundTeam, findTeamsMissing } from '../people/find-teams.ts';
import { type Member, toPersonKey } from '../people/member.ts';
import type { RemovalGuard } from '../people/removal-guard.ts';

/** The difference between the people a roster names and those who are there. */

export interface Wanted {
  readonly email: string;
  readonly teams: readonly FoundTeam[];
  readonly line: number;
}

export type Step =
  | { readonly action: 'remove'; readonly member: Member }
  | { readonly action: 'invite'; readonly wanted: Wanted }
  /** Is there, and not in every team wanted. Teams have an API of their own: no invitation changes them. */
  | {
      readonly action: 'teams-missing';
      readonly wanted: Wanted;
      readonly member: Member;
      readonly missing: readonly string[];
    }
  | { readonly action: Kept; readonly member: Member };

/**
 * Why a person stays whom the roster does not name: an owner, the caller, one whom no roster can name since their
 * address is hidden or unusual, or simply because removing was not asked for.
 */
type Kept = 'keep-owner' | 'keep-self' | 'keep-unnamed' | 'extra';

export interface Plan {
  /** Removals first: they make room for invitations. Then by kind, each in the order of the roster or the list. */
  readonly steps: readonly Step[];
  readonly present: number;
}

const ORDER: readonly Step['action'][] = [
  'remove',
  'invite',
  'teams-missing',
  'keep-self',
  'keep-owner',
  'keep-unnamed',
  'extra',
];

/** `wanted` names each person once. Without `protects` no one is removed. One pass over each list. */
export function makePlan(
  wanted: readonly Wanted[],
  members: readonly Member[],
  protects: RemovalGuard['protects'] | undefined,
): Plan {
  const byKind = new Map<Step['action'], Step[]>(ORDER.map((action) => [action, []]));
  const put = (step: Step): void => void byKind.get(step.action)?.push(step);
  const people = new Map(wanted.map((person) => [foldEmail(person.email), person] as const));
  const found = new Set<Wanted>();
  let present = 0;

  for (const member of members) {
    const key = toPersonKey(member);
    const person = key === undefined ? undefined : people.get(key);
    if (person === undefined) {
      put({ action: chooseFate(member, key !== undefined, protects), member });
      continue;
    }
    found.add(person);
    const missing = findTeamsMissing(person.teams, member);
    if (missing.length > 0) put({ action: 'teams-missing', wanted: person, member, missing });
    else present += 1;
  }
  for (const person of wanted) if (!found.has(person)) put({ action: 'invite', wanted: person });
  return { steps: [...byKind.values()].flat(), present };
}

function chooseFate(
  member: Member,
  isNameable: boolean,
  protects: RemovalGuard['protects'] | undefined,
): Kept | 'remove' {
  if (protects === undefined) return 'extra';
  const why = protects(member);
  if (why !== undefined) return `keep-${why}`;
  return isNameable ? 'remove' : 'keep-unnamed';
}

export function isDoable(step: Step): step is Extract<Step, { action: 'remove' | 'invite' }> {
  return step.action === 'remove' || step.action === 'invite';
}

/** Whether the organization is other than the roster wants it, as far as this plan goes. */
export function isDifference(step: Step): boolean {
  return isDoable(step) || step.action === 'teams-missing';
}

export function countActions(plan: Pick<Plan, 'steps'>): Readonly<Record<Step['action'], number>> {
  const counts = Object.fromEntries(ORDER.map((action) => [action, 0])) as Record<Step['action'], number>;
  for (const { action } of plan.steps) counts[action] += 1;
  return counts;
}

export interface PlanRecord {
  readonly action: Step['action'];
  /** Null for a person who is not there. */
  readonly id: string | null;
  readonly email: string | null;
  readonly status: string | null;
  /** Of an invitation as the roster names them, else the ids the service gives. */
  readonly teams: readonly string[];
  /** The id where the service gives no name. */
  readonly 'teams.name': readonly string[];
  readonly 'teams-missing': readonly string[];
  readonly organization: string;
}

export function toPlanRecord(step: Step, organization: string): PlanRecord {
  const member = 'member' in step ? step.member : undefined;
  const teams = step.action === 'invite' ? step.wanted.teams : (member?.teams ?? []);
  return {
    action: step.action,
    id: member?.id ?? null,
    email: member === undefined && 'wanted' in step ? step.wanted.email : (member?.email ?? null),
    status: member?.status ?? null,
    teams:
      step.action === 'invite'
        ? step.wanted.teams.map(({ asked }) => asked)
        : (member?.teams ?? []).map(({ id }) => id),
    'teams.name': teams.map(({ id, name }) => name ?? id),
    'teams-missing': step.action === 'teams-missing' ? step.missing : [],
    organization,
  };
}
