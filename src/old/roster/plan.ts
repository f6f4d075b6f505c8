import { countEach } from '../groups.ts';
import type { Member } from '../people/member.ts';
import { toPersonKey } from '../people/member.ts';
import type { Protects } from '../people/removal-guard.ts';
import type { TeamMoves } from '../people/team-changes.ts';
import type { FoundTeam, NamedTeam } from '../people/teams.ts';
import { toOrganization } from '../resources/organization.ts';
import { type TeamIdentity, toTeamIdentity } from '../resources/team.ts';
import type { ResourceIdentifier } from '../wire/json-api.ts';
import type { Invitee, Matched, Wanted } from './match.ts';

/** The difference between the people a roster names, with their teams, and those who are there. Pure. */

export type Step =
  | { readonly action: 'remove'; readonly member: Member }
  | { readonly action: 'invite'; readonly wanted: Invitee; readonly teams: readonly FoundTeam[] }
  | TeamStep;

/** A step, and the organization that it is about. */
export type PlacedStep = Step & { readonly organization: string };

export function place<One extends object>(steps: readonly One[], organization: string) {
  return steps.map((step) => ({ ...step, organization }));
}

/** At least one of their teams changes. */
export interface TeamStep extends TeamMoves {
  readonly action: 'teams';
}

/**
 * Why a person stays whom the roster does not name: an owner, the caller, one who is managed elsewhere, one whose address is
 * hidden or unusual, so that a row may mean them, or simply because removing was not asked for.
 */
type Fate = 'keep-owner' | 'keep-self' | 'keep-managed' | 'keep-unnamed' | 'extra';

export interface Kept {
  readonly action: Fate;
  readonly member: Member;
}

/** Someone who stays in teams that their row does not name. */
export interface Staying {
  readonly action: 'stay';
  readonly member: Member;
  readonly teams: readonly NamedTeam[];
  /** Whether being asked to would take them out. */
  readonly isPrunable: boolean;
}

/** Differences from the roster that stay, each with the number of people it is about. */
interface Left {
  /** In teams that their row does not name, since taking out was not asked for. */
  readonly otherTeams: number;
  /**
   * In teams that their row does not name, although taking out was asked for: owners, the caller, people and teams that
   * are managed elsewhere, and teams that can't be seen.
   */
  readonly keptTeams: number;
  /** Not in a team that their row names and that is managed elsewhere. */
  readonly managedTeams: number;
  /** Not there, and not invited: all teams of their row are managed elsewhere. */
  readonly uninvited: number;
}

export interface Plan {
  /** Removals first: they make room for invitations. Then by kind, each in the order of the roster or the list. */
  readonly steps: readonly Step[];
  /** People whom the roster does not name, and who stay. */
  readonly kept: readonly Kept[];
  readonly staying: readonly Staying[];
  /** People whom the roster names and whom no step is about. */
  readonly present: number;
  readonly left: Left;
}

export interface TeamFacts {
  /** By which it is known here: the name, or the id where another team has the same. */
  readonly name: string;
  readonly isOwners: boolean;
  /** Whether SSO or SCIM fills it. */
  readonly isManaged: boolean;
}

export interface PlanRules {
  /** Who is not removed; without it no one is. */
  readonly protects: Protects | undefined;
  /** Whether people are taken out of teams that their row does not name. */
  readonly pruneTeams: boolean;
  /** Whether people and teams that are managed elsewhere are treated as all others. */
  readonly includeManaged: boolean;
  isSelf(member: Member): boolean;
  /** By id; those that can be seen. */
  readonly teams: ReadonlyMap<string, TeamFacts>;
}

/** One pass over each list. */
export function makePlan(
  { rows, absent }: Pick<Matched, 'rows' | 'absent'>,
  members: readonly Member[],
  rules: PlanRules,
): Plan {
  const steps: Record<Step['action'], Step[]> = { remove: [], invite: [], teams: [] };
  const kept: Kept[] = [];
  const staying: Staying[] = [];
  const left = { otherTeams: 0, keptTeams: 0, managedTeams: 0, uninvited: 0 };
  let present = 0;

  for (const member of members) {
    const row = rows.get(member.id);
    if (row === undefined) {
      const action = chooseFate(member, rules);
      if (action === 'remove') steps.remove.push({ action, member });
      else kept.push({ action, member });
      continue;
    }
    const { add, remove, others, ...counted } = compareTeams(row, member, rules);
    if (add.length + remove.length > 0) steps.teams.push({ action: 'teams', member, add, remove });
    else present += 1;
    if (others.length > 0) {
      const isPrunable = !rules.pruneTeams && others.every(({ id }) => mayLeave(member, id, rules));
      staying.push({ action: 'stay', member, teams: others, isPrunable });
    }
    for (const name of ['otherTeams', 'keptTeams', 'managedTeams'] as const) left[name] += counted[name] ? 1 : 0;
  }
  for (const wanted of absent) {
    const asked = wanted.teams ?? [];
    const teams = asked.filter(({ id }) => isOpen(id, rules));
    if (asked.length > 0 && teams.length === 0) left.uninvited += 1;
    else {
      steps.invite.push({ action: 'invite', wanted, teams });
      if (teams.length < asked.length) left.managedTeams += 1;
    }
  }
  const inOrder = [...steps.remove, ...steps.invite, ...steps.teams];
  return { steps: inOrder, kept: sortKept(kept), staying, present, left };
}

