import { TEAMS, USERS } from '../wire/resources.ts';
import { ORGANIZATIONS } from './documents.ts';
import { isPermitted, type Operation, type Right, toTeamRights } from './permissions.ts';
import { createProblem } from './problems.ts';
import { findOrganization, getOrganization, type OrganizationRow, readSettings } from './queries/organizations.ts';
import { findOwnersTeam, findTeamsOfUser, getTeam, type TeamRow } from './queries/teams.ts';
import type { Context } from './route.ts';

/**
 * The organization of that row number, or else the one that the path names. Throws 404 where it is absent and where the caller
 * may not do this there: the answer does not show which.
 */
export function requireOrganization(context: Context, operation: Operation, seq?: number): OrganizationRow {
  const { store, params } = context;
  const organization = requirePresent(
    seq === undefined ? findOrganization(store, params['organization_name'] ?? '') : getOrganization(store, seq),
  );
  // Assumed, as all that organizations can set: where owners turned the tokens of people off, these are not valid there.
  if (context.caller.user !== null && readSettings(organization)['user-tokens-enabled'] === false) {
    throw createProblem(401);
  }
  if (!isAllowed(context, organization.seq, operation)) throw createProblem(404);
  return organization;
}

/** For what belongs to no organization. */
export function requirePermission({ caller }: Context, operation: Operation): void {
  if (!isPermitted(new Set([caller.holder]), operation)) throw createProblem(404);
}

export function isAllowed(context: Context, organization: number, operation: Operation): boolean {
  return isPermitted(findRights(context, organization), operation);
}

/** Throws 404 for what is absent. */
export function requirePresent<Row>(row: Row | undefined): Row {
  if (row === undefined) throw createProblem(404);
  return row;
}

export function findTokenOwner(
  context: Context,
  organization: OrganizationRow | undefined,
): { type: string; id: string } {
  const { caller } = context;
  if (caller.user !== null) return { type: USERS, id: caller.user.id };
  const { seq, name } = requirePresent(organization);
  return caller.holder === 'team'
    ? { type: TEAMS, id: requirePresent(findCallingTeam(context, seq)).id }
    : { type: ORGANIZATIONS, id: name };
}

/** The team whose token calls, in its organization. */
export function findCallingTeam({ caller, store }: Context, organization: number): TeamRow | undefined {
  if (caller.holder !== 'team') return undefined;
  return caller.team === null ? findOwnersTeam(store, organization) : getTeam(store, caller.team);
}

/** What the caller has in that organization; nothing for one who is not in it, or is only invited. */
export function findRights(context: Context, organization: number): ReadonlySet<Right> {
  const { caller, store } = context;
  if (caller.user !== null) {
    const teams = findTeamsOfUser(store, organization, caller.user.seq);
    return teams === undefined ? new Set() : toTeamRights(teams);
  }
  if (caller.organization !== organization) return new Set();
  if (caller.holder !== 'team') return new Set([caller.holder]);
  const team = findCallingTeam(context, organization);
  return toTeamRights(team === undefined ? [] : [team]);
}
