import type { MembershipStatus } from '../../wire/resources.ts';
import type { Store, Value } from '../store.ts';
import { addToTeam } from './teams.ts';

export interface UserRow {
  readonly seq: number;
  readonly id: string;
  readonly email: string;
  /** Null until the person has an account. */
  readonly username: string | null;
}

/** A membership with its user and the name of its organization, as one row. */
export interface MembershipRow {
  readonly seq: number;
  readonly id: string;
  readonly organization: number;
  readonly organization_name: string;
  readonly status: MembershipStatus;
  readonly created_at: number;
  readonly user: number;
  readonly user_id: string;
  readonly email: string;
  readonly username: string | null;
}

export const STATUSES: readonly MembershipStatus[] = ['invited', 'active'];

export interface MembershipFilter {
  readonly search: string | undefined;
  readonly status: MembershipStatus | undefined;
  readonly emails: readonly string[] | undefined;
}

export interface NewMembership {
  readonly id: string;
  readonly organization: number;
  readonly user: number;
  readonly status: MembershipStatus;
  readonly createdAt: number;
  readonly teams: readonly number[];
}

const SELECTION = `
  SELECT memberships.*, organizations.name AS organization_name,
    users.id AS user_id, users.email AS email, users.username AS username
  FROM memberships
  JOIN users ON users.seq = memberships.user
  JOIN organizations ON organizations.seq = memberships.organization`;

export function findMembership(store: Store, id: string): MembershipRow | undefined {
  return store.first<MembershipRow>(`${SELECTION} WHERE memberships.id = ?`, id);
}

/** Those of these numbers, in the order of their creation. */
export function getMemberships(store: Store, seqs: readonly number[]): MembershipRow[] {
  return store.all<MembershipRow>(
    `${SELECTION} WHERE memberships.seq IN (SELECT value FROM json_each(?)) ORDER BY memberships.seq`,
    JSON.stringify(seqs),
  );
}

export function findMembershipOf(store: Store, organization: number, user: number): MembershipRow | undefined {
  return store.first<MembershipRow>(
    `${SELECTION} WHERE memberships.organization = ? AND memberships.user = ?`,
    organization,
    user,
  );
}

export function countMemberships(
  store: Store,
  organization: { readonly seq: number; readonly active: number; readonly invited: number },
  filter: MembershipFilter,
): number {
  if (filter.search === undefined && filter.emails === undefined) {
    return filter.status === undefined ? organization.active + organization.invited : organization[filter.status];
  }
  const { from, where, values } = toCondition(organization.seq, filter);
  return store.first<{ count: number }>(`SELECT count(*) AS count FROM ${from} WHERE ${where}`, ...values)?.count ?? 0;
}

/** In the order of their creation. Only the page's own rows are joined: an offset skips over bare index entries. */
export function listMemberships(
  store: Store,
  organization: number,
  filter: MembershipFilter,
  limit: number,
  offset: number,
): MembershipRow[] {
  const { from, where, values } = toCondition(organization, filter);
  const order = filter.emails === undefined ? 'memberships.seq' : '+memberships.seq';
  return store.all<MembershipRow>(
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
  return store.first<{ count: number }>('SELECT count(*) AS count FROM memberships WHERE user = ?', user)?.count ?? 0;
}

export function listMembershipsOfUser(store: Store, user: number, limit: number, offset: number): MembershipRow[] {
  return store.all<MembershipRow>(
    `${SELECTION} WHERE memberships.user = ? ORDER BY memberships.seq LIMIT ? OFFSET ?`,
    user,
    limit,
    offset,
  );
}

export function listInvited(store: Store, email: string): MembershipRow[] {
  return store.all<MembershipRow>(
    `${SELECTION} WHERE users.email_folded = ? AND memberships.status = 'invited' ORDER BY memberships.seq`,
    email.toLowerCase(),
  );
}

export function insertMembership(store: Store, membership: NewMembership): number {
  const seq = store.run(
    'INSERT INTO memberships (id, organization, user, status, created_at) VALUES (?, ?, ?, ?, ?)',
    membership.id,
    membership.organization,
    membership.user,
    membership.status,
    membership.createdAt,
  );
  for (const team of membership.teams) {
    addToTeam(store, team, seq);
  }
  return seq;
}

/** Its teams go with it. */
export function deleteMembership(store: Store, seq: number): void {
  store.run('DELETE FROM memberships WHERE seq = ?', seq);
}

export function activateMembership(store: Store, seq: number): void {
  store.run("UPDATE memberships SET status = 'active' WHERE seq = ?", seq);
}

export function findUser(store: Store, email: string): UserRow | undefined {
  return store.first<UserRow>('SELECT seq, id, email, username FROM users WHERE email_folded = ?', email.toLowerCase());
}

export function getUser(store: Store, seq: number): UserRow | undefined {
  return store.first<UserRow>('SELECT seq, id, email, username FROM users WHERE seq = ?', seq);
}

export function isUsernameTaken(store: Store, username: string): boolean {
  return store.first('SELECT 1 FROM users WHERE username_folded = ?', username.toLowerCase()) !== undefined;
}

export function insertUser(store: Store, user: { id: string; email: string; username: string | null }): number {
  return store.run(
    'INSERT INTO users (id, email, email_folded, username, username_folded) VALUES (?, ?, ?, ?, ?)',
    user.id,
    user.email,
    user.email.toLowerCase(),
    user.username,
    user.username === null ? null : user.username.toLowerCase(),
  );
}

export function setUsername(store: Store, seq: number, username: string): void {
  store.run('UPDATE users SET username = ?, username_folded = ? WHERE seq = ?', username, username.toLowerCase(), seq);
}

function toCondition(organization: number, filter: MembershipFilter): { from: string; where: string; values: Value[] } {
  // The plus keeps SQLite from walking the whole organization where a few addresses lead straight to their users.
  const column = filter.emails === undefined ? 'memberships' : '+memberships';
  const parts = [`${column}.organization = ?`];
  const values: Value[] = [organization];
  let from = 'memberships';
  if (filter.status !== undefined) {
    parts.push(`${column}.status = ?`);
    values.push(filter.status);
  }
  if (filter.emails !== undefined) {
    parts.push('memberships.user IN (SELECT seq FROM users WHERE email_folded IN (SELECT value FROM json_each(?)))');
    values.push(JSON.stringify(filter.emails.map((email) => email.toLowerCase())));
  }
  if (filter.search !== undefined) {
    // Assumed: any part counts, in whatever case. instr() rather than LIKE: a percent sign or an underscore in the search string is only itself.
    from = 'memberships JOIN users ON users.seq = memberships.user';
    parts.push('(instr(users.email_folded, ?) > 0 OR instr(users.username_folded, ?) > 0)');
    const search = filter.search.toLowerCase();
    values.push(search, search);
  }
  return { from, where: parts.join(' AND '), values };
}
