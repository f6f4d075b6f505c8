import type { Client } from '../api/client.ts';
import { UsageError } from '../lib/errors.ts';
import { joinNames } from '../lib/text.ts';
import { readMembers } from './find-members.ts';
import { matchRows } from './match-roster.ts';
import { formatMember, type Member, OWNERS } from './member.ts';
import { hasRemainingOwner, readOwners } from './owners.ts';
import type { PersonRow } from './people-file.ts';
import { createRosterPlan, type OrgStep, type RosterPlan, type RosterRules } from './plan.ts';
import { type Problem, tryAll } from './problems.ts';
import { readTeams } from './teams.ts';

export interface OrgPlan extends RosterPlan {
  org: string;
  steps: OrgStep[];
  warnings: string[];
  leavingOwners: Member[];
  /** Wrong rows. Nothing may be done if there are any. */
  problems: Problem[];
}

/** Throws UsageError for a roster that would remove everyone, or the last owner. */
export async function readPlan(client: Client, org: string, rows: PersonRow[], rules: RosterRules): Promise<OrgPlan> {
  if (rules.prune && rows.length === 0) {
    throw new UsageError(`the roster names nobody: --prune would remove everyone from ${org}`);
  }
  const members = await readMembers(client, org);
  const { listed: teams, get: findTeam } = await readTeams(client, org);
  if (rules.pruneTeams && !teams) {
    throw new UsageError(`the teams of ${org} can't be listed, so nobody can be pruned from them`, {
      hint: 'Leave out --prune-teams.',
    });
  }
  const owners = rules.prune ? await readOwners(client, org, teams) : undefined;
  if (rules.prune && !owners && !rules.allowOwners) {
    throw new UsageError(`can't see who owns ${org}, so nobody can be pruned`, {
      hint: 'Add --allow-owners if owners may be removed too.',
    });
  }
  const match = matchRows(org, rows, members);
  const named = tryAll(rows, ({ teams: own = [] }) => own.map(findTeam));
  const problems = [...match.problems, ...named.problems];
  if (problems.length > 0) {
    return { org, steps: [], kept: [], skipped: [], warnings: [], leavingOwners: [], problems };
  }
  const ownerIds = owners && new Set(owners.map(({ id }) => id));
  const plan = createRosterPlan(match, members, { ...rules, ownerIds, teams, findTeam });
  const removed = plan.steps.flatMap((step) => (step.action === 'remove' ? [step.member] : []));
  const seen = owners ?? members.filter(({ teams: own }) => own?.some(({ name }) => name === OWNERS));
  const removedIds = new Set(removed.map(({ id }) => id));
  const leavingOwners = seen.filter(({ id }) => removedIds.has(id));
  if (leavingOwners.length > 0 && !hasRemainingOwner(seen, removed)) {
    throw new UsageError(`${org} would have no owner without ${joinNames(leavingOwners.map(formatMember))}`, {
      code: 'protected',
    });
  }
  const steps = plan.steps.map((step): OrgStep => ({ org, ...step }));
  return { ...plan, org, steps, warnings: match.warnings, leavingOwners, problems };
}
