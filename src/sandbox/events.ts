import { findCallingTeam } from './access.ts';
import type { Call, Change } from './call.ts';
import { formatDate } from './dates.ts';
import { createServiceAccount } from './documents.ts';
import type { OrganizationRow, TeamRow } from './rows.ts';

type Action = 'create' | 'show' | 'update' | 'destroy' | 'add_member' | 'remove_member';
type EventResource = { type: string; action: Action; id: string; meta?: object };

type Organization = Pick<OrganizationRow, 'seq' | 'id' | 'name'>;

export function recordEvent(call: Call, organization: Organization, resource: EventResource): void {
  const { caller, requestId } = call;
  const account = createServiceAccount(caller, organization.name, findCallingTeam(call, organization.seq)?.name);
  const { id, name } = caller.user ?? { id: account.user_id, name: account.username };
  const actor = { accessor_id: id, description: name, type: 'Client' };
  insertEvent(call, organization, resource, { requestId, actor });
}

type TeamEvent = { action: 'add_member' | 'remove_member'; teams: readonly TeamRow[]; user: string };

export function recordTeamEvents(call: Call, organization: Organization, { action, teams, user }: TeamEvent): void {
  for (const { id } of teams) recordEvent(call, organization, { type: 'team', action, id, meta: { user } });
}

/** Writes to the audit trail what no caller did: the sandbox itself, or an invitee who accepted. */
export function recordSystemEvent(change: Change, organization: Organization, resource: EventResource): void {
  const actor = { accessor_id: 'sandbox', description: 'sandbox', type: 'System' };
  insertEvent(change, organization, resource, { requestId: change.ids.uuid(), actor });
}

type Source = { requestId: string; actor: object };

function insertEvent(change: Change, organization: Organization, resource: EventResource, source: Source): void {
  const { store, ids, now } = change;
  const { id, type, action, meta = null } = resource;
  const auth = { ...source.actor, impersonator_id: null, organization_id: organization.id };
  const head = { id: ids.uuid(), version: '0', type: 'Resource', timestamp: formatDate(now) };
  const event = { ...head, auth, request: { id: source.requestId }, resource: { id, type, action, meta } };
  store.insert('events', { organization: organization.seq, occurred_at: now, event: JSON.stringify(event) });
}
