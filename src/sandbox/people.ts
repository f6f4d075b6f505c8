import type { Value } from '../lib/sqlite.ts';
import type { MembershipRow, MembershipStatus, TeamRow, UserFields, UserRow } from './rows.ts';
import { type Condition, fold, isOneOf, type RowQuery, type Store } from './store.ts';

const USER_COLUMNS = `users.id AS user_id, users.email, users.username, users.is_service_account, users.auth_method,
  users.has_second_factor`;

const FROM = `memberships
  JOIN users ON users.seq = memberships.user
  JOIN organizations ON organizations.seq = memberships.organization`;
const COLUMNS = `memberships.*, organizations.id AS organization_id,
  organizations.name AS organization_name, organizations.has_scim, ${USER_COLUMNS}`;

export function selectMemberships(store: Store, ...conditions: (Condition | false)[]): RowQuery<MembershipRow> {
  return store.select(COLUMNS, FROM, conditions, 'memberships.seq');
}

export function findMembership(store: Store, where: string, ...values: Value[]): MembershipRow | undefined {
  // With an order SQLite would go through the whole organization.
  return store.first(`SELECT ${COLUMNS} FROM ${FROM} WHERE ${where}`, ...values);
}

type Numbered = { seq: number };

/** Joins only the rows of a page: an offset skips over bare index entries. */
export function joinMemberships(store: Store, seqs: RowQuery<Numbered>): RowQuery<MembershipRow> {
  const sql = `SELECT ${COLUMNS} FROM ${FROM} JOIN json_each(?) AS page ON page.value = memberships.seq
    ORDER BY page.key`;
  return {
    count: seqs.count,
    list: (range) => store.all(sql, JSON.stringify(seqs.list(range).map(({ seq }) => seq))),
  };
}

export function selectTeamMembers(store: Store, { seq }: TeamRow, status?: MembershipStatus): RowQuery<MembershipRow> {
  const isInTeam: Condition = ['team = ?', seq];
  const from = `membership_teams ${status ? 'JOIN memberships ON memberships.seq = membership' : ''}`;
  const conditions = [isInTeam, status !== undefined && ([`status = ?`, status] satisfies Condition)];
  return joinMemberships(store, store.select('membership AS seq', from, conditions, 'membership'));
}

type NewMembership = Pick<MembershipRow, 'id' | 'organization' | 'user' | 'status' | 'created_at'>;

export function insertMembership(store: Store, row: NewMembership, teams: number[], more = {}): void {
  const { seq: membership } = store.insert('memberships', { ...row, ...more });
  for (const team of teams) store.insert('membership_teams', { membership, team });
}

export function findUser(store: Store, email: string): number | undefined {
  return store.first<{ seq: number }>('SELECT seq FROM users WHERE email_folded = ?', fold(email))?.seq;
}

export function findUserRow(store: Store, seq: number | null): UserRow | undefined {
  return store.first(`SELECT seq, ${USER_COLUMNS} FROM users WHERE seq = ?`, seq);
}

type NewUser = { id: string } & Pick<UserFields, 'email' | 'username'> & Partial<Omit<UserFields, 'user_id'>>;

export function insertUser(store: Store, user: NewUser): number {
  const { email, username } = user;
  const folded = { email_folded: email && fold(email), username_folded: username && fold(username) };
  return store.insert('users', { ...user, ...folded }).seq;
}

// CROSS makes SQLite begin with the service accounts, which are few, instead of the members of the team.
const TEAM_COLUMNS = `teams.*,
  (SELECT count(*) FROM users
   CROSS JOIN memberships ON memberships.user = users.seq AND memberships.status = 'active'
   CROSS JOIN membership_teams ON membership_teams.membership = memberships.seq
   WHERE users.is_service_account = 1 AND membership_teams.team = teams.seq) AS service_accounts`;

export function selectTeams(store: Store, ...conditions: (Condition | false)[]): RowQuery<TeamRow> {
  return store.select(TEAM_COLUMNS, 'teams', conditions);
}

export function findTeamRow(store: Store, where: string, ...values: Value[]): TeamRow | undefined {
  return selectTeams(store, [where, ...values]).list()[0];
}

export function listTeams(store: Store, { seq }: Numbered): TeamRow[] {
  return selectTeams(store, ['seq IN (SELECT team FROM membership_teams WHERE membership = ?)', seq]).list();
}

/** The teams of each membership, by its row number. */
export function indexTeams(store: Store, memberships: Numbered[]): Map<number, TeamRow[]> {
  const seqs = memberships.map(({ seq }) => seq);
  const isListed = isOneOf('membership', seqs);
  const pairs = store.select<{ membership: number; team: number }>('*', 'membership_teams', [isListed], 'team').list();
  const rows = selectTeams(store, isOneOf('seq', [...new Set(pairs.map(({ team }) => team))])).list();
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  const index = new Map(seqs.map((seq): [number, TeamRow[]] => [seq, []]));
  for (const pair of pairs) {
    const team = bySeq.get(pair.team);
    if (team !== undefined) index.get(pair.membership)?.push(team);
  }
  return index;
}
