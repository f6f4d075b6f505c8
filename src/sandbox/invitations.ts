import { findByName, listOrganizations } from './access.ts';
import type { Change } from './call.ts';
import { SandboxInputError } from './errors.ts';
import { recordSystemEvent } from './events.ts';
import { selectMemberships } from './people.ts';
import type { MembershipRow } from './rows.ts';
import { fold, type Store } from './store.ts';

export function listInvitations(store: Store, email: string, name: string | undefined): MembershipRow[] {
  const organization = name === undefined ? undefined : findByName({ store }, name);
  if (name !== undefined && organization === undefined) {
    const known = `organizations there: ${listOrganizations(store)
      .map((row) => row.name)
      .join(', ')}`;
    throw new SandboxInputError(`the sandbox has no organization ${name}`, 'Name one of these with --org.', [known]);
  }
  const isOfEmail = ['users.email_folded = ?', fold(email)] as const;
  const invited = selectMemberships(store, isOfEmail, ["memberships.status = 'invited'"]).list();
  const wanted = invited.filter((row) => organization === undefined || row.organization === organization.seq);
  if (wanted.length > 0) return wanted;
  const message = `${email} has no invitation to ${organization?.name ?? 'any organization of the sandbox'}`;
  throw new SandboxInputError(message, 'Invite this address first: orgctl members invite.');
}

export function formatInvitation(row: MembershipRow) {
  return { id: row.id, organization: row.organization_name, email: row.email };
}

export function acceptInvitations(change: Change, email: string, organization: string | undefined) {
  const { store } = change;
  return listInvitations(store, email, organization).map((row) => {
    if (row.username === null) createUsername(store, row);
    store.update('memberships', row.seq, { status: 'active' });
    const joined = listOrganizations(store).find(({ seq }) => seq === row.organization);
    if (joined) recordSystemEvent(change, joined, { type: 'organization_user', action: 'update', id: row.id });
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