function chooseFate(member: Member, rules: PlanRules): Fate | 'remove' {
  if (rules.protects === undefined) return 'extra';
  const why = rules.protects(member);
  if (why !== undefined) return `keep-${why}`;
  if (!rules.includeManaged && isManaged(member, rules)) return 'keep-managed';
  // The account of a token has no address that could be hidden.
  return toPersonKey(member) === undefined && member.isServiceAccount !== true ? 'keep-unnamed' : 'remove';
}

interface TeamDifference {
  readonly add: readonly NamedTeam[];
  readonly remove: readonly NamedTeam[];
  /** Those that the row does not name, and that the person stays in. */
  readonly others: readonly NamedTeam[];
  readonly otherTeams: boolean;
  readonly keptTeams: boolean;
  readonly managedTeams: boolean;
}

const NO_DIFFERENCE: TeamDifference = {
  add: [],
  remove: [],
  others: [],
  otherTeams: false,
  keptTeams: false,
  managedTeams: false,
};

function compareTeams({ teams: wanted }: Wanted, member: Member, rules: PlanRules): TeamDifference {
  if (wanted === undefined) return NO_DIFFERENCE;
  const own = member.teams ?? [];
  const named = new Set(wanted.map(({ id }) => id));
  const missing = wanted.filter(({ id }) => !own.some((team) => team.id === id));
  const others = own.filter(({ id }) => !named.has(id));
  const add = missing.filter(({ id }) => isOpen(id, rules));
  const remove = rules.pruneTeams ? others.filter(({ id }) => mayLeave(member, id, rules)) : [];
  return {
    add: add.map((team) => toNamed(team, rules)),
    remove: remove.map((team) => toNamed(team, rules)),
    others: others.filter((team) => !remove.includes(team)).map((team) => toNamed(team, rules)),
    otherTeams: !rules.pruneTeams && others.length > 0,
    keptTeams: rules.pruneTeams && remove.length < others.length,
    managedTeams: add.length < missing.length,
  };
}

function toNamed({ id, name }: NamedTeam, { teams }: PlanRules): NamedTeam {
  return { id, name: teams.get(id)?.name ?? name };
}

/** Whether a team may be written to. */
function isOpen(id: string, { teams, includeManaged }: PlanRules): boolean {
  return includeManaged || teams.get(id)?.isManaged !== true;
}

/** A team that can't be seen may be `owners`, or managed. */
function mayLeave(member: Member, id: string, rules: PlanRules): boolean {
  const team = rules.teams.get(id);
  if (team === undefined || team.isOwners || rules.isSelf(member)) return false;
  return rules.includeManaged || (!team.isManaged && !isManaged(member, rules));
}

/** Whether an identity provider says what a member is, or the member is no person. */
function isManaged({ status, isServiceAccount, isScimManaged, teams = [] }: Member, rules: PlanRules): boolean {
  return (
    status === 'inactive' ||
    isServiceAccount === true ||
    isScimManaged === true ||
    teams.some(({ id }) => rules.teams.get(id)?.isManaged === true)
  );
}

const ORDER: readonly Fate[] = ['keep-self', 'keep-owner', 'keep-managed', 'keep-unnamed', 'extra'];

function sortKept(kept: readonly Kept[]): readonly Kept[] {
  return ORDER.flatMap((fate) => kept.filter(({ action }) => action === fate));
}

/** Who leaves the organization or a team, each once. */
export function findLeavers<One extends Step>({ steps }: { readonly steps: readonly One[] }): readonly One[] {
  return steps.filter((step) => step.action === 'remove' || (step.action === 'teams' && step.remove.length > 0));
}

export function countActions(
  plans: readonly Pick<Plan, 'steps' | 'kept'>[],
): ReadonlyMap<Step['action'] | Fate, number> {
  return countEach(plans.flatMap(({ steps, kept }) => [...steps, ...kept]).map(({ action }) => action));
}

export interface PlanRecord {
  readonly action: Step['action'];
  /** Null for a person who is not there. */
  readonly id: string | null;
  readonly email: string | null;
  readonly status: string | null;
  readonly teams: readonly TeamIdentity[];
  readonly 'teams-add': readonly TeamIdentity[];
  readonly 'teams-remove': readonly TeamIdentity[];
  readonly organization: ResourceIdentifier;
}

export function toPlanRecord(step: PlacedStep): PlanRecord {
  const [member, invitee] = step.action === 'invite' ? [undefined, step] : [step.member, undefined];
  const teams = invitee?.teams ?? member?.teams ?? [];
  return {
    action: step.action,
    id: member?.id ?? null,
    email: invitee?.wanted.email ?? member?.email ?? null,
    status: member?.status ?? null,
    teams: teams.map(toTeamIdentity),
    'teams-add': step.action === 'teams' ? step.add.map(toTeamIdentity) : [],
    'teams-remove': step.action === 'teams' ? step.remove.map(toTeamIdentity) : [],
    organization: toOrganization(step.organization),
  };
}
