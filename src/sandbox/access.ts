import { isPermitted, type Operation } from './permissions.ts';
import { createNotFound } from './problems.ts';
import { isActiveMember } from './queries/memberships.ts';
import { findOrganization, getOrganization, type OrganizationRow } from './queries/organizations.ts';
import type { Context } from './route.ts';

/** The organization of that name. Throws 404 where it is absent or the caller may not do this there: no telling which. */
export function requireOrganization(context: Context, name: string, operation: Operation): OrganizationRow {
  return requireAccess(context, findOrganization(context.store, name), operation);
}

export function requireOrganizationBySeq(context: Context, seq: number, operation: Operation): OrganizationRow {
  return requireAccess(context, getOrganization(context.store, seq), operation);
}

/** For what belongs to no organization. */
export function requirePermission(context: Context, operation: Operation): void {
  if (!isPermitted(context.caller.kind, operation)) {
    throw createNotFound();
  }
}

function requireAccess(
  context: Context,
  organization: OrganizationRow | undefined,
  operation: Operation,
): OrganizationRow {
  requirePermission(context, operation);
  if (organization === undefined || !belongs(context, organization)) {
    throw createNotFound();
  }
  return organization;
}

function belongs({ caller, store }: Context, organization: OrganizationRow): boolean {
  return caller.user === null
    ? caller.organization === organization.seq
    : isActiveMember(store, organization.seq, caller.user.seq);
}

/** Throws 404 for what is not there. */
export function requirePresent<Row>(row: Row | undefined): Row {
  if (row === undefined) {
    throw createNotFound();
  }
  return row;
}
