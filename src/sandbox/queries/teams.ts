import type { Store, Value } from '../store.ts';

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

export interface NewTeam {
  readonly id: string;
  readonly organization: number;
  readonly name: string;
  readonly visibility: 'organization' | 'secret';
  readonly managesMemberships: boolean;
  readonly managesProviders: boolean;
}

export interface TeamFilter {
  readonly search: string | undefined;
  readonly names: readonly string[] | undefined;
}

/** The team whose members own the organization; its name is fixed. */
export const OWNERS_TEAM = 'owners';

export function countTeams(store: Store, organization: number, filter: TeamFilter): number {
  const { where, values } = toCondition(organization, filter);
  return store.first<{ count: number }>(`SELECT count(*) AS count FROM teams WHERE ${where}`, ...values)?.count ?? 0;
}

export function listTeams(
  store: Store,
  organization: number,
  filter: TeamFilter,
  limit: number,
  offset: number,
): TeamRow[] {
  const { where, values } = toCondition(organization, filter);
  return store.all<TeamRow>(
    `SELECT * FROM teams WHERE ${where} ORDER BY seq LIMIT ? OFFSET ?`,
    ...values,
    limit,
    offset,
  );
}

export function findTeams(store: Store, organization: number, ids: readonly string[]): TeamRow[] {
  return store.all<TeamRow>(
    'SELECT * FROM teams WHERE organization = ? AND id IN (SELECT value FROM json_each(?)) ORDER BY seq',
    organization,
    JSON.stringify(ids),
  );
}

export function findTeamByName(store: Store, organization: number, name: string): TeamRow | undefined {
  return store.first<TeamRow>('SELECT * FROM teams WHERE organization = ? AND name = ?', organization, name);
}

/** The teams of many memberships at once, by membership. */
export function findTeamsOf(store: Store, memberships: readonly number[]): Map<number, TeamRow[]> {
  const rows = store.all<TeamRow & { readonly membership: number }>(
    `SELECT membership_teams.membership, teams.* FROM membership_teams JOIN teams ON teams.seq = membership_teams.team
     WHERE membership_teams.membership IN (SELECT value FROM json_each(?))
     ORDER BY membership_teams.membership, teams.seq`,
    JSON.stringify(memberships),
  );
  const teams = new Map<number, TeamRow[]>();
  for (const row of rows) {
    const known = teams.get(row.membership);
    if (known === undefined) {
      teams.set(row.membership, [row]);
    } else {
      known.push(row);
    }
  }
  return teams;
}

export function insertTeam(store: Store, team: NewTeam): number {
  return store.run(
    `INSERT INTO teams (id, organization, name, name_folded, visibility, manages_memberships, manages_providers)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    team.id,
    team.organization,
    team.name,
    team.name.toLowerCase(),
    team.visibility,
    team.managesMemberships ? 1 : 0,
    team.managesProviders ? 1 : 0,
  );
}

function toCondition(organization: number, filter: TeamFilter): { where: string; values: Value[] } {
  const parts = ['organization = ?'];
  const values: Value[] = [organization];
  if (filter.search !== undefined) {
    parts.push('instr(name_folded, ?) > 0');
    values.push(filter.search.toLowerCase());
  }
  if (filter.names !== undefined) {
    parts.push('name IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(filter.names));
  }
  return { where: parts.join(' AND '), values };
}
