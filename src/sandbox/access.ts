import { TEAMS, USERS } from '../wire/resources.ts';
import { ORGANIZATIONS } from './documents.ts';
import { isPermitted, type Operation, type Right, toTeamRights } from './permissions.ts';
import { createProblem } from './problems.ts';
import { findOrganization, getOrganization, type OrganizationRow } from './queries/organizations.ts';
import { findOwnersTeam, findTeamsOfUser } from './queries/teams.ts';
import type { Context } from './route.ts';

/** The organization that the path names. Throws 404 where it is absent or the caller may not do this there, without saying which. */
export function requireOrganization(context: Context, operation: Operation): OrganizationRow {
  const name = context.params['organization_name'] ?? '';
  return requireAccess(context, findOrganization(context.store, name), operation);
}

/** The same by its row number. */
export function requireOrganizationBySeq(context: Context, seq: number, operation: Operation): OrganizationRow {
  return requireAccess(context, getOrganization(context.store, seq), operation);
}

/** For what belongs to no organization. */
export function requirePermission({ caller }: Context, operation: Operation): void {
  if (!isPermitted(new Set([caller.holder]), operation)) throw createProblem(404);
}

/** Whether the caller may do this in that organization. */
export function isAllowed(context: Context, organization: number, operation: Operation): boolean {
  return isPermitted(findRights(context, organization), operation);
}

/** Throws 404 for what is absent. */
export function requirePresent<Row>(row: Row | undefined): Row {
  if (row === undefined) throw createProblem(404);
  return row;
}

/** Whom the caller's token belongs to: a user, or the organization or its owners team. */
export function findTokenOwner(
  { caller, store }: Context,
  organization: OrganizationRow | undefined,
): { type: string; id: string } {
  if (caller.user !== null) return { type: USERS, id: caller.user.id };
  const { seq, name } = requirePresent(organization);
  return caller.holder === 'team'
    ? { type: TEAMS, id: requirePresent(findOwnersTeam(store, seq)).id }
    : { type: ORGANIZATIONS, id: name };
}

function requireAccess(
  context: Context,
  organization: OrganizationRow | undefined,
  operation: Operation,
): OrganizationRow {
  const present = requirePresent(organization);
  if (!isAllowed(context, present.seq, operation)) throw createProblem(404);
  return present;
}

/** What the caller has in that organization; nothing for one who is not in it, or is only invited. */
function findRights({ caller, store }: Context, organization: number): ReadonlySet<Right> {
  if (caller.user !== null) {
    const teams = findTeamsOfUser(store, organization, caller.user.seq);
    return teams === undefined ? new Set() : toTeamRights(teams);
  }
  if (caller.organization !== organization) return new Set();
  if (caller.holder !== 'team') return new Set([caller.holder]);
  const owners = findOwnersTeam(store, organization);
  return toTeamRights(owners === undefined ? [] : [owners]);
}
