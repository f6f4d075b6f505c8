import { findCallingTeam } from './access.ts';
import { type Context, formatDate, type Transaction } from './context.ts';
import { createServiceAccount } from './resources.ts';
import type { OrganizationRow, TeamRow } from './rows.ts';

type Action = 'create' | 'show' | 'update' | 'destroy' | 'add_member' | 'remove_member';
type EventResource = { type: string; action: Action; id: string; meta?: object };

export function recordEvent(ctx: Context, organization: OrganizationRow, resource: EventResource): void {
  const { caller, requestId } = ctx;
  const team = findCallingTeam(ctx, organization.seq);
  const { user_id, username } = caller.user ?? createServiceAccount(caller, organization.name, team?.name);
  const actor = { accessor_id: user_id, description: username, type: 'Client' };
  insertEvent(ctx, resource, { organization, requestId, actor });
}

type TeamEvent = { action: 'add_member' | 'remove_member'; teams: TeamRow[]; user: string };

export function recordTeamEvents(ctx: Context, organization: OrganizationRow, event: TeamEvent): void {
  const { action, teams, user } = event;
  for (const { id } of teams) recordEvent(ctx, organization, { type: 'team', action, id, meta: { user } });
}

type Organization = Pick<OrganizationRow, 'seq' | 'id'>;

export function recordSystemEvent(tx: Transaction, organization: Organization, resource: EventResource): void {
  const actor = { accessor_id: 'sandbox', description: 'sandbox', type: 'System' };
  insertEvent(tx, resource, { organization, requestId: tx.ids.uuid(), actor });
}

type Source = { organization: Organization; requestId: string; actor: object };

function insertEvent(tx: Transaction, resource: EventResource, { organization, requestId, actor }: Source): void {
  const { store, ids, now } = tx;
  const { id, type, action, meta = null } = resource;
  const auth = { ...actor, impersonator_id: null, organization_id: organization.id };
  const head = { id: ids.uuid(), version: '0', type: 'Resource', timestamp: formatDate(now) };
  const event = { ...head, auth, request: { id: requestId }, resource: { id, type, action, meta } };
  store.insert('events', { organization: organization.seq, occurred_at: now, event: JSON.stringify(event) });
}
