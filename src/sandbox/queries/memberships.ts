import { type Condition, contains, fold, isOneOf, type Listing, type Selection, type Store } from '../rows.ts';
import type { MembershipStatus } from '../wire/resources.ts';
import type { OrganizationRow } from './organizations.ts';
import { addToTeam, type TeamRow } from './teams.ts';

export interface UserRow {
  readonly seq: number;
  readonly id: string;
  /** Null for a service account. */
  readonly email: string | null;
  /** Null until the person has an account. */
  readonly username: string | null;
  /** 1 for the account that a token of a team acts as. */
  readonly is_service_account: number;
  readonly auth_method: string;
  readonly has_second_factor: number;
}

/** `provisioned`: made by the identity provider; `claimed`: there before it. */
export type ScimStatus = 'provisioned' | 'claimed';

export interface MembershipRow extends Omit<UserRow, 'seq'> {
  readonly seq: number;
  readonly organization: number;
  readonly organization_name: string;
  /** 1 where the organization's people come from an identity provider, by SCIM. */
  readonly has_scim: number;
  readonly status: MembershipStatus;
  readonly created_at: number;
  readonly user: number;
  readonly user_id: string;
  /** Null for one that SCIM does not manage. */
  readonly scim_identity: string | null;
  readonly scim_status: ScimStatus | null;
}

export const STATUSES: readonly MembershipStatus[] = ['invited', 'active', 'inactive'];

interface MembershipFilter {
  readonly search: string | undefined;
  readonly status: MembershipStatus | undefined;
  readonly emails: readonly string[] | undefined;
}

type NewMembership = Pick<MembershipRow, 'id' | 'organization' | 'user' | 'status' | 'created_at'> &
  Partial<Pick<MembershipRow, 'scim_identity' | 'scim_status'>>;

/** Each membership with its user and its organization. */
const FROM = `memberships
  JOIN users ON users.seq = memberships.user
  JOIN organizations ON organizations.seq = memberships.organization`;
const COLUMNS = `memberships.*, organizations.name AS organization_name, organizations.has_scim,
  users.id AS user_id, users.email, users.username, users.is_service_account, users.auth_method, users.has_second_factor`;

function select(store: Store, ...conditions: readonly Condition[]): Selection<MembershipRow> {
  return store.select(COLUMNS, FROM, conditions, 'memberships.seq');
}

export function findMembership(store: Store, id: string): MembershipRow | undefined {
  return select(store, ['memberships.id = ?', id]).first();
}

/** The memberships with these row numbers, in the same order. */
function getMemberships(store: Store, seqs: readonly number[]): MembershipRow[] {
  const from = `${FROM} JOIN json_each(?) AS wanted ON wanted.value = memberships.seq`;
  return store.all(`SELECT ${COLUMNS} FROM ${from} ORDER BY wanted.key`, JSON.stringify(seqs));
}

export function findMembershipOf(store: Store, organization: number, user: number): MembershipRow | undefined {
  return select(store, ['memberships.organization = ?', organization], ['memberships.user = ?', user]).first();
}

/** By name or id of the user. */
export function findActiveMember(store: Store, organization: number, user: string): MembershipRow | undefined {
  // Without an order: with one, SQLite would go through the whole organization.
  const sql = `SELECT ${COLUMNS} FROM ${FROM} WHERE memberships.organization = ? AND memberships.status = 'active'
    AND (users.username_folded = ? OR users.id = ?)`;
  return store.first(sql, organization, fold(user), user);
}

/** Members of any status, and invitations. */
export function countAll({ active, invited, inactive }: Pick<OrganizationRow, MembershipStatus>): number {
  return active + invited + inactive;
}

