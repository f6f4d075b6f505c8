import type { AuditEvent } from '../wire/resources.ts';
import { toInstant, toServiceAccount } from './documents.ts';
import type { Ids } from './ids.ts';
import { insertEvent } from './queries/events.ts';
import type { OrganizationRow } from './queries/organizations.ts';
import type { TeamRow } from './queries/teams.ts';
import type { Context } from './route.ts';
import type { Store } from './store.ts';

type Happening = (
  | { readonly type: 'authentication_token'; readonly action: 'create' | 'show' | 'destroy' }
  | { readonly type: 'organization_user'; readonly action: 'create' | 'update' | 'destroy' }
  | { readonly type: 'registry_provider'; readonly action: 'create' | 'destroy' }
  | { readonly type: 'team'; readonly action: 'add_member' | 'remove_member' }
) & { readonly id: string; readonly meta?: Readonly<Record<string, unknown>> };

type Organization = Pick<OrganizationRow, 'seq' | 'id' | 'name'>;

/** Notes in the audit trail what the caller did. Assumed: its ids, and that what belongs to no person acts as its service account. */
export function recordEvent(context: Context, organization: Organization, happening: Happening): void {
  const { caller } = context;
  const account = toServiceAccount(caller, organization.name);
  const auth = {
    accessor_id: caller.user?.id ?? account.id,
    description: caller.user?.name ?? account.username,
    type: 'Client',
    impersonator_id: null,
    organization_id: organization.id,
  };
  insert(context.store, context.ids, organization, context.now, auth, context.requestId, happening);
}

/** Assumed: whoever comes into a team or leaves it is noted there too, by an invitation and a removal as well. */
export function recordTeamEvents(
  context: Context,
  organization: Organization,
  action: 'add_member' | 'remove_member',
  teams: readonly TeamRow[],
  user: string,
): void {
  for (const { id } of teams) {
    recordEvent(context, organization, { type: 'team', action, id, meta: { user } });
  }
}

/** The same for what no caller did: the sandbox itself, or an invitee who accepted. */
export function recordSystemEvent(
  store: Store,
  ids: Ids,
  organization: Organization,
  occurredAt: number,
  happening: Happening,
): void {
  const auth = {
    accessor_id: 'sandbox',
    description: 'sandbox',
    type: 'System',
    impersonator_id: null,
    organization_id: organization.id,
  };
  insert(store, ids, organization, occurredAt, auth, ids.uuid(), happening);
}

function insert(
  store: Store,
  ids: Ids,
  organization: Organization,
  occurredAt: number,
  auth: Readonly<Record<string, unknown>>,
  requestId: string,
  happening: Happening,
): void {
  const { id, type, action, meta = null } = happening;
  const event: AuditEvent = {
    id: ids.uuid(),
    version: '0',
    type: 'Resource',
    timestamp: toInstant(occurredAt),
    auth,
    request: { id: requestId },
    resource: { id, type, action, meta },
  };
  insertEvent(store, organization.seq, occurredAt, event);
}
