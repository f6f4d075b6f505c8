import type { AuditEvent } from '../wire/resources.ts';
import { toInstant } from './documents.ts';
import type { Ids } from './ids.ts';
import { insertEvent } from './queries/events.ts';
import type { OrganizationRow } from './queries/organizations.ts';
import type { Context } from './route.ts';
import type { Store } from './store.ts';

export interface Happening {
  readonly type: 'authentication_token' | 'organization_user' | 'registry_provider';
  readonly action: 'create' | 'show' | 'update' | 'destroy';
  readonly id: string;
}

type Organization = Pick<OrganizationRow, 'seq' | 'id' | 'name'>;

/** Notes in the audit trail what the caller did. */
export function recordEvent(context: Context, organization: Organization, happening: Happening): void {
  const { caller } = context;
  const auth = {
    accessor_id: caller.user?.id ?? caller.tokenId,
    description: caller.user?.name ?? `${caller.kind} of ${organization.name}`,
    type: 'Client',
    impersonator_id: null,
    organization_id: organization.id,
  };
  insert(context.store, context.ids, organization, context.now, auth, context.requestId, happening);
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
    accessor_id: null,
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
  const event: AuditEvent = {
    id: ids.uuid(),
    version: '0',
    type: 'Resource',
    timestamp: toInstant(occurredAt),
    auth,
    request: { id: requestId },
    resource: { id: happening.id, type: happening.type, action: happening.action, meta: null },
  };
  insertEvent(store, organization.seq, occurredAt, event);
}
