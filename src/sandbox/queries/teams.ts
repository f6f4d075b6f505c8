import type { MembershipStatus } from '../../wire/resources.ts';
import type { Range } from '../pagination.ts';
import { allOf, fold, type Store } from '../store.ts';

export interface TeamRow {
  readonly seq: number;
  readonly id: string;
  readonly organization: number;
  readonly name: string;
  readonly visibility: string;
  /** JSON: the names of what it is given. */
  readonly access: string;
  /** What the identity provider calls it when a person logs in by SSO; null for a team that SSO does not fill. */
  readonly sso_team_id: string | null;
  /** The group that SCIM fills it from; null for a team that SCIM does not fill. */
  readonly scim_group_name: string | null;
  readonly scim_updated_at: number | null;
  /** 1 where its members may create and delete its token. */
  readonly allow_member_token_management: number;
  /** Active members, service accounts among them. */
  readonly users_count: number;
  /** Active ones. */
  readonly service_accounts: number;
}

interface NewTeam extends Pick<TeamRow, 'id' | 'organization' | 'name' | 'visibility'> {
  readonly access: readonly string[];
  readonly ssoTeamId?: string | undefined;
  readonly scimGroup?: { readonly name: string; readonly updatedAt: number } | undefined;
}

export interface TeamFilter {
  readonly search?: string | undefined;
  readonly names?: readonly string[] | undefined;
  /** The row numbers of the secret ones that are wanted too; all when absent. */
  readonly secret?: ReadonlySet<number> | undefined;
}

/** The team whose members own the organization; its name is fixed. */
export const OWNERS_TEAM = 'owners';

// Service accounts are few: CROSS keeps SQLite from going through all members of a team instead.
const SELECTION = `
  SELECT teams.*,
    (SELECT count(*) FROM users
     CROSS JOIN memberships ON memberships.user = users.seq AND memberships.status = 'active'
     CROSS JOIN membership_teams ON membership_teams.membership = memberships.seq
     WHERE users.is_service_account = 1 AND membership_teams.team = teams.seq) AS service_accounts
  FROM teams`;

export function countTeams(store: Store, organization: number, filter: TeamFilter = {}): number {
  const { where, values } = toCondition(organization, filter);
  return store.count(`teams WHERE ${where}`, ...values);
}

export function listTeams(store: Store, organization: number, filter: TeamFilter, range: Range): TeamRow[] {
  const { where, values } = toCondition(organization, filter);
  const sql = `${SELECTION} WHERE ${where} ORDER BY seq LIMIT ? OFFSET ?`;
  return store.all(sql, ...values, range.limit, range.offset);
}

export function findTeams(store: Store, organization: number, ids: readonly string[]): TeamRow[] {
  const sql = `${SELECTION} WHERE organization = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY seq`;
  return store.all(sql, organization, JSON.stringify(ids));
}

export function findOwnersTeam(store: Store, organization: number): TeamRow | undefined {
  return findTeamByName(store, organization, OWNERS_TEAM);
}

export function findTeam(store: Store, id: string): TeamRow | undefined {
  return store.first(`${SELECTION} WHERE id = ?`, id);
}

export function getTeam(store: Store, seq: number): TeamRow | undefined {
  return store.first(`${SELECTION} WHERE seq = ?`, seq);
}

/** The teams of an active member; undefined for anyone else. */
export function findTeamsOfUser(store: Store, organization: number, user: number): readonly TeamRow[] | undefined {
  const sql = "SELECT seq FROM memberships WHERE organization = ? AND user = ? AND status = 'active'";
  const membership = store.first<MembershipNumber>(sql, organization, user);
  return membership === undefined ? undefined : findTeamsOf(store, [membership])(membership);
}

interface MembershipNumber {
  readonly seq: number;
}

export function findTeamsOf(
  store: Store,
  memberships: readonly MembershipNumber[],
): (membership: MembershipNumber) => readonly TeamRow[] {
  const pairs = store.all<{ readonly membership: number; readonly team: number }>(
    'SELECT membership, team FROM membership_teams WHERE membership IN (SELECT value FROM json_each(?)) ORDER BY team',
    JSON.stringify(memberships.map(({ seq }) => seq)),
  );
  // Each team once: many of a page are in the same.
  const found = JSON.stringify([...new Set(pairs.map(({ team }) => team))]);
  const rows = store.all<TeamRow>(`${SELECTION} WHERE seq IN (SELECT value FROM json_each(?))`, found);
  const rowOf = new Map(rows.map((row) => [row.seq, row]));
  const teams = new Map<number, TeamRow[]>();
  for (const { membership, team } of pairs) {
    const row = rowOf.get(team);
    if (row !== undefined) teams.set(membership, [...(teams.get(membership) ?? []), row]);
  }
  return ({ seq }) => teams.get(seq) ?? [];
}

