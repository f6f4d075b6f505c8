import { isPermitted, type Operation, type Right, toTeamRights } from './permissions.ts';
import { createNotFound } from './problems.ts';
import { findOrganization, getOrganization, type OrganizationRow } from './queries/organizations.ts';
import { findTeamByName, findTeamsOfUser, OWNERS_TEAM } from './queries/teams.ts';
import type { Context } from './route.ts';

/** The organization of that name. Throws 404 where it is absent or the caller may not do this there: no telling which. */
export function requireOrganization(context: Context, name: string, operation: Operation): OrganizationRow {
  return requireAccess(context, findOrganization(context.store, name), operation);
}

export function requireOrganizationBySeq(context: Context, seq: number, operation: Operation): OrganizationRow {
  return requireAccess(context, getOrganization(context.store, seq), operation);
}

/** For what belongs to no organization. */
export function requirePermission({ caller }: Context, operation: Operation): void {
  if (!isPermitted(new Set([caller.holder]), operation)) {
    throw createNotFound();
  }
}

/** Whether the caller may do this in that organization. */
export function isAllowed(context: Context, organization: number, operation: Operation): boolean {
  return isPermitted(findRights(context, organization), operation);
}

function requireAccess(
  context: Context,
  organization: OrganizationRow | undefined,
  operation: Operation,
): OrganizationRow {
  if (organization === undefined || !isAllowed(context, organization.seq, operation)) {
    throw createNotFound();
  }
  return organization;
}

/** What the caller has in that organization; nothing for one who is not in it, or is only invited. */
function findRights({ caller, store }: Context, organization: number): ReadonlySet<Right> {
  if (caller.user !== null) {
    const teams = findTeamsOfUser(store, organization, caller.user.seq);
    return teams === undefined ? new Set() : toTeamRights(teams);
  }
  if (caller.organization !== organization) return new Set();
  if (caller.holder !== 'team') return new Set([caller.holder]);
  const owners = findTeamByName(store, organization, OWNERS_TEAM);
  return toTeamRights(owners === undefined ? [] : [owners]);
}

/** Throws 404 for what is not there. */
export function requirePresent<Row>(row: Row | undefined): Row {
  if (row === undefined) {
    throw createNotFound();
  }
  return row;
}