export function selectMemberships(
  store: Store,
  organization: Pick<OrganizationRow, 'seq' | MembershipStatus>,
  { search, status, emails }: MembershipFilter,
): Listing<MembershipRow> {
  // The plus keeps SQLite from walking the whole organization where a few addresses lead straight to their users.
  const plus = emails === undefined ? '' : '+';
  const addresses = isOneOf('email_folded', (emails ?? []).map(fold));
  const seqs = store.select<{ readonly seq: number }>(
    'memberships.seq',
    search === undefined ? 'memberships' : 'memberships JOIN users ON users.seq = memberships.user',
    [
      [`${plus}memberships.organization = ?`, organization.seq],
      status !== undefined && [`${plus}memberships.status = ?`, status],
      emails !== undefined && [
        `memberships.user IN (SELECT seq FROM users WHERE ${addresses[0]})`,
        ...addresses.slice(1),
      ],
      // Assumed: a search finds members by any part of their email or user name, without case.
      contains(search, 'users.email_folded', 'users.username_folded'),
    ],
    `${plus}memberships.seq`,
  );
  const known = status === undefined ? countAll(organization) : organization[status];
  return join(store, seqs, search === undefined && emails === undefined ? known : undefined);
}

interface TeamMemberFilter {
  readonly status?: MembershipStatus | undefined;
  readonly isServiceAccount?: boolean | undefined;
}

/** `sort`: by status, or by status backwards; else in the order of their creation. */
export function selectTeamMembers(
  store: Store,
  team: TeamRow,
  { status, isServiceAccount }: TeamMemberFilter = {},
  sort?: 'status' | '-status',
): Listing<MembershipRow> {
  const isOfAccounts = isServiceAccount !== undefined;
  const needsMembership = sort !== undefined || status !== undefined || isOfAccounts;
  const membership = needsMembership ? ' JOIN memberships ON memberships.seq = membership_teams.membership' : '';
  const user = isOfAccounts ? ' JOIN users ON users.seq = memberships.user' : '';
  const order = sort === undefined ? '' : `memberships.status ${sort === 'status' ? 'ASC' : 'DESC'}, `;
  const seqs = store.select<{ readonly seq: number }>(
    'membership_teams.membership AS seq',
    `membership_teams${membership}${user}`,
    [
      ['membership_teams.team = ?', team.seq],
      status !== undefined && ['memberships.status = ?', status],
      isOfAccounts && ['users.is_service_account = ?', isServiceAccount ? 1 : 0],
    ],
    `${order}membership_teams.membership`,
  );
  const accounts = isServiceAccount === true ? team.service_accounts : team.users_count - team.service_accounts;
  const active = isOfAccounts ? accounts : team.users_count;
  return join(store, seqs, status === 'active' ? active : undefined);
}

/** `known`: their number, where the state has it counted. */
function join(
  store: Store,
  seqs: Listing<{ readonly seq: number }>,
  known: number | undefined,
): Listing<MembershipRow> {
  return {
    count: () => known ?? seqs.count(),
    // Only the rows of the page are joined: an offset skips over bare index entries.
    list: (range) =>
      getMemberships(
        store,
        seqs.list(range).map(({ seq }) => seq),
      ),
  };
}

export function selectMembershipsOfUser(store: Store, user: number): Selection<MembershipRow> {
  return select(store, ['memberships.user = ?', user]);
}

export function listInvited(store: Store, email: string): MembershipRow[] {
  return select(store, ['users.email_folded = ?', fold(email)], ["memberships.status = 'invited'"]).list();
}

export function insertMembership(store: Store, row: NewMembership, teams: readonly number[]): void {
  const seq = store.insert('memberships', { ...row });
  for (const team of teams) addToTeam(store, team, seq);
}

export function findUser(store: Store, email: string): UserRow | undefined {
  return store.select<UserRow>('*', 'users', [['email_folded = ?', fold(email)]]).first();
}

export function getUser(store: Store, seq: number): UserRow | undefined {
  return store.select<UserRow>('*', 'users', [['seq = ?', seq]]).first();
}

export function isUsernameTaken(store: Store, username: string): boolean {
  return store.count('users WHERE username_folded = ?', fold(username)) > 0;
}

export type NewUser = Pick<UserRow, 'id' | 'email' | 'username'> & Partial<UserRow>;

export function insertUser(store: Store, user: NewUser): number {
  const { email, username } = user;
  return store.insert('users', {
    ...user,
    email_folded: email === null ? null : fold(email),
    username_folded: username === null ? null : fold(username),
  });
}

export function setUsername(store: Store, seq: number, username: string): void {
  store.update('users', seq, { username, username_folded: fold(username) });
}