export function insertTeam(store: Store, { access, ssoTeamId, scimGroup, ...row }: NewTeam): number {
  return store.insert('teams', {
    ...row,
    name_folded: fold(row.name),
    access: JSON.stringify(access),
    sso_team_id: ssoTeamId ?? null,
    scim_group_name: scimGroup?.name ?? null,
    scim_updated_at: scimGroup?.updatedAt ?? null,
  });
}

export type TeamChange = Pick<TeamRow, 'name' | 'visibility' | 'sso_team_id' | 'allow_member_token_management'> & {
  readonly access: readonly string[];
};

export function updateTeam(store: Store, seq: number, { access, ...change }: TeamChange): void {
  const columns = { ...change, name_folded: fold(change.name), access: JSON.stringify(access) };
  const names = Object.keys(columns);
  store.run(
    `UPDATE teams SET ${names.map((name) => `${name} = ?`).join(', ')} WHERE seq = ?`,
    ...Object.values(columns),
    seq,
  );
}

/** With its token. Its members stay in the organization. */
export function deleteTeam(store: Store, seq: number): void {
  store.run('DELETE FROM membership_teams WHERE team = ?', seq);
  store.run('DELETE FROM tokens WHERE team = ?', seq);
  store.run('DELETE FROM teams WHERE seq = ?', seq);
}

export function findTeamByName(store: Store, organization: number, name: string): TeamRow | undefined {
  return store.first(`${SELECTION} WHERE organization = ? AND name = ?`, organization, name);
}

export interface TeamMemberFilter {
  readonly status?: MembershipStatus | undefined;
  readonly isServiceAccount?: boolean | undefined;
}

export function countTeamMembers(store: Store, team: TeamRow, filter: TeamMemberFilter): number {
  const { status, isServiceAccount } = filter;
  if (status === 'active') {
    if (isServiceAccount === undefined) return team.users_count;
    return isServiceAccount ? team.service_accounts : team.users_count - team.service_accounts;
  }
  const { from, where, values } = toMemberCondition(team.seq, filter);
  return store.count(`${from} WHERE ${where}`, ...values);
}

/** `sort`: by status, or by status backwards; else in the order of their creation. */
export function listTeamMembers(
  store: Store,
  team: number,
  { sort, ...filter }: TeamMemberFilter & { readonly sort?: 'status' | '-status' | undefined },
  range: Range,
): number[] {
  const { from, where, values } = toMemberCondition(team, filter, sort !== undefined);
  const rows = store.all<{ membership: number }>(
    `SELECT membership_teams.membership FROM ${from}
     WHERE ${where}
     ORDER BY ${sort === undefined ? '' : `memberships.status ${sort === 'status' ? 'ASC' : 'DESC'},`}
       membership_teams.membership LIMIT ? OFFSET ?`,
    ...values,
    range.limit,
    range.offset,
  );
  return rows.map(({ membership }) => membership);
}

function toMemberCondition(
  team: number,
  { status, isServiceAccount }: TeamMemberFilter,
  isSorted = false,
): ReturnType<typeof allOf> & { from: string } {
  const condition = allOf(
    ['membership_teams.team = ?', team],
    status !== undefined && ['memberships.status = ?', status],
    isServiceAccount !== undefined && ['users.is_service_account = ?', isServiceAccount ? 1 : 0],
  );
  const joins = [
    (isSorted || status !== undefined || isServiceAccount !== undefined) &&
      'JOIN memberships ON memberships.seq = membership_teams.membership',
    isServiceAccount !== undefined && 'JOIN users ON users.seq = memberships.user',
  ].filter((join) => join !== false);
  return { from: ['membership_teams', ...joins].join(' '), ...condition };
}

export function isInTeam(store: Store, team: number, membership: number): boolean {
  return store.count('membership_teams WHERE membership = ? AND team = ?', membership, team) > 0;
}

export function addToTeam(store: Store, team: number, membership: number): void {
  store.insert('membership_teams', { membership, team });
}

export function removeFromTeam(store: Store, team: number, membership: number): void {
  store.run('DELETE FROM membership_teams WHERE membership = ? AND team = ?', membership, team);
}

function toCondition(organization: number, { search, names, secret }: TeamFilter): ReturnType<typeof allOf> {
  return allOf(
    ['organization = ?', organization],
    search !== undefined && ['instr(name_folded, ?) > 0', fold(search)],
    names !== undefined && ['name IN (SELECT value FROM json_each(?))', JSON.stringify(names)],
    secret !== undefined && [
      "(visibility <> 'secret' OR seq IN (SELECT value FROM json_each(?)))",
      JSON.stringify([...secret]),
    ],
  );
}
