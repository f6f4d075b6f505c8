import { UsageError } from '../lib/errors.ts';
import { findOrganizationByName } from './access.ts';
import type { Transaction } from './context.ts';
import { recordSystemEvent } from './events.ts';
import { selectMemberships } from './people.ts';
import type { MembershipRow } from './rows.ts';
import { type Condition, fold, type Store } from './store.ts';

export function listInvitations(store: Store, email: string, name: string | undefined): MembershipRow[] {
  const organization = name === undefined ? undefined : findOrganizationByName({ store }, name);
  if (name && !organization) throw new UsageError(`the sandbox has no organization ${name}`);
  const isInvited: Condition = ["memberships.status = 'invited' AND users.email_folded = ?", fold(email)];
  const isThere: Condition | false = organization !== undefined && ['memberships.organization = ?', organization.seq];
  const invitations = selectMemberships(store, isInvited, isThere).list();
  if (invitations.length > 0) return invitations;
  const message = `${email} has no invitation to ${organization?.name ?? 'any organization of the sandbox'}`;
  throw new UsageError(message, { hint: 'Invite this address first: orgctl members invite.' });
}

export function formatInvitation(row: MembershipRow) {
  return { id: row.id, organization: row.organization_name, email: row.email };
}

export function acceptInvitations(tx: Transaction, email: string, name: string | undefined) {
  const { store } = tx;
  return listInvitations(store, email, name).map((row) => {
    if (row.username === null) createUsername(store, row);
    store.update('memberships', row.seq, { status: 'active' });
    const organization = { seq: row.organization, id: row.organization_id };
    recordSystemEvent(tx, organization, { type: 'organization_user', action: 'update', id: row.id });
    return { ...formatInvitation(row), status: 'active' };
  });
}

function createUsername(store: Store, { email, user }: MembershipRow): void {
  const [local = ''] = (email ?? '').toLowerCase().split('@');
  const base = local.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'user';
  let username = base;
  const isTaken = (): boolean => store.count('users WHERE username_folded = ?', username) > 0;
  for (let number = 2; isTaken(); number += 1) username = `${base}-${number}`;
  store.update('users', user, { username, username_folded: username });
}
