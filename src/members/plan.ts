import type { RosterMatch } from './match-roster.ts';
import type { Member, MemberTeam } from './member.ts';
import type { IsCaller } from './owners.ts';
import { mayBeOwners, type Team } from './teams.ts';

export type Step =
  | { action: 'teams'; member: Member; add: Team[]; remove: Team[] }
  | { action: 'remove'; member: Member }
  | { action: 'invite'; email: string; teams: Team[] };

export type OrgStep = Step & { org: string };

/** The reason why a member who is not in the roster stays. */
type KeptReason = 'you' | 'an owner' | 'managed elsewhere' | 'without a visible email' | 'not in the roster';

export interface RosterPlan {
  /** Removals come before invitations, for which they make room. */
  steps: Step[];
  kept: { member: Member; why: KeptReason }[];
  /** Additions to teams that an identity provider manages. */
  skipped: string[];
}

export interface RosterRules {
  prune: boolean;
  pruneTeams: boolean;
  allowOwners: boolean;
  includeManaged: boolean;
  isCaller: IsCaller;
}

export interface PlanRules extends RosterRules {
  /** Undefined if the owners can't be read. */
  ownerIds: Set<string> | undefined;
  /** Undefined if the service lists no teams. */
  teams: Team[] | undefined;
  findTeam(text: string): Team;
}

/** Throws UsageError for an unknown team. */
export function createRosterPlan({ rows, absent }: RosterMatch, members: Member[], rules: PlanRules): RosterPlan {
  const plan: RosterPlan = { steps: [], kept: [], skipped: [] };
  const known = new Map(rules.teams?.map((team) => [team.id, team]));
  const mayChange = (team: Team): boolean => rules.includeManaged || !team.isManaged;
  const removals: Step[] = [];
  for (const member of members) {
    const row = rows.get(member.id);
    if (!row) {
      const why = findKeptReason(member, rules, known);
      if (why) plan.kept.push({ member, why });
      else removals.push({ action: 'remove', member });
    } else if (row.teams) {
      const wanted = [...new Set(row.teams.map(rules.findTeam))];
      const own = member.teams ?? [];
      const missing = wanted.filter(({ id }) => !own.some((team) => team.id === id));
      const add = missing.filter(mayChange);
      const others = own.filter(({ id }) => !wanted.some((team) => team.id === id));
      const remove = others.flatMap((team) => findPrunable(member, team, rules, known));
      const isKept = rules.pruneTeams && rules.isCaller(member);
      if (isKept && others.some(({ id }) => known.get(id)?.isOwners === false)) plan.kept.push({ member, why: 'you' });
      if (add.length + remove.length > 0) plan.steps.push({ action: 'teams', member, add, remove });
      for (const team of missing) if (!mayChange(team)) plan.skipped.push(`${member.email ?? member.id}: ${team.name}`);
    }
  }
  const invitations = absent.flatMap((row): Step[] => {
    const { email = '' } = row.query;
    const wanted = [...new Set(row.teams?.map(rules.findTeam))];
    const teams = wanted.filter(mayChange);
    for (const team of wanted) if (!mayChange(team)) plan.skipped.push(`${email}: ${team.name}`);
    return teams.length > 0 ? [{ action: 'invite', email, teams }] : [];
  });
  plan.steps.push(...removals, ...invitations);
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
function findPrunable(member: Member, { id }: MemberTeam, rules: PlanRules, teams: Map<string, Team>): Team[] {
  const team = teams.get(id);
  if (!rules.pruneTeams || !team || mayBeOwners(team) || rules.isCaller(member)) return [];
  return rules.includeManaged || (!team.isManaged && !isManaged(member, teams)) ? [team] : [];
}

/** Whether an identity provider manages the member, or the account is not a person's. */
function isManaged(member: Member, teams: Map<string, Team>): boolean {
  const { status, isServiceAccount, isScimManaged, teams: own = [] } = member;
  return status === 'inactive' || isServiceAccount || isScimManaged || own.some(({ id }) => teams.get(id)?.isManaged);
}

export function findLeaving(steps: OrgStep[]): OrgStep[] {
  return steps.filter((step) => step.action === 'remove' || (step.action === 'teams' && step.remove.length > 0));
}

export function findNewOwners(steps: OrgStep[]): OrgStep[] {
  return steps.filter(
    (step) => step.action !== 'remove' && (step.action === 'teams' ? step.add : step.teams).some(mayBeOwners),
  );
}
