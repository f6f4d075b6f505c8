import { type Condition, contains, fold, isOneOf, type Selection, type Store } from '../rows.ts';

export interface TeamRow {
  readonly seq: number;
  readonly id: string;
  readonly organization: number;
  readonly name: string;
  readonly visibility: string;
  /** JSON: the names of the accesses that the team has. */
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
  /** Active service accounts. */
  readonly service_accounts: number;
}

type NewTeam = Pick<TeamRow, 'id' | 'organization' | 'name' | 'visibility'> &
  Partial<Pick<TeamRow, 'sso_team_id' | 'scim_group_name' | 'scim_updated_at' | 'allow_member_token_management'>> & {
    readonly access: readonly string[];
  };

interface TeamFilter {
  readonly search?: string | undefined;
  readonly names?: readonly string[] | undefined;
  /** The row numbers of the secret ones that are wanted too; all when absent. */
  readonly secret?: ReadonlySet<number> | undefined;
}

/** The team whose members own the organization; its name is fixed. */
export const OWNERS_TEAM = 'owners';

// CROSS makes SQLite begin with the service accounts, which are few, instead of the members of the team.
const COLUMNS = `teams.*,
  (SELECT count(*) FROM users
   CROSS JOIN memberships ON memberships.user = users.seq AND memberships.status = 'active'
   CROSS JOIN membership_teams ON membership_teams.membership = memberships.seq
   WHERE users.is_service_account = 1 AND membership_teams.team = teams.seq) AS service_accounts`;

function select(store: Store, ...conditions: readonly (Condition | false)[]): Selection<TeamRow> {
  return store.select(COLUMNS, 'teams', conditions);
}

export function selectTeams(
  store: Store,
  organization: number,
  { search, names, secret }: TeamFilter = {},
): Selection<TeamRow> {
  return select(
    store,
    ['organization = ?', organization],
    contains(search, 'name_folded'),
    names !== undefined && isOneOf('name', names),
    secret !== undefined && isShownTeam(secret),
  );
}

/** `secret`: the row numbers of the secret ones that are shown. */
export function isShownTeam(secret: ReadonlySet<number>): Condition {
  const [sql, ...values] = isOneOf('teams.seq', [...secret]);
  return [`(teams.visibility <> 'secret' OR ${sql})`, ...values];
}

export function findTeams(store: Store, organization: number, ids: readonly string[]): TeamRow[] {
  return select(store, ['organization = ?', organization], isOneOf('id', ids)).list();
}

export function findOwnersTeam(store: Store, organization: number): TeamRow | undefined {
  return findTeamByName(store, organization, OWNERS_TEAM);
}

export function findTeamByName(store: Store, organization: number, name: string): TeamRow | undefined {
  return select(store, ['organization = ?', organization], ['name = ?', name]).first();
}

export function findTeam(store: Store, id: string): TeamRow | undefined {
  return select(store, ['id = ?', id]).first();
}

export function getTeam(store: Store, seq: number): TeamRow | undefined {
  return select(store, ['seq = ?', seq]).first();
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
  // Each team is read once: many members of a page are in the same teams.
  const rows = select(store, isOneOf('seq', [...new Set(pairs.map(({ team }) => team))])).list();
  const rowOf = new Map(rows.map((row) => [row.seq, row]));
  const teams = new Map<number, TeamRow[]>();
  for (const { membership, team } of pairs) {
    const row = rowOf.get(team);
    if (row !== undefined) teams.set(membership, [...(teams.get(membership) ?? []), row]);
  }
  return ({ seq }) => teams.get(seq) ?? [];
}

export function insertTeam(store: Store, team: NewTeam): number {
  return store.insert('teams', { ...team, name_folded: fold(team.name), access: JSON.stringify(team.access) });
}

export type TeamChange = Pick<TeamRow, 'name' | 'visibility' | 'sso_team_id' | 'allow_member_token_management'> & {
  readonly access: readonly string[];
};

export function updateTeam(store: Store, seq: number, { access, ...change }: TeamChange): void {
  store.update('teams', seq, { ...change, name_folded: fold(change.name), access: JSON.stringify(access) });
}

/** Deletes its token, too. Its members stay in the organization. */
export function deleteTeam(store: Store, seq: number): void {
  store.run('DELETE FROM membership_teams WHERE team = ?', seq);
  store.run('DELETE FROM tokens WHERE team = ?', seq);
  store.remove('teams', seq);
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
