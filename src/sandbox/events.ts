import { findCallingTeam } from './access.ts';
import type { Call, Change } from './call.ts';
import { formatDate } from './dates.ts';
import { createServiceAccount } from './documents.ts';
import type { OrganizationRow, TeamRow } from './rows.ts';

interface EventResource {
  type: string;
  action: 'create' | 'show' | 'update' | 'destroy' | 'add_member' | 'remove_member';
  id: string;
  meta?: object;
}

type Organization = Pick<OrganizationRow, 'seq' | 'id' | 'name'>;

/** Writes to the audit trail what the caller did. */
export function recordEvent(call: Call, organization: Organization, resource: EventResource): void {
  const { caller, requestId } = call;
  const account = createServiceAccount(caller, organization.name, findCallingTeam(call, organization.seq)?.name);
  const { id, name } = caller.user ?? { id: account.user_id, name: account.username };
  insertEvent(call, organization, resource, requestId, { accessor_id: id, description: name, type: 'Client' });
}

type TeamEvent = { action: 'add_member' | 'remove_member'; teams: readonly TeamRow[]; user: string };

export function recordTeamEvents(call: Call, organization: Organization, { action, teams, user }: TeamEvent): void {
  for (const { id } of teams) recordEvent(call, organization, { type: 'team', action, id, meta: { user } });
}

/** Writes to the audit trail what no caller did: the sandbox itself, or an invitee who accepted. */
export function recordSystemEvent(change: Change, organization: Organization, resource: EventResource): void {
  const actor = { accessor_id: 'sandbox', description: 'sandbox', type: 'System' };
  insertEvent(change, organization, resource, change.ids.uuid(), actor);
}

function insertEvent(
  { store, ids, now }: Change,
  { seq, id: organization_id }: Organization,
  { id, type, action, meta }: EventResource,
  requestId: string,
  actor: object,
): void {
  const auth = { ...actor, impersonator_id: null, organization_id };
  const resource = { id, type, action, meta: meta ?? null };
  const head = { id: ids.uuid(), version: '0', type: 'Resource', timestamp: formatDate(now) };
  const event = JSON.stringify({ ...head, auth, request: { id: requestId }, resource });
  store.insert('events', { organization: seq, occurred_at: now, event });
}
