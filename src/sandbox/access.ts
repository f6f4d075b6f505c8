import { findManager, isPermitted, type May, type Operation, type Right, toTeamRights } from './permissions.ts';
import { createProblem } from './problems.ts';
import { findOrganization, getOrganization, type OrganizationRow, readSettings } from './queries/organizations.ts';
import { findOwnersTeam, findTeam, findTeamsOfUser, getTeam, type TeamRow } from './queries/teams.ts';
import { type Context, routesAbout } from './route.ts';
import type { ResourceIdentifier } from './wire/json-api.ts';
import { ORGANIZATIONS, TEAMS, USERS } from './wire/resources.ts';

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

/** Throws 404 where the caller may not do what belongs to no organization. */
function requirePermission({ caller }: Context, operation: Operation): void {
  if (!isPermitted(new Set([caller.holder]), operation)) throw createProblem(404);
}

export function isAllowed(context: Context, organization: number, operation: Operation): boolean {
  return findMay(context, organization)(operation);
}

/** Reads the caller's rights once, for several questions about one organization. */
export function findMay(context: Context, organization: number): May {
  const rights = findRights(context, organization);
  return (operation) => isPermitted(rights, operation);
}

/** Throws 404 for what is absent. */
export function requirePresent<Row>(row: Row | undefined): Row {
  if (row === undefined) throw createProblem(404);
  return row;
}

/** Who the caller is to others: a person, a team or the organization. */
export function findOwner(context: Context, organization: OrganizationRow | undefined): ResourceIdentifier {
  const { caller } = context;
  if (caller.user !== null) return { id: caller.user.id, type: USERS };
  const { seq, name } = requirePresent(organization);
  return caller.holder === 'team'
    ? { id: requirePresent(findCallingTeam(context, seq)).id, type: TEAMS }
    : { id: name, type: ORGANIZATIONS };
}

/** The team whose token the caller has, in its organization. */
export function findCallingTeam({ caller, store }: Context, organization: number): TeamRow | undefined {
  if (caller.holder !== 'team' || caller.organization !== organization) return undefined;
  return caller.team === null ? findOwnersTeam(store, organization) : getTeam(store, caller.team);
}

/** The teams of the caller in the organization; undefined for one who is not in it, or is only invited. */
function findOwnTeams(context: Context, organization: number): readonly TeamRow[] | undefined {
  const { caller, store } = context;
  if (caller.user !== null) return findTeamsOfUser(store, organization, caller.user.seq);
  const team = findCallingTeam(context, organization);
  return team === undefined ? undefined : [team];
}

/** A row, and the organization that it belongs to. */
export interface Within<Row> {
  readonly organization: OrganizationRow;
  readonly row: Row;
}

/** Throws 404 where there is no such row, and where the caller may not do this in its organization. */
export function requireWithin<Row extends { readonly organization: number }>(
  context: Context,
  operation: Operation,
  found: Row | undefined,
): Within<Row> {
  const row = requirePresent(found);
  return { row, organization: requireOrganization(context, operation, row.organization) };
}

/** The team that the path names. Throws 404 where it is absent, and where the caller may not see it or do this. */
export function requireTeamFor(context: Context, operation: Operation): Within<TeamRow> {
  return requireWithin(context, operation, requireTeam(context));
}

/** The team with that id, or else the one that the path names. Throws 404 where it is absent, and where the caller may not see it. */
export function requireTeam(context: Context, id = context.params['team_id'] ?? ''): TeamRow {
  const team = requirePresent(findTeam(context.store, id));
  if (!isVisible(findSecretTeams(context, team.organization), team)) throw createProblem(404);
  return team;
}

const MANAGED = {
  HCP: 'The organization is managed by HCP',
  SCIM: 'The team is managed by SCIM',
} as const;

/** Throws 403 where the team is managed elsewhere. */
export function refuseManaged(team: Pick<TeamRow, 'scim_group_name'>, organization: OrganizationRow): void {
  const manager = findManager(team, organization);
  if (manager !== undefined) throw createProblem(403, MANAGED[manager]);
}

/** Whether the caller is a person in that team. */
export function isInTeam(context: Context, { seq, organization }: TeamRow): boolean {
  return context.caller.user !== null && findOwnTeams(context, organization)?.some((team) => team.seq === seq) === true;
}

/** The secret teams that the caller may see in the organization, by row number; undefined for all. */
export function findSecretTeams(context: Context, organization: number): ReadonlySet<number> | undefined {
  const seesAll = !context.rules.hidesSecretTeams || isAllowed(context, organization, 'teams.see-secret');
  return seesAll ? undefined : new Set(findOwnTeams(context, organization)?.map(({ seq }) => seq));
}

export function isVisible(secret: ReadonlySet<number> | undefined, { seq, visibility }: TeamRow): boolean {
  return secret === undefined || visibility !== 'secret' || secret.has(seq);
}

/** What the caller has in that organization; nothing for one who is not in it, or is only invited. */
function findRights(context: Context, organization: number): ReadonlySet<Right> {
  const { caller } = context;
  if (caller.holder === 'organization' || caller.holder === 'audit-trail') {
    return new Set(caller.organization === organization ? [caller.holder] : []);
  }
  const teams = findOwnTeams(context, organization);
  return teams === undefined ? new Set() : toTeamRights(teams);
}

/** Routes about what belongs to no organization, about the organization that the path names, and about its team. */
export const ofCaller = routesAbout(requirePermission);
export const ofOrganization = routesAbout(requireOrganization);
export const ofTeam = routesAbout(requireTeamFor);
