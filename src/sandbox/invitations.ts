import { recordSystemEvent } from './audit-events.ts';
import { SandboxInputError } from './input-error.ts';
import { isUsernameTaken, listInvited, type MembershipRow, setUsername } from './queries/memberships.ts';
import { findOrganization, getOrganization, listOrganizations } from './queries/organizations.ts';
import type { ChangeContext } from './route.ts';
import type { Store } from './rows.ts';

/** The invitations of that address. Throws SandboxInputError where there is none. */
export function findInvited(store: Store, email: string, name: string | undefined): readonly MembershipRow[] {
  const organization = name === undefined ? undefined : findOrganization(store, name);
  if (name !== undefined && organization === undefined) {
    const known = listOrganizations(store).map((row) => row.name);
    throw new SandboxInputError(`the sandbox has no organization ${name}`, 'Name one of these with --org.', [
      `organizations there: ${known.join(', ')}`,
    ]);
  }
  const invited = listInvited(store, email).filter(
    (row) => organization === undefined || row.organization === organization.seq,
  );
  if (invited.length === 0) {
    const where = organization === undefined ? 'any organization of the sandbox' : organization.name;
    throw new SandboxInputError(
      `${email} has no invitation to ${where}`,
      'Invite this address first: orgctl members invite.',
    );
  }
  return invited;
}

/** Accepts invitations, as the invitee would. Throws SandboxInputError where there is none. */
export function accept(change: ChangeContext, email: string, organization: string | undefined) {
  const { store } = change;
  return findInvited(store, email, organization).map((row) => {
    ensureUsername(store, row);
    store.update('memberships', row.seq, { status: 'active' });
    const joined = getOrganization(store, row.organization);
    if (joined !== undefined) {
      recordSystemEvent(change, joined, { type: 'organization_user', action: 'update', id: row.id });
    }
    return { ...toInvitation(row), status: 'active' };
  });
}

export function toInvitation(row: MembershipRow) {
  return { id: row.id, organization: row.organization_name, email: row.email };
}

/** A user who has no name yet gets one made from the address, with a number where that is taken. */
function ensureUsername(store: Store, row: MembershipRow): void {
  if (row.username !== null) return;
  const base =
    row.email
      ?.split('@')[0]
      ?.toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'user';
  let username = base;
  for (let number = 2; isUsernameTaken(store, username); number += 1) username = `${base}-${number}`;
  setUsername(store, row.user, username);
}
