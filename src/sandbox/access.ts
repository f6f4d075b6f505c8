import type { Call } from './call.ts';
import { createProblem } from './errors.ts';
import { readSettings } from './organizations.ts';
import { isPermitted, listTeamRights, type May, type Operation, OWNERS_TEAM, type Right } from './permissions.ts';
import type { OrganizationRow, TeamRow } from './rows.ts';
import { fold } from './store.ts';
import { findTeam, listTeamsOf } from './teams.ts';

/** Throws 404 for what is absent. */
export function assertFound<Row>(row: Row | undefined | null): Row {
  if (row === undefined || row === null) throw createProblem(404);
  return row;
}

/** Throws 404 if the caller may not do what belongs to no organization. */
export function assertPermitted({ caller }: Call, operation: Operation): void {
  if (!isPermitted(new Set([caller.holder]), operation)) throw createProblem(404);
}

/**
 * The organization of that row number, or else the one that the path names. Throws 404 if it is absent, and if the caller may
 * not do this there: the answer does not show which.
 */
export function findOrganization(call: Call, operation: Operation, seq?: number): OrganizationRow {
  const { store } = call;
  const organization = assertFound(
    seq === undefined
      ? findByName(call, call.param('organization_name'))
      : store.first<OrganizationRow>('SELECT * FROM organizations WHERE seq = ?', seq),
  );
  // Owners can switch off the tokens of people.
  if (call.caller.user !== null && readSettings(organization)['user-tokens-enabled'] === false) {
    throw createProblem(401);
  }
  if (!isAllowed(call, organization.seq, operation)) throw createProblem(404);
  return organization;
}

/** Names are compared without case. */
export function findByName({ store }: Pick<Call, 'store'>, name: string): OrganizationRow | undefined {
  return store.first('SELECT * FROM organizations WHERE folded = ?', fold(name));
}

/** Reads the caller's rights once, for several questions about one organization. */
export function findMay(call: Call, organization: number): May {
  const rights = findRights(call, organization);
  return (operation) => isPermitted(rights, operation);
}

export function isAllowed(call: Call, organization: number, operation: Operation): boolean {
  return findMay(call, organization)(operation);
}

/** None for a caller who is not in the organization, or is only invited. */
function findRights(call: Call, organization: number): ReadonlySet<Right> {
  const { holder, organization: own } = call.caller;
  if (holder === 'organization' || holder === 'audit-trail') return new Set(own === organization ? [holder] : []);
  const teams = listOwnTeams(call, organization);
  return teams === undefined ? new Set() : listTeamRights(teams);
}

/** The teams of the caller in the organization; undefined for one who is not in it, or is only invited. */
function listOwnTeams(call: Call, organization: number): TeamRow[] | undefined {
  const { caller, store } = call;
  if (caller.user === null) {
    const team = findCallingTeam(call, organization);
    return team === undefined ? undefined : [team];
  }
  const sql = "SELECT seq FROM memberships WHERE organization = ? AND user = ? AND status = 'active'";
  const membership = store.first<{ seq: number }>(sql, organization, caller.user.seq);
  return membership && listTeamsOf(store, [membership])(membership);
}

/** The team whose token the caller has, in its organization. */
export function findCallingTeam({ caller, store }: Call, organization: number): TeamRow | undefined {
  if (caller.holder !== 'team' || caller.organization !== organization) return undefined;
  return caller.team === null
    ? findTeam(store, 'organization = ? AND name = ?', organization, OWNERS_TEAM)
    : findTeam(store, 'seq = ?', caller.team);
}

/** The team with that id, with its organization. Throws 404 if it is absent, or the caller may not see it or do this. */
export function findTeamFor(call: Call, operation: Operation, id = call.param('team_id')) {
  const team = findVisibleTeam(call, id);
  return { team, organization: findOrganization(call, operation, team.organization) };
}

/** Throws 404. */
export function findVisibleTeam(call: Call, id: string): TeamRow {
  const team = assertFound(findTeam(call.store, 'id = ?', id));
  if (!isVisible(listSecretTeams(call, team.organization), team)) throw createProblem(404);
  return team;
}

/** Whether the caller is a person in that team. */
export function isInTeam(call: Call, { seq, organization }: TeamRow): boolean {
  return call.caller.user !== null && listOwnTeams(call, organization)?.some((team) => team.seq === seq) === true;
}

/** The secret teams that the caller may see in the organization, by row number; undefined for all. */
export function listSecretTeams(call: Call, organization: number): number[] | undefined {
  if (!call.rules.hidesSecretTeams || isAllowed(call, organization, 'teams.see-secret')) return undefined;
  return (listOwnTeams(call, organization) ?? []).map(({ seq }) => seq);
}

export function isVisible(secret: readonly number[] | undefined, { seq, visibility }: TeamRow): boolean {
  return secret === undefined || visibility !== 'secret' || secret.includes(seq);
}

/** Who the caller is to others: a person, a team or the organization. */
export function findOwner(call: Call, organization: OrganizationRow | undefined): { id: string; type: string } {
  const { user, holder } = call.caller;
  if (user !== null) return { id: user.id, type: 'users' };
  const { seq, name } = assertFound(organization);
  return holder === 'team'
    ? { id: assertFound(findCallingTeam(call, seq)).id, type: 'teams' }
    : { id: name, type: 'organizations' };
}

/** Who decides elsewhere who is in the team, so that nobody does here. */
export function findManager(
  { scim_group_name: group }: Pick<TeamRow, 'scim_group_name'>,
  { is_unified: isUnified }: OrganizationRow,
): 'HCP' | 'SCIM' | undefined {
  if (isUnified === 1) return 'HCP';
  return group === null ? undefined : 'SCIM';
}

/** Throws 403 if the team is managed elsewhere. */
export function assertUnmanaged(team: Pick<TeamRow, 'scim_group_name'>, organization: OrganizationRow): void {
  const manager = findManager(team, organization);
  if (manager === 'HCP') throw createProblem(403, 'The organization is managed by HCP');
  if (manager === 'SCIM') throw createProblem(403, 'The team is managed by SCIM');
}
