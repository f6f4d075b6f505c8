import type { Context, Handle, Reply } from './context.ts';
import { createHttpError } from './errors.ts';
import { findTeamRow, listTeams } from './people.ts';
import { isPermitted, listPermissions, listTeamRights, type Permission } from './permissions.ts';
import { type FeatureSetRow, type OrganizationRow, readSettings, type TeamRow } from './rows.ts';
import { type Condition, fold, isOneOf, type Store } from './store.ts';

export function assertFound<Row>(row: Row | undefined | null): Row {
  if (row === undefined || row === null) throw createHttpError(404);
  return row;
}

export function withPermission(permission: Permission, handle: Handle): Handle {
  return (ctx) => {
    if (!isPermitted(new Set([ctx.caller.type]), permission)) throw createHttpError(404);
    return handle(ctx);
  };
}

type OrganizationHandle = (ctx: Context, organization: OrganizationRow) => Reply;
type TeamHandle = (ctx: Context, organization: OrganizationRow, team: TeamRow) => Reply;

/** Passes the organization of the path. Throws 404, also for a caller without the permission there. */
export function withOrganization(permission: Permission, handle: OrganizationHandle): Handle {
  return (ctx) => handle(ctx, authorizeOrganization(ctx, permission));
}

/** Passes the team of the path and its organization. Throws 404, also for a caller without the permission there. */
export function withTeam(permission: Permission, handle: TeamHandle): Handle {
  return (ctx) => {
    const team = findVisibleTeam(ctx, ctx.param('team_id'));
    return handle(ctx, authorizeOrganization(ctx, permission, team.organization), team);
  };
}

export function authorizeOrganization(ctx: Context, permission: Permission, seq?: number): OrganizationRow {
  const name = ctx.param('organization_name');
  const organization = assertFound(seq ? findOrganizationRow(ctx, seq) : findOrganizationByName(ctx, name));
  if (ctx.caller.user !== null && readSettings(organization)['user-tokens-enabled'] === false)
    throw createHttpError(401);
  if (!findPermissions(ctx, organization.seq).has(permission)) throw createHttpError(404);
  return organization;
}

export function findOrganizationRow({ store }: Context, seq: number | null): OrganizationRow | undefined {
  return store.first('SELECT * FROM organizations WHERE seq = ?', seq);
}

export function findOrganizationByName({ store }: Pick<Context, 'store'>, name: string): OrganizationRow | undefined {
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

export function findPermissions(ctx: Context, organization: number): Set<Permission> {
  const { type, organization: own } = ctx.caller;
  const hasTeams = type === 'user' || type === 'team';
  if (!hasTeams) return listPermissions(new Set(own === organization ? [type] : []));
  const teams = listOwnTeams(ctx, organization);
  return listPermissions(teams ? listTeamRights(teams) : new Set());
}

/** The teams of the caller; undefined for a caller who is not in the organization, or only invited. */
function listOwnTeams(ctx: Context, organization: number): TeamRow[] | undefined {
  const { caller, store } = ctx;
  if (caller.user === null) {
    const team = findCallingTeam(ctx, organization);
    return team && [team];
  }
  const sql = "SELECT seq FROM memberships WHERE organization = ? AND user = ? AND status = 'active'";
  const membership = store.first<{ seq: number }>(sql, organization, caller.user.seq);
  return membership && listTeams(store, membership);
}

export function findCallingTeam({ caller, store }: Context, organization: number): TeamRow | undefined {
  return findTeamRow(store, 'seq = ? AND organization = ?', caller.team, organization);
}

export function findVisibleTeam(ctx: Context, id: string): TeamRow {
  const team = assertFound(findTeamRow(ctx.store, 'id = ?', id));
  if (!isVisible(listSecretTeams(ctx, team.organization), team)) throw createHttpError(404);
  return team;
}

export function isCallerInTeam(ctx: Context, { seq, organization }: TeamRow): boolean {
  return ctx.caller.user !== null && listOwnTeams(ctx, organization)?.some((team) => team.seq === seq) === true;
}

export function isVisibleTo(ctx: Context, organization: number): Condition | false {
  const secret = listSecretTeams(ctx, organization);
  if (secret === undefined) return false;
  const [sql, ...values] = isOneOf('teams.seq', secret);
  return [`(teams.visibility <> 'secret' OR ${sql})`, ...values];
}

/** Row numbers of the secret teams that the caller may see; undefined for all. */
export function listSecretTeams(ctx: Context, organization: number): number[] | undefined {
  if (!ctx.rules.isReal || findPermissions(ctx, organization).has('teams.read-secret')) return undefined;
  return (listOwnTeams(ctx, organization) ?? []).map(({ seq }) => seq);
}

export function isVisible(secret: number[] | undefined, { seq, visibility }: TeamRow): boolean {
  return secret === undefined || visibility !== 'secret' || secret.includes(seq);
}

export function findActor(ctx: Context, organization: OrganizationRow | undefined) {
  const { user, type } = ctx.caller;
  if (user !== null) return { id: user.user_id, type: 'users' };
  const { seq, name } = assertFound(organization);
  if (type !== 'team') return { id: name, type: 'organizations' };
  return { id: assertFound(findCallingTeam(ctx, seq)).id, type: 'teams' };
}

export function findManager(group: string | null, organization: OrganizationRow): string | undefined {
  if (organization.is_unified === 1) return 'The organization is managed by HCP';
  return group === null ? undefined : 'The team is managed by SCIM';
}

export function assertUnmanaged(group: string | null, organization: OrganizationRow): void {
  const manager = findManager(group, organization);
  if (manager !== undefined) throw createHttpError(403, manager);
}
