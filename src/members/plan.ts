import type { Client } from '../api/client.ts';
import type { TeamReference } from '../api/teams.ts';
import { UsageError } from '../lib/errors.ts';
import { joinNames } from '../lib/text.ts';
import { readMembers } from './find-members.ts';
import { matchRows, type RosterMatch } from './match-roster.ts';
import { formatMember, type Member, OWNERS } from './member.ts';
import { createProtectedError, findOwnerProblem, type IsCaller, readOwners } from './owners.ts';
import type { PersonRow } from './people-file.ts';
import { mayBeOwners, readTeams, type Team } from './teams.ts';

export type Step = { org: string } & (
  | { action: 'teams'; member: Member; add: Team[]; remove: Team[] }
  | { action: 'remove'; member: Member }
  | { action: 'invite'; email: string; teams: Team[] }
);

/** The reason why a member who is not in the roster stays. */
type KeptReason = 'you' | 'an owner' | 'managed elsewhere' | 'without a visible email' | 'not in the roster';

interface Plan {
  org: string;
  /** Removals come before invitations, for which they make room. */
  steps: Step[];
  kept: { member: Member; why: KeptReason }[];
  /** Additions to teams that an identity provider manages. */
  skipped: string[];
}

export type RosterPlan = Awaited<ReturnType<typeof readPlan>>;

export interface RosterRules {
  prune?: boolean;
  pruneTeams?: boolean;
  allowOwners?: boolean;
  includeManaged?: boolean;
  isCaller: IsCaller;
}

export interface PlanRules extends RosterRules {
  /** Undefined if the owners can't be read. */
  ownerIds: Set<string> | undefined;
  /** Undefined if the service lists no teams. */
  teams: Team[] | undefined;
}

/** Adds wrong rows to `wrong`. Throws UsageError for a roster that would remove everyone, or the last owner. */
export async function readPlan(
  client: Client,
  org: string,
  rows: PersonRow[],
  rules: RosterRules,
  wrong: UsageError[],
) {
  if (rules.prune && rows.length === 0) {
    throw new UsageError(`the roster names nobody: --prune would remove everyone from ${org}`);
  }
  const members = await readMembers(client, org);
  const teams = await readTeams(client, org);
  if (rules.pruneTeams && !teams.listed) {
    throw new UsageError(`the teams of ${org} can't be listed, so nobody can be pruned from them`, {
      hint: 'Leave out --prune-teams.',
    });
  }
  const owners = rules.prune ? await readOwners(client, org, teams.listed) : undefined;
  if (rules.prune && !owners && !rules.allowOwners) {
    throw new UsageError(`can't see who owns ${org}, so nobody can be pruned`, {
      hint: 'Add --allow-owners if owners may be removed too.',
    });
  }
  const match = matchRows(teams, rows, members);
  wrong.push(...match.problems);
  const ownerIds = owners && new Set(owners.map(({ id }) => id));
  const plan = createPlan(org, match, members, { ...rules, ownerIds, teams: teams.listed });
  const removed = plan.steps.flatMap((step) => (step.action === 'remove' ? [step.member] : []));
  const seen = owners ?? members.filter(({ teams: own }) => own?.some(({ name }) => name === OWNERS));
  const leavingOwners = seen.filter(({ id }) => removed.some((member) => member.id === id));
  const problem = findOwnerProblem(org, seen, removed);
  if (leavingOwners.length > 0 && problem !== undefined) {
    throw createProtectedError(`${problem} without ${joinNames(leavingOwners.map(formatMember))}`);
  }
  return { ...plan, warnings: match.warnings, leavingOwners };
}

export function createPlan(org: string, { present, absent }: RosterMatch, members: Member[], rules: PlanRules): Plan {
  const plan: Plan = { org, steps: [], kept: [], skipped: [] };
  const known = new Map(rules.teams?.map((team) => [team.id, team]));
  const select = (person: string, teams: Team[]): Team[] => {
    const open = teams.filter(({ isManaged }) => rules.includeManaged || !isManaged);
    for (const team of teams) if (!open.includes(team)) plan.skipped.push(`${person}: ${team.name}`);
    return open;
  };
  const removals: Step[] = [];
  for (const member of members) {
    const wanted = present.get(member.id);
    if (!present.has(member.id)) {
      const why = findKeptReason(member, rules, known);
      if (why) plan.kept.push({ member, why });
      else removals.push({ org, action: 'remove', member });
    } else if (wanted) {
      const own = member.teams ?? [];
      const missing = wanted.filter(({ id }) => !own.some((team) => team.id === id));
      const add = select(member.email ?? member.id, missing);
      const others = own.filter(({ id }) => !wanted.some((team) => team.id === id));
      const remove = others.flatMap((team) => findPrunable(member, team, rules, known));
      const isKept = rules.pruneTeams && rules.isCaller(member);
      if (isKept && others.some(({ id }) => known.get(id)?.isOwners === false)) plan.kept.push({ member, why: 'you' });
      if (add.length + remove.length > 0) plan.steps.push({ org, action: 'teams', member, add, remove });
    }
  }
  const invitations = absent.map(({ email, teams }) => ({ email, teams: select(email, teams) }));
  const able = invitations.filter(({ teams }) => teams.length > 0);
  plan.steps.push(...removals, ...able.map((one): Step => ({ org, action: 'invite', ...one })));
  return plan;
}

function findKeptReason(member: Member, rules: PlanRules, teams: Map<string, Team>): KeptReason | undefined {
  if (!rules.prune) return 'not in the roster';
  if (rules.isCaller(member)) return 'you';
  if (!rules.allowOwners && rules.ownerIds?.has(member.id) !== false) return 'an owner';
  if (!rules.includeManaged && isManaged(member, teams)) return 'managed elsewhere';
  // A row may mean a member whose email the service hides. Service accounts have none.
  if (member.email === undefined && !member.isServiceAccount) return 'without a visible email';
  return undefined;
}

/** Returns the team if the member may be removed from it. An unknown team may be owners, or managed. */
function findPrunable(member: Member, { id }: TeamReference, rules: PlanRules, teams: Map<string, Team>): Team[] {
  const team = teams.get(id);
  if (!rules.pruneTeams || !team || mayBeOwners(team) || rules.isCaller(member)) return [];
  return rules.includeManaged || (!team.isManaged && !isManaged(member, teams)) ? [team] : [];
}

/** Whether an identity provider manages the member, or the account is not a person's. */
function isManaged(member: Member, teams: Map<string, Team>): boolean {
  const { status, isServiceAccount, isScimManaged, teams: own = [] } = member;
  return status === 'inactive' || isServiceAccount || isScimManaged || own.some(({ id }) => teams.get(id)?.isManaged);
}

export function findLeaving(steps: Step[]): Step[] {
  return steps.filter((step) => step.action === 'remove' || (step.action === 'teams' && step.remove.length > 0));
}

export function findNewOwners(steps: Step[]): Step[] {
  return steps.filter(
    (step) => step.action !== 'remove' && (step.action === 'teams' ? step.add : step.teams).some(mayBeOwners),
  );
}
