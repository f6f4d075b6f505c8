import { findCallingTeam } from './access.ts';
import { toServiceAccount } from './documents.ts';
import { toIsoDate } from './iso-date.ts';
import type { OrganizationRow } from './queries/organizations.ts';
import type { TeamRow } from './queries/teams.ts';
import type { ChangeContext, Context } from './route.ts';
import type { AuditEvent } from './wire/resources.ts';

type EventResource = (
  | { readonly type: 'authentication_token'; readonly action: 'create' | 'show' | 'destroy' }
  | { readonly type: 'organization'; readonly action: 'create' | 'update' }
  | { readonly type: 'organization_user'; readonly action: 'create' | 'update' | 'destroy' }
  | {
      readonly type: 'registry_provider' | 'registry_provider_version' | 'registry_provider_platform';
      readonly action: 'create' | 'destroy';
    }
  | { readonly type: 'team'; readonly action: 'add_member' | 'remove_member' }
) & { readonly id: string; readonly meta?: Readonly<Record<string, unknown>> };

type Organization = Pick<OrganizationRow, 'seq' | 'id' | 'name'>;

/**
 * Writes to the audit trail what the caller did. Assumed: the ids of events are UUIDs, and a token without a person
 * acts as its service account.
 */
export function recordEvent(context: Context, organization: Organization, resource: EventResource): void {
  const { caller, requestId } = context;
  const account = toServiceAccount(caller, organization.name, findCallingTeam(context, organization.seq)?.name);
  const actor = {
    accessor_id: caller.user?.id ?? account.user_id,
    description: caller.user?.name ?? account.username,
    type: 'Client',
  };
  insert(context, organization, actor, requestId, resource);
}

/**
 * Assumed: the audit trail has an event for each person who comes into a team or leaves it, also by an invitation and
 * by a removal.
 */
export function recordTeamEvents(
  context: Context,
  organization: Organization,
  action: 'add_member' | 'remove_member',
  teams: readonly TeamRow[],
  user: string,
): void {
  for (const { id } of teams) recordEvent(context, organization, { type: 'team', action, id, meta: { user } });
}

/** Writes to the audit trail what no caller did: the sandbox itself, or an invitee who accepted. */
export function recordSystemEvent(change: ChangeContext, organization: Organization, resource: EventResource): void {
  const actor = { accessor_id: 'sandbox', description: 'sandbox', type: 'System' };
  insert(change, organization, actor, change.ids.uuid(), resource);
}

function insert(
  { store, ids, now }: ChangeContext,
  organization: Organization,
  actor: Readonly<Record<string, string>>,
  requestId: string,
  resource: EventResource,
): void {
  const { id, type, action, meta = null } = resource;
  const event: AuditEvent = {
    id: ids.uuid(),
    version: '0',
    type: 'Resource',
    timestamp: toIsoDate(now),
    auth: { ...actor, impersonator_id: null, organization_id: organization.id },
    request: { id: requestId },
    resource: { id, type, action, meta },
  };
  store.insert('events', { organization: organization.seq, occurred_at: now, event: JSON.stringify(event) });
}
