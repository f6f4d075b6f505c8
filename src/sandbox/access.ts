import type { Call } from './call.ts';
import { createProblem } from './errors.ts';
import { findTeam, listTeamsOf } from './people.ts';
import { isPermitted, listTeamRights, type May, type Operation, OWNERS_TEAM } from './permissions.ts';
import { type FeatureSetRow, type OrganizationRow, readSettings, type TeamRow } from './rows.ts';
import { type Condition, fold, isOneOf, type Store } from './store.ts';

export function assertFound<Row>(row: Row | undefined | null): Row {
  if (row === undefined || row === null) throw createProblem(404);
  return row;
}

/** What the path names. Throws 404 if it is absent, or the caller may not do this there: the answer does not show which. */
export function authorize(call: Call, operation: Operation): { organization?: OrganizationRow; team?: TeamRow } {
  if (call.param('team_id') !== '') {
    const team = findVisibleTeam(call, call.param('team_id'));
    return { team, organization: findOrganization(call, operation, team.organization) };
  }
  if (call.param('organization_name') !== '') return { organization: findOrganization(call, operation) };
  if (!isPermitted(new Set([call.caller.holder]), operation)) throw createProblem(404);
  return {};
}

export function findOrganization(call: Call, operation: Operation, seq?: number): OrganizationRow {
  const found = seq === undefined ? findByName(call, call.param('organization_name')) : getOrganization(call, seq);
  const organization = assertFound(found);
  // Owners can switch off the tokens of people.
  const isOff = call.caller.user !== null && readSettings(organization)['user-tokens-enabled'] === false;
  if (isOff) throw createProblem(401);
  if (!findMay(call, organization.seq)(operation)) throw createProblem(404);
  return organization;
}

export function getOrganization({ store }: Call, seq: number | null): OrganizationRow | undefined {
  return store.first('SELECT * FROM organizations WHERE seq = ?', seq);
}

export function findByName({ store }: Pick<Call, 'store'>, name: string): OrganizationRow | undefined {
  return store.first('SELECT * FROM organizations WHERE folded = ?', fold(name));
}

export function listOrganizations(store: Store): OrganizationRow[] {
  return store.all('SELECT * FROM organizations ORDER BY seq');
}

export function findPlan(store: Store, organization: number): FeatureSetRow | undefined {
  const sql = `SELECT feature_sets.id, eligible.attributes FROM eligible_feature_sets AS eligible
    JOIN feature_sets ON feature_sets.seq = eligible.feature_set
    WHERE eligible.organization = ? AND eligible.attributes ->> 'is-current' = 1 ORDER BY feature_sets.seq LIMIT 1`;
  return store.first(sql, organization);
}

export function findMay(call: Call, organization: number): May {
  const { holder, organization: own } = call.caller;
  const isOfToken = holder === 'organization' || holder === 'audit-trail';
  const teams = isOfToken ? undefined : listOwnTeams(call, organization);
  const rights = isOfToken && own === organization ? new Set([holder]) : teams && listTeamRights(teams);
  return (operation) => rights !== undefined && isPermitted(rights, operation);
}

/** The teams of the caller in the organization; undefined for one who is not in it, or is only invited. */
function listOwnTeams(call: Call, organization: number): TeamRow[] | undefined {
  const { caller, store } = call;
  if (caller.user === null) {
    const team = findCallingTeam(call, organization);
    return team && [team];
  }
  const sql = "SELECT seq FROM memberships WHERE organization = ? AND user = ? AND status = 'active'";
  const membership = store.first<{ seq: number }>(sql, organization, caller.user.seq);
  return membership && listTeamsOf(store, [membership])(membership);
}

export function findCallingTeam({ caller, store }: Call, organization: number): TeamRow | undefined {
  if (caller.holder !== 'team' || caller.organization !== organization) return undefined;
  return caller.team === null
    ? findTeam(store, 'organization = ? AND name = ?', organization, OWNERS_TEAM)
    : findTeam(store, 'seq = ?', caller.team);
}

export function findVisibleTeam(call: Call, id: string): TeamRow {
  const team = assertFound(findTeam(call.store, 'id = ?', id));
  if (!isVisible(listSecretTeams(call, team.organization), team)) throw createProblem(404);
  return team;
}

export function isInTeam(call: Call, { seq, organization }: TeamRow): boolean {
  return call.caller.user !== null && listOwnTeams(call, organization)?.some((team) => team.seq === seq) === true;
}

export function isShownTo(call: Call, organization: number): Condition | false {
  const secret = listSecretTeams(call, organization);
  if (secret === undefined) return false;
  const [sql, ...values] = isOneOf('teams.seq', secret);
  return [`(teams.visibility <> 'secret' OR ${sql})`, ...values];
}

/** The secret teams that the caller may see in the organization, by row number; undefined for all. */
export function listSecretTeams(call: Call, organization: number): number[] | undefined {
  if (!call.rules.hidesSecretTeams || findMay(call, organization)('teams.read-secret')) return undefined;
  return (listOwnTeams(call, organization) ?? []).map(({ seq }) => seq);
}

export function isVisible(secret: readonly number[] | undefined, { seq, visibility }: TeamRow): boolean {
  return secret === undefined || visibility !== 'secret' || secret.includes(seq);
}

export function findOwner(call: Call, organization: OrganizationRow | undefined): { id: string; type: string } {
  const { user, holder } = call.caller;
  if (user !== null) return { id: user.id, type: 'users' };
  const { seq, name } = assertFound(organization);
  if (holder !== 'team') return { id: name, type: 'organizations' };
  return { id: assertFound(findCallingTeam(call, seq)).id, type: 'teams' };
}

/** What decides elsewhere who is in the team, so that nobody does here. */
export function findManager(group: string | null, organization: OrganizationRow): string | undefined {
  if (organization.is_unified === 1) return 'The organization is managed by HCP';
  return group === null ? undefined : 'The team is managed by SCIM';
}

export function assertUnmanaged(group: string | null, organization: OrganizationRow): void {
  const manager = findManager(group, organization);
  if (manager !== undefined) throw createProblem(403, manager);
}
