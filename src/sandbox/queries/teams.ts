import type { MembershipStatus } from '../../wire/resources.ts';
import type { Range } from '../pagination.ts';
import { allOf, fold, type Store } from '../store.ts';

export interface TeamRow {
  readonly seq: number;
  readonly id: string;
  readonly organization: number;
  readonly name: string;
  readonly visibility: string;
  readonly manages_memberships: number;
  readonly manages_providers: number;
  readonly users_count: number;
}

interface NewTeam extends Pick<TeamRow, 'id' | 'organization' | 'name' | 'visibility'> {
  readonly managesMemberships: boolean;
  readonly managesProviders: boolean;
}

export interface TeamFilter {
  readonly search?: string | undefined;
  readonly names?: readonly string[] | undefined;
}

/** The team whose members own the organization; its name is fixed. */
export const OWNERS_TEAM = 'owners';

export function countTeams(store: Store, organization: number, filter: TeamFilter = {}): number {
  const { where, values } = toCondition(organization, filter);
  return store.count(`teams WHERE ${where}`, ...values);
}

export function listTeams(store: Store, organization: number, filter: TeamFilter, range: Range): TeamRow[] {
  const { where, values } = toCondition(organization, filter);
  const sql = `SELECT * FROM teams WHERE ${where} ORDER BY seq LIMIT ? OFFSET ?`;
  return store.all(sql, ...values, range.limit, range.offset);
}

export function findTeams(store: Store, organization: number, ids: readonly string[]): TeamRow[] {
  const sql = 'SELECT * FROM teams WHERE organization = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY seq';
  return store.all(sql, organization, JSON.stringify(ids));
}

export function findOwnersTeam(store: Store, organization: number): TeamRow | undefined {
  return store.first('SELECT * FROM teams WHERE organization = ? AND name = ?', organization, OWNERS_TEAM);
}

export function findTeam(store: Store, id: string): TeamRow | undefined {
  return store.first('SELECT * FROM teams WHERE id = ?', id);
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
  const rows = store.all<TeamRow & { readonly membership: number }>(
    `SELECT membership_teams.membership, teams.* FROM membership_teams JOIN teams ON teams.seq = membership_teams.team
     WHERE membership_teams.membership IN (SELECT value FROM json_each(?))
     ORDER BY membership_teams.membership, teams.seq`,
    JSON.stringify(memberships.map(({ seq }) => seq)),
  );
  const teams = new Map<number, TeamRow[]>();
  for (const row of rows) teams.set(row.membership, [...(teams.get(row.membership) ?? []), row]);
  return ({ seq }) => teams.get(seq) ?? [];
}

export function insertTeam(store: Store, { managesMemberships, managesProviders, ...row }: NewTeam): number {
  return store.insert('teams', {
    ...row,
    name_folded: fold(row.name),
    manages_memberships: managesMemberships ? 1 : 0,
    manages_providers: managesProviders ? 1 : 0,
  });
}

interface TeamMemberFilter {
  readonly status?: MembershipStatus | undefined;
  /** By status, or by status backwards; else in the order of their creation. */
  readonly sort?: 'status' | '-status' | undefined;
}

export function countTeamMembers(store: Store, team: TeamRow, status: MembershipStatus | undefined): number {
  if (status === 'active') return team.users_count;
  const all = store.count('membership_teams WHERE team = ?', team.seq);
  return status === undefined ? all : all - team.users_count;
}

export function listTeamMembers(store: Store, team: number, filter: TeamMemberFilter, range: Range): number[] {
  const { status, sort } = filter;
  const isJoined = status !== undefined || sort !== undefined;
  const { where, values } = allOf(
    ['membership_teams.team = ?', team],
    status !== undefined && ['memberships.status = ?', status],
  );
  const rows = store.all<{ membership: number }>(
    `SELECT membership_teams.membership FROM membership_teams
     ${isJoined ? 'JOIN memberships ON memberships.seq = membership_teams.membership' : ''}
     WHERE ${where}
     ORDER BY ${sort === undefined ? '' : `memberships.status ${sort === 'status' ? 'ASC' : 'DESC'},`}
       membership_teams.membership LIMIT ? OFFSET ?`,
    ...values,
    range.limit,
    range.offset,
  );
  return rows.map(({ membership }) => membership);
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

function toCondition(organization: number, { search, names }: TeamFilter): ReturnType<typeof allOf> {
  return allOf(
    ['organization = ?', organization],
    search !== undefined && ['instr(name_folded, ?) > 0', fold(search)],
    names !== undefined && ['name IN (SELECT value FROM json_each(?))', JSON.stringify(names)],
  );
}
