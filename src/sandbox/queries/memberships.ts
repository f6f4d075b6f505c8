import type { MembershipStatus } from '../../wire/resources.ts';
import type { Range } from '../pagination.ts';
import { allOf, fold, type Store } from '../store.ts';
import type { OrganizationRow } from './organizations.ts';
import { addToTeam } from './teams.ts';

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

export interface MembershipFilter {
  readonly search: string | undefined;
  readonly status: MembershipStatus | undefined;
  readonly emails: readonly string[] | undefined;
}

interface NewMembership extends Pick<MembershipRow, 'id' | 'organization' | 'user' | 'status'> {
  readonly createdAt: number;
  readonly scim?: { readonly identity: string; readonly status: ScimStatus } | undefined;
  readonly teams: readonly number[];
}

const USER_COLUMNS = ['email', 'username', 'is_service_account', 'auth_method', 'has_second_factor'] as const;
const SELECTION = `
  SELECT memberships.*, organizations.name AS organization_name, organizations.has_scim,
    users.id AS user_id, ${USER_COLUMNS.map((column) => `users.${column}`).join(', ')}
  FROM memberships
  JOIN users ON users.seq = memberships.user
  JOIN organizations ON organizations.seq = memberships.organization`;

export function findMembership(store: Store, id: string): MembershipRow | undefined {
  return store.first(`${SELECTION} WHERE memberships.id = ?`, id);
}

export function getMemberships(store: Store, seqs: readonly number[]): MembershipRow[] {
  const sql = `${SELECTION} JOIN json_each(?) AS wanted ON wanted.value = memberships.seq ORDER BY wanted.key`;
  return store.all(sql, JSON.stringify(seqs));
}

export function findMembershipOf(store: Store, organization: number, user: number): MembershipRow | undefined {
  const sql = `${SELECTION} WHERE memberships.organization = ? AND memberships.user = ?`;
  return store.first(sql, organization, user);
}

/** By name or id of the user. */
export function findActiveMember(store: Store, organization: number, user: string): MembershipRow | undefined {
  const sql = `${SELECTION} WHERE memberships.organization = ? AND memberships.status = 'active'
    AND (users.username_folded = ? OR users.id = ?)`;
  return store.first(sql, organization, fold(user), user);
}

export function countMemberships(
  store: Store,
  organization: Pick<OrganizationRow, 'seq' | MembershipStatus>,
  filter: MembershipFilter,
): number {
  if (filter.search === undefined && filter.emails === undefined) {
    return filter.status === undefined ? countAll(organization) : organization[filter.status];
  }
  const { from, where, values } = toCondition(organization.seq, filter);
  return store.count(`${from} WHERE ${where}`, ...values);
}

/** Members of any status, and invitations. */
export function countAll({ active, invited, inactive }: Pick<OrganizationRow, MembershipStatus>): number {
  return active + invited + inactive;
}

/** In the order of their creation. Only the page's own rows are joined: an offset skips over bare index entries. */
export function listMemberships(
  store: Store,
  organization: number,
  filter: MembershipFilter,
  { limit, offset }: Range,
): MembershipRow[] {
  const { from, where, values } = toCondition(organization, filter);
  const order = filter.emails === undefined ? 'memberships.seq' : '+memberships.seq';
  return store.all(
    `${SELECTION}
     WHERE memberships.seq IN
       (SELECT memberships.seq FROM ${from} WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?)
     ORDER BY memberships.seq`,
    ...values,
    limit,
    offset,
  );
}

export function countMembershipsOfUser(store: Store, user: number): number {
  return store.count('memberships WHERE user = ?', user);
}

export function listMembershipsOfUser(store: Store, user: number, { limit, offset }: Range): MembershipRow[] {
  const sql = `${SELECTION} WHERE memberships.user = ? ORDER BY memberships.seq LIMIT ? OFFSET ?`;
  return store.all(sql, user, limit, offset);
}

export function listInvited(store: Store, email: string): MembershipRow[] {
  return store.all(
    `${SELECTION} WHERE users.email_folded = ? AND memberships.status = 'invited' ORDER BY memberships.seq`,
    fold(email),
  );
}

export function insertMembership(store: Store, { createdAt, teams, scim, ...row }: NewMembership): number {
  const identity = { scim_identity: scim?.identity ?? null, scim_status: scim?.status ?? null };
  const seq = store.insert('memberships', { ...row, ...identity, created_at: createdAt });
  for (const team of teams) addToTeam(store, team, seq);
  return seq;
}

export function deleteMembership(store: Store, seq: number): void {
  store.run('DELETE FROM memberships WHERE seq = ?', seq);
}

export function activateMembership(store: Store, seq: number): void {
  store.run("UPDATE memberships SET status = 'active' WHERE seq = ?", seq);
}

export function findUser(store: Store, email: string): UserRow | undefined {
  return store.first(`SELECT seq, id, ${USER_COLUMNS.join(', ')} FROM users WHERE email_folded = ?`, fold(email));
}

export function getUser(store: Store, seq: number): UserRow | undefined {
  return store.first(`SELECT seq, id, ${USER_COLUMNS.join(', ')} FROM users WHERE seq = ?`, seq);
}

export function isUsernameTaken(store: Store, username: string): boolean {
  return store.count('users WHERE username_folded = ?', fold(username)) > 0;
}

interface NewUser extends Pick<UserRow, 'id' | 'email' | 'username'> {
  readonly isServiceAccount?: boolean;
  readonly authMethod?: string;
  readonly hasSecondFactor?: boolean;
}

export function insertUser(store: Store, user: NewUser): number {
  const { id, email, username, isServiceAccount = false, authMethod = 'tfc', hasSecondFactor = false } = user;
  return store.insert('users', {
    id,
    email,
    email_folded: email === null ? null : fold(email),
    username,
    username_folded: username === null ? null : fold(username),
    is_service_account: isServiceAccount ? 1 : 0,
    auth_method: authMethod,
    has_second_factor: hasSecondFactor ? 1 : 0,
  });
}

export function setUsername(store: Store, seq: number, username: string): void {
  store.run('UPDATE users SET username = ?, username_folded = ? WHERE seq = ?', username, fold(username), seq);
}

function toCondition(
  organization: number,
  { search, status, emails }: MembershipFilter,
): ReturnType<typeof allOf> & { from: string } {
  // The plus keeps SQLite from walking the whole organization where a few addresses lead straight to their users.
  const table = emails === undefined ? 'memberships' : '+memberships';
  const part = fold(search ?? '');
  const condition = allOf(
    [`${table}.organization = ?`, organization],
    status !== undefined && [`${table}.status = ?`, status],
    emails !== undefined && [
      'memberships.user IN (SELECT seq FROM users WHERE email_folded IN (SELECT value FROM json_each(?)))',
      JSON.stringify(emails.map(fold)),
    ],
    // Assumed: any part counts, in whatever case. Not LIKE, to which a percent sign or an underscore means more.
    search !== undefined && ['(instr(users.email_folded, ?) > 0 OR instr(users.username_folded, ?) > 0)', part, part],
  );
  const from = search === undefined ? 'memberships' : 'memberships JOIN users ON users.seq = memberships.user';
  return { from, ...condition };
}
